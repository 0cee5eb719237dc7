import { assetFields } from "../../db/entities/asset.js";
import { taskFields } from "../../db/entities/maintenance-task.js";
import { workspaceFields } from "../../db/entities/workspace.js";
import type { Field, Fields } from "../../db/fields.js";
import { toHeading } from "../sheets/headings.js";
import { withoutMarks } from "../values/text.js";

export const importKinds = ["assets", "tasks", "people", "workspaces"] as const;
export type ImportKind = (typeof importKinds)[number];

const text = (max = 300): Field => ({ kind: "text", max });
const state: Field = { kind: "choice", values: [] };

/** What the columns of a file can be, for each kind; what must be there comes first. */
export const importFields: Record<ImportKind, Fields> = {
  assets: { state, ...assetFields },
  tasks: {
    ...{ title: taskFields.title, task_number: text(), asset_id: text(), workspace_id: text() },
    ...{ state, completed_at: text(), ...taskFields },
  },
  people: {
    ...{ email: text(), workspace_id: text(), workspace_role: state, organization_role: state },
    message: text(500),
  },
  workspaces: workspaceFields,
};

/** Without a value for these no row of the kind means anything. */
export const requiredFields: Record<ImportKind, string> = {
  assets: "name",
  tasks: "title",
  people: "email",
  workspaces: "name",
};

/**
 * How other programs head their columns, and people theirs, by field: in small letters, without signs.
 * The exports of Snipe-IT, Shelf, Homebox and Atlas CMMS are among them.
 */
const otherHeadings: Record<ImportKind, Record<string, readonly string[]>> = {
  assets: {
    name: ["asset name", "item name", "title", "asset", "item", "hb name", "bezeichnung"],
    inventory_number: [
      ...["asset tag", "asset number", "tag", "tag number", "equipment number", "equipment id"],
      ...["hb asset id", "asset id", "barcode", "inventarnummer", "number", "sequential id"],
    ],
    state: ["status", "asset status", "zustand"],
    workspace_id: ["site", "building", "standort"],
    category: ["asset category", "type", "asset type", "kategorie"],
    description: [
      ...["notes", "asset notes", "hb description", "hb notes", "comments", "remarks"],
      ...["beschreibung", "bemerkung"],
    ],
    manufacturer: ["make", "brand", "mfr", "mfg", "oem", "hb manufacturer", "hersteller"],
    model: ["model name", "model number", "hb model number", "modell", "typ"],
    serial_number: ["serial", "sn", "s n", "hb serial number", "seriennummer"],
    location: ["hb location", "location name", "area", "room", "default location", "raum", "ort"],
    parent_asset_id: ["parent asset", "parent", "parent asset barcode"],
    assigned_to_user_id: [
      ...["assigned to", "custodian", "checked out to email", "primary user email", "owner"],
      ...["primary user", "email", "verantwortlich"],
    ],
    supplier: ["vendor", "hb purchase from", "lieferant"],
    purchase_date: [
      "purchased",
      "hb purchase time",
      "hb purchase date",
      "acquisition date",
      "kaufdatum",
    ],
    purchase_cost: [
      ...["purchase price", "cost", "price", "valuation", "value", "hb purchase price"],
      ...["acquisition cost", "kaufpreis"],
    ],
    warranty_expires_on: [
      ...["warranty expires", "warranty expiration date", "warranty expiration", "warranty until"],
      ...["hb warranty expires", "warranty end"],
    ],
    in_service_date: ["placed in service date", "in service", "installed", "installation date"],
    end_of_life_on: ["eol date", "end of life", "eol"],
    tags: ["labels", "hb labels", "hb tags"],
  },
  tasks: {
    title: ["name", "task", "work order", "work order title", "subject", "titel"],
    task_number: ["number", "work order number"],
    asset_id: ["asset", "asset tag", "inventory number", "asset name"],
    workspace_id: ["location", "location name", "site"],
    state: ["status"],
    type: ["task type", "category"],
    due_date: ["due", "due on", "deadline", "starts on", "faellig"],
    assigned_to_user_id: ["assigned to", "primary user", "primary user email", "assignee"],
    estimated_minutes: ["estimated time", "estimated duration in minutes"],
    completed_at: ["completed", "completed on", "date completed"],
    completion_notes: ["feedback", "completion note"],
  },
  people: {
    email: ["email address", "e mail", "mail", "user email"],
    workspace_id: ["workspace name", "location", "team"],
    workspace_role: ["role"],
    organization_role: [],
    message: ["note"],
  },
  workspaces: {
    name: ["workspace", "location", "location name", "site", "title", "hb name"],
    description: ["notes"],
    address: ["address 1", "street", "adresse"],
  },
};

/** Which program a file comes from, by the headings that only its exports have. */
const layouts: readonly (readonly [name: string, headings: readonly string[]])[] = [
  ["Snipe-IT", ["asset tag"]],
  ["Homebox", ["hb name"]],
  ["Shelf", ["title", "custodian"]],
  ["Atlas CMMS", ["primary user email"]],
  ["Atlas CMMS", ["barcode", "area"]],
];

const abbreviations: Record<string, string> = {
  ...{ no: "number", nr: "number", num: "number", "#": "number" },
  ...{ inv: "inventory", comment: "comments", remark: "remarks" },
};

/** In small letters, with one blank for all signs between words, which are spelt out. */
function toPlain(heading: string): string {
  const words = withoutMarks(heading.toLowerCase()).match(/[\p{L}\p{N}]+|#/gu) ?? [];
  return words.map((word) => abbreviations[word] ?? word).join(" ");
}

/** Which field each column is for; null for those left out. A field is only once among them. */
export function guessColumns(kind: ImportKind, headings: readonly string[]): (string | null)[] {
  const plain = headings.map(toPlain);
  const columns: (string | null)[] = headings.map(() => null);
  const ranks = Object.keys(importFields[kind]).map((field) => ({
    field,
    names: [toHeading(field), field, ...(otherHeadings[kind][field] ?? [])].map(toPlain),
  }));
  // What a heading says best, for all fields, before what it says less well.
  const most = Math.max(...ranks.map(({ names }) => names.length));
  for (let rank = 0; rank < most; rank += 1) {
    for (const { field, names } of ranks) {
      const at = plain.indexOf(names[rank] ?? "\0");
      if (at !== -1 && columns[at] === null && !columns.includes(field)) columns[at] = field;
    }
  }
  return columns;
}

export function guessLayout(headings: readonly string[]): string | undefined {
  const plain = new Set(headings.map(toPlain));
  return layouts.find(([, all]) => all.every((heading) => plain.has(heading)))?.[0];
}
