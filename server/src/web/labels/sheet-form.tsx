import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import {
  defaultLabelFields,
  labelFields,
  type LabelField,
  type LabelSubject,
} from "../../domain/labels/label-links.js";
import { listPlaceLabels } from "../../domain/labels/place-labels.js";
import { createSheets, type Sheet } from "../../domain/labels/label-sheets.js";
import {
  labelsPerPage,
  labelTemplateNames,
  labelTemplates,
  type LabelTemplateName,
} from "../../domain/labels/templates.js";
import { AppError } from "../../errors.js";
import { Checkbox, FormActions, PostForm, Select, TextInput } from "../forms/controls.js";
import { choiceField, readAll, required, wholeField } from "../forms/form-fields.js";
import { otherPage, seeOther, type FormReply } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { Page } from "../layout/layout.js";
import { EmptyState, Notice } from "../layout/notices.js";
import { PageHead } from "../layout/page-head.js";
import { countOf } from "../text/format.js";
import { t, translated, tRich } from "../../language/translate.js";
import { listAssets } from "../../domain/assets/asset-queries.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { readFilters, toQuery } from "../assets/list-filters.js";
import type { FormRequest } from "../forms/form-spec.js";
import { placeLabelsAddress } from "../organizations/workspaces/addresses.js";
import { toAddress } from "../lists/pager.js";
import { requireMember } from "../../plugins/members.js";

/** For more labels, print several narrower lists. */
const maxChosen = 1000;

const batchSize = 100;

/** The assets or places to print labels for: selected ones, or a whole list. */
interface Selection {
  of: LabelSubject;
  ids: readonly string[];
  /** The address of the list. */
  back: string;
  /** True if the list has more assets than are printed at once. */
  isCut: boolean;
}

const templateLabels: Record<LabelTemplateName, string> = translated({
  avery_l7160: "Avery L7160, A4, 63.5 × 38.1 mm",
  avery_l7162: "Avery L7162, A4, 99.1 × 33.9 mm",
  avery_l7163: "Avery L7163, A4, 99.1 × 38.1 mm",
  avery_l4731: "Avery L4731, A4, 25.4 × 10 mm",
  avery_5160: "Avery 5160, Letter, 1 × 2⅝ inch",
  avery_5163: "Avery 5163, Letter, 2 × 4 inch",
  avery_22806: "Avery 22806, Letter, 2 × 2 inch",
  dymo_30252: "Dymo 30252, 89 × 28 mm",
  brother_24mm: "Brother tape, 24 mm",
  brother_62mm: "Brother roll, 62 × 29 mm",
  single_50x25mm: "Single labels, 50 × 25 mm",
});

const fieldLabels: Record<LabelField, string> = translated({
  name: "Name",
  inventory_number: "Inventory number",
  workspace: "Workspace",
  location: "Location",
  serial_number: "Serial number",
  organization: "Organization",
});

const maxLines = 4;

const offeredFields: Record<LabelSubject, readonly LabelField[]> = {
  asset: labelFields,
  place: ["name", "workspace", "organization"],
};

const defaultFields: Record<LabelSubject, readonly LabelField[]> = {
  asset: defaultLabelFields,
  place: offeredFields.place,
};

/**
 * `/labels/new`: label sheets for selected assets (`?ids=`), for a whole filtered list, or for the
 * places of a workspace (`?workspace=`).
 */
const sheetForm = formRoute({
  path: "/labels/new",
  open: readSelection,
  fields: {
    label_template: required(choiceField("Sheet", labelTemplateNames), "Choose a sheet."),
    skip_labels: wholeField("Labels already used on the first page", { max: 200 }),
  },
  begin: () => ({ label_template: "avery_l7160", skip_labels: "0" }),
  change: async (db, { request, app, caller, subject, given }) => {
    const lines = readLines(request.body);
    if (lines.length > maxLines) {
      throw new AppError("validation_failed", "too_many_entries", {
        field: "label_fields",
        max: maxLines,
        of: "entries",
      });
    }
    const { label_template, skip_labels = 0 } = given;
    const { of, ids } = subject;
    const label_fields = lines.length === 0 ? [...defaultFields[of]] : lines;
    const asked = { of, ids, label_template, skip_labels, label_fields };
    return createSheets(db, caller, asked, app.services.labelLinks);
  },
  controls: { label_fields: "label_fields" },
  done: (sheets, { subject }) => toAnswer(sheets, subject),
  page: ({ request, subject }) => <SheetPage selection={subject} lines={readLines(request.body)} />,
});

export const sheetPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(sheetForm);
};

function readLines(body: unknown): LabelField[] {
  const given = readAll(body, "label_fields");
  return labelFields.filter((field) => given.includes(field));
}

/** Opens a single sheet directly. Lists several. */
function toAnswer(sheets: readonly Sheet[], selection: Selection): FormReply {
  const [only] = sheets;
  if (sheets.length === 1 && only !== undefined) return seeOther(toPath(only));
  return otherPage(200, <SheetsPage sheets={sheets} selection={selection} />);
}

