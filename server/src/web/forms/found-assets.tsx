import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { listAssets } from "../../domain/assets/asset-queries.js";
import type { CursorCodec } from "../../domain/shared/cursors.js";
import { t } from "../../language/translate.js";
import { InventoryNumber } from "../layout/facts.js";
import { useForm, type FoundAsset } from "./form-context.js";
import { readText, type FormFields } from "./form-fields.js";

const most = 8;
const toName = (field: string) => `found_${field}`;

/** The assets that a text may mean if it is no inventory number. */
export async function findAssetChoices(
  db: Tx,
  caller: Caller,
  text: string,
  cursors: CursorCodec,
): Promise<readonly FoundAsset[]> {
  const query = text.trim().slice(0, 200);
  if (query === "" || /\p{Cc}/u.test(query)) return [];
  const found = await listAssets(db, caller, { query, sort: "name", limit: most }, cursors);
  const assets = found.did_you_mean?.assets ?? found.assets;
  return assets.map(({ inventory_number, name }) => ({ inventory_number, name }));
}

/** Replaces the typed text with the asset chosen from its results. */
export function takeFound(body: unknown, fields: FormFields): unknown {
  const chosen = Object.keys(fields)
    .map((name) => [name, readText(body, toName(name))] as const)
    .filter(([, number]) => number !== "");
  return chosen.length === 0 ? body : { ...(body as object), ...Object.fromEntries(chosen) };
}

/** Under a field that names an asset: the search results to choose from. */
export function FoundAssets({ name }: { name: string }): VNode | null {
  const assets = useForm().found[name] ?? [];
  if (assets.length === 0) return null;
  return (
    <fieldset class="choices found-assets">
      <legend>{t("Which one is it?")}</legend>
      {assets.map(({ inventory_number: number, name: called }, index) => (
        <div key={number} class="choice">
          <input type="radio" id={`${toName(name)}-${index}`} name={toName(name)} value={number} />
          <label for={`${toName(name)}-${index}`}>
            <bdi>{called}</bdi> <InventoryNumber>{number}</InventoryNumber>
          </label>
        </div>
      ))}
    </fieldset>
  );
}
