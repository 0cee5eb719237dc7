import type { VNode } from "preact";
import type { ImportSettings } from "../../domain/exchange/import-settings.js";
import type { Place } from "../../domain/exchange/read-values.js";
import { t } from "../../language/translate.js";
import { quote } from "../../domain/shared/quote.js";
import { listOf } from "../text/format.js";
import { Choice, isPlaceOpen, nameColumn } from "./map-step.js";

export const newPlace = "new";
export const placeValues = { named: "in:", column: "by:" };

/** Fields whose values may be places. */
const placeFields = ["workspace_id", "location", "category", "cost_center"];

/** The workspace of assets without one: a chosen one, a new one, or one per value of a column. */
export function PlaceChoice({
  settings,
  workspaces,
}: {
  settings: ImportSettings;
  workspaces: readonly string[];
}): VNode | null {
  const { of, headings, columns, place = null } = settings;
  if (of !== "assets") return null;
  const byColumn = columns.flatMap((field, at) =>
    field !== null && placeFields.includes(field)
      ? [
          {
            value: `${placeValues.column}${at}`,
            label: t("One per value of {column}", {
              column: quote(nameColumn(headings[at] ?? "", at)),
            }),
          },
        ]
      : [],
  );
  const named = place !== null && "name" in place ? place.name : undefined;
  const chosen = workspaces.find((name) => name.toLowerCase() === named?.toLowerCase());
  return (
    <div class="field-row import-place">
      <Choice
        name="place"
        label={columns.includes("workspace_id") ? t("Assets without a workspace") : t("Workspace")}
        value={toValue(place, chosen)}
        options={[
          { value: "", label: t("No workspace") },
          ...byColumn,
          ...workspaces.map((name) => ({ value: placeValues.named + name, label: name })),
          { value: newPlace, label: t("New workspace") },
        ]}
      />
      <div class="field new-place">
        <label for="place_name">{t("Name of the new workspace")}</label>
        <input
          id="place_name"
          name="place_name"
          type="text"
          maxlength={100}
          value={chosen === undefined ? named : undefined}
          autocomplete="off"
          dir="auto"
        />
      </div>
    </div>
  );
}

function toValue(place: Place | null, chosen: string | undefined): string {
  if (place === null) return "";
  if ("column" in place) return `${placeValues.column}${place.column}`;
  return chosen === undefined ? newPlace : placeValues.named + chosen;
}

/** The workspaces that an import creates, or that its rows miss. */
export function PlaceNote({ settings }: { settings: ImportSettings }): VNode | null {
  const { of, columns, place = null, missingPlaces = [] } = settings;
  if (of !== "assets") return null;
  const count = missingPlaces.length;
  const names = listOf(missingPlaces.map(quote));
  if (count === 0) {
    return isPlaceOpen(settings) ? (
      <p class="soft">
        {t("No workspace is chosen. Only owners and admins will see these assets.")}
      </p>
    ) : null;
  }
  if (place !== null) {
    return (
      <p class="soft">
        {t(
          "Creates {count, plural, one {the workspace {names}} other {the workspaces {names}}}. Undo keeps {count, plural, one {it} other {them}}.",
          { count, names },
        )}
      </p>
    );
  }
  const at = columns.indexOf("workspace_id");
  return (
    <p class="soft">
      {t(
        "{count, plural, one {The workspace {names} doesn't exist.} other {The workspaces {names} don't exist.}} To create {count, plural, one {it} other {them}}, choose {choice}.",
        {
          count,
          names,
          choice: quote(
            t("One per value of {column}", {
              column: quote(nameColumn(settings.headings[at] ?? "", at)),
            }),
          ),
        },
      )}
    </p>
  );
}