/** The path on this server, regardless of the host name used. */
function toPath({ url }: Sheet): string {
  return new URL(url).pathname;
}

function SheetPage({
  selection,
  lines,
}: {
  selection: Selection;
  lines: readonly LabelField[];
}): VNode {
  const { of, ids, back, isCut } = selection;
  return (
    <Page title={t("Print labels")} current="/assets/labels">
      <PageHead title={t("Print labels")} crumbs={[toCrumb(selection)]} />
      {ids.length === 0 ? (
        <EmptyState title={t("No assets selected")}>
          <p>
            {tRich("<a>Select assets in the list</a>, or filter it to those that need a label.", {
              a: (words) => <a href={back}>{words}</a>,
            })}
          </p>
        </EmptyState>
      ) : (
        <>
          {isCut && (
            <Notice kind="warning">
              <p>
                {t("Only the first {max} are printed. Filter the list to print the others.", {
                  max: maxChosen,
                })}
              </p>
            </Notice>
          )}
          <p>
            {t("{count, plural, one {# label} other {# labels}}, in list order.", {
              count: ids.length,
            })}
          </p>
          <SheetForm of={of} back={back} lines={lines} />
        </>
      )}
    </Page>
  );
}

function toCrumb({ of, back }: Selection) {
  return { href: back, label: of === "asset" ? t("Assets") : t("Place labels") };
}

function SheetForm({
  of,
  back,
  lines,
}: Pick<Selection, "of" | "back"> & { lines: readonly LabelField[] }): VNode {
  const selected = lines.length === 0 ? defaultFields[of] : lines;
  return (
    <PostForm>
      <Select name="label_template" options={toTemplateOptions()} />
      <TextInput
        name="skip_labels"
        inputMode="numeric"
        help={t("To finish a partly used sheet.")}
      />
      <fieldset id="label_fields">
        <legend>{t("Text next to the code")}</legend>
        {offeredFields[of].map((field) => (
          <Checkbox
            key={field}
            name="label_fields"
            id={`label-${field}`}
            value={field}
            label={fieldLabels[field]}
            checked={selected.includes(field)}
          />
        ))}
      </fieldset>
      <FormActions submit={t("Create sheet")} cancel={back} />
    </PostForm>
  );
}

function toTemplateOptions() {
  return labelTemplateNames.map((value) => {
    const onPage = labelsPerPage(labelTemplates[value]);
    const name = templateLabels[value];
    return {
      value,
      label: onPage === 1 ? name : t("{name}, {onPage} per page", { name, onPage }),
    };
  });
}

function SheetsPage({
  sheets,
  selection,
}: {
  sheets: readonly Sheet[];
  selection: Selection;
}): VNode {
  return (
    <Page title={t("Label sheets")} current="/assets/labels">
      <PageHead title={t("Label sheets")} crumbs={[toCrumb(selection)]} />
      <p>{t("Print each sheet at 100%. The links work for an hour.")}</p>
      <ol>
        {sheets.map((sheet) => (
          <li key={sheet.url}>
            <a href={toPath(sheet)} target="_blank">
              {t("Labels {from} to {to}", { from: sheet.from, to: sheet.to })}
            </a>{" "}
            <span class="soft">{countOf(sheet.pages, "page")}</span>
          </li>
        ))}
      </ol>
    </Page>
  );
}

/** Reads the query: `workspace` for places, `ids`, or the filters of the asset list. */
async function readSelection(form: FormRequest): Promise<Selection> {
  const { request, db, caller, app, query } = form;
  if (query("workspace") !== "") return readPlaces(form, query("workspace"));
  const chosen = readAll(request.query, "ids").filter((id) => idKindOf(id) === "asset");
  const { values, listing } = readFilters(request.query);
  const back = toAddress("/assets", toQuery(values));
  if (chosen.length > 0) {
    const isCut = chosen.length > maxChosen;
    return { of: "asset", ids: chosen.slice(0, maxChosen), back, isCut };
  }
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = { ...listing, limit: batchSize, cursor };
    const { assets, next_cursor } = await listAssets(db, caller, page, app.services.cursors);
    ids.push(...assets.map(({ id }) => id));
    cursor = next_cursor;
  } while (cursor !== undefined && ids.length < maxChosen);
  return { of: "asset", ids, back, isCut: cursor !== undefined };
}

async function readPlaces(
  { request, db, caller }: FormRequest,
  workspaceId: string,
): Promise<Selection> {
  const chosen = readAll(request.query, "ids");
  const labels = (await listPlaceLabels(db, caller, workspaceId)).map(({ id }) => id);
  const ids = chosen.length === 0 ? labels : labels.filter((id) => chosen.includes(id));
  const back = placeLabelsAddress(workspaceId);
  return { of: "place", ids: ids.slice(0, maxChosen), back, isCut: ids.length > maxChosen };
}
