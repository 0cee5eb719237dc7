import { assetFields } from "../../db/entities/assets.js";
import { taskFields } from "../../db/entities/tasks.js";
import { workspaceFields } from "../../db/entities/organizations.js";
import { field, type Field, type Fields } from "../../db/fields.js";
import { toHeading } from "./headings.js";
import { withoutMarks } from "../shared/text.js";
import { splitHeading } from "./read-money.js";

export const importKinds = ["assets", "tasks", "people", "workspaces"] as const;
export type ImportKind = (typeof importKinds)[number];

const text = (max = 300): Field => ({ kind: "text", max });
const state: Field = { kind: "choice", values: [] };

const { title, ...otherTaskFields } = taskFields;

/** The possible columns of a file, by kind. Required fields come first. */
export const importFields: Record<ImportKind, Fields> = {
  assets: { state, ...assetFields },
  tasks: {
    title,
    task_number: text(),
    asset_id: text(),
    workspace_id: text(),
    state,
    completed_at: text(),
    procedure: text(100),
    ...otherTaskFields,
    currency: field.currency(),
  },
  people: {
    email: text(),
    workspace_id: text(),
    workspace_role: state,
    organization_role: state,
    message: text(500),
  },
  workspaces: workspaceFields,
};

/** A row of the kind is meaningless without a value for this field. */
export const requiredFields: Record<ImportKind, string> = {
  assets: "name",
  tasks: "title",
  people: "email",
  workspaces: "name",
};

export interface ImportWords {
  labelsOf: (field: string) => readonly string[];
  /** Values of a field by their words, normalized by `toWord`. */
  valuesOf: (field: string) => ReadonlyMap<string, readonly string[]>;
}

/**
 * Column headings that other programs and people use, by field. Lowercase, without punctuation.
 * Includes the exports of Snipe-IT, Shelf, Homebox and Atlas CMMS.
 */
const otherHeadings: Record<ImportKind, Record<string, readonly string[]>> = {
  assets: {
    name: [
      ...["asset name", "item name", "title", "asset", "item", "hb name", "bezeichnung"],
      ...["equipment", "equipment name", "gerät", "gerätename", "objekt"],
    ],
    inventory_number: [
      ...["asset tag", "asset number", "tag", "tag number", "equipment number", "equipment id"],
      ...["hb asset id", "asset id", "barcode", "inventarnummer", "number", "sequential id"],
      ...["anlagennummer", "gerätenummer", "inv nummer", "inventar"],
    ],
    state: ["status", "asset status", "betriebszustand", "betriebsstatus"],
    workspace_id: ["site", "building", "standort", "gebäude", "bereich", "department", "abteilung"],
    category: ["asset category", "type", "asset type", "kategorie", "gruppe", "art"],
    description: [
      ...["notes", "asset notes", "hb description", "hb notes", "comments", "remarks"],
      ...["beschreibung", "bemerkung", "bemerkungen", "notiz", "notizen", "anmerkung", "kommentar"],
    ],
    manufacturer: [
      ...["make", "brand", "mfr", "mfg", "oem", "hb manufacturer", "hersteller"],
      ...["marke", "fabrikat"],
    ],
    model: [
      ...["model name", "model number", "hb model number", "modell", "typ", "modellbezeichnung"],
      ...["typenbezeichnung"],
    ],
    serial_number: ["serial", "sn", "hb serial number", "seriennummer", "fabriknummer"],
    location: [
      ...["hb location", "location name", "area", "room", "default location", "raum", "ort"],
      ...["aufstellort", "platz"],
    ],
    parent_asset_id: ["parent asset", "parent", "parent asset barcode", "gehört zu"],
    assigned_to_user_id: [
      ...[
        "responsible",
        "assigned to",
        "custodian",
        "checked out to email",
        "primary user email",
        "owner",
      ],
      ...["primary user", "email", "verantwortlich", "verantwortlicher", "zugewiesen an"],
      ...["benutzer", "nutzer"],
    ],
    criticality: ["criticality level", "importance", "wichtigkeit"],
    condition: ["asset condition", "erhaltungszustand"],
    supplier: ["vendor", "hb purchase from", "lieferant", "händler", "dealer"],
    purchase_date: [
      ...["purchased", "hb purchase time", "hb purchase date", "acquisition date", "kaufdatum"],
      ...["anschaffungsdatum", "gekauft am", "bought on", "purchased on", "date of purchase"],
    ],
    purchase_cost: [
      ...["purchase price", "cost", "price", "valuation", "value", "hb purchase price"],
      ...["acquisition cost", "kaufpreis", "preis", "anschaffungskosten", "anschaffungspreis"],
      ...["anschaffungswert", "kosten", "neupreis", "einkaufspreis", "wert"],
    ],
    currency: ["currency code", "währung"],
    cost_center: ["cost centre", "cost center code", "kst"],
    warranty_expires_on: [
      ...["warranty expires", "warranty expiration date", "warranty expiration", "warranty until"],
      ...["hb warranty expires", "warranty end", "garantieende", "garantie", "gewährleistung bis"],
      ...["garantie endet", "garantie endet am", "warranty"],
    ],
    in_service_date: [
      ...["placed in service date", "in service", "installed", "installation date", "installed on"],
      ...["inbetriebnahme", "in betrieb genommen", "inbetriebnahmedatum", "einbaudatum"],
    ],
    end_of_life_on: [
      "planned replacement",
      "ersatz geplant",
      "eol date",
      "eol",
      "replacement date",
      "nutzungsende",
      "ersatz",
    ],
    tags: ["labels", "hb labels", "hb tags", "stichwörter"],
  },
  tasks: {
    title: ["name", "task", "work order", "work order title", "subject", "titel", "aufgabe"],
    task_number: ["number", "work order number", "aufgabennummer", "auftragsnummer"],
    asset_id: ["asset", "asset tag", "inventory number", "asset name", "inventarnummer"],
    workspace_id: ["location", "location name", "site", "standort", "bereich"],
    state: ["status"],
    type: ["task type", "category", "typ"],
    priority: ["urgency", "dringlichkeit"],
    due_date: [
      ...["due", "due on", "deadline", "starts on", "fällig", "fällig am", "fälligkeit", "termin"],
      ...["frist", "fälligkeitsdatum"],
    ],
    assigned_to_user_id: [
      ...["responsible", "assigned to", "primary user", "primary user email", "zugewiesen an"],
      ...["bearbeiter", "verantwortlich"],
    ],
    estimated_minutes: ["estimated time", "estimated duration in minutes", "geplante minuten"],
    procedure: ["checklist template", "procedure name", "arbeitsanweisung"],
    completed_at: ["completed", "completed on", "date completed", "abgeschlossen am"],
    completion_notes: ["what was found and done", "feedback", "completion note"],
    labor_cost: ["labour cost", "labour", "labor", "arbeitskosten", "lohn"],
    failure_cause: ["cause of failure"],
    requires_downtime: ["takes asset out of use", "needs the asset out of use", "asset out of use"],
    parts_cost: ["parts", "material", "material cost", "ersatzteilkosten", "ersatzteile"],
    currency: ["currency code", "währung"],
  },
  people: {
    email: ["email address", "e mail", "mail", "user email", "e mail adresse", "mailadresse"],
    workspace_id: ["workspace name", "location", "team", "bereich", "standort"],
    workspace_role: ["role in the workspace", "role", "rolle"],
    organization_role: ["role in the organization"],
    message: ["note"],
  },
  workspaces: {
    name: ["workspace", "location", "location name", "site", "title", "hb name", "bereich"],
    description: ["notes", "bemerkung"],
    address: ["address 1", "street", "adresse", "anschrift"],
  },
};

/** Identifies the program that exported a file, by headings that only its exports have. */
const layouts: readonly (readonly [name: string, headings: readonly string[]])[] = [
  ["Snipe-IT", ["asset tag"]],
  ["Homebox", ["hb name"]],
  ["Shelf", ["title", "custodian"]],
  ["Atlas CMMS", ["primary user email"]],
  ["Atlas CMMS", ["barcode", "area"]],
];

const abbreviations: Record<string, string> = {
  no: "nr",
  num: "nr",
  nummer: "nr",
  number: "nr",
  "#": "nr",
  inv: "inventory",
  comment: "comments",
  remark: "remarks",
  centre: "center",
  labour: "labor",
};

/** Lowercase, without separators: "Serial number", "SerialNo." and "serial #" are equal. */
function toKey(heading: string): string {
  const letters = withoutMarks(heading.toLowerCase().replaceAll("ß", "ss"));
  const words = letters.match(/[\p{L}\p{N}]+|#/gu) ?? [];
  const key = words.map((word) => abbreviations[word] ?? word).join("");
  return key.replace(/(number|nummer)$/, "nr");
}

/** Returns the keys with and without umlauts. */
function toKeys(heading: string): string[] {
  return [toKey(heading), toKey(heading.replaceAll(/[äöü]/gi, "$&e"))];
}

/** Headings of a field, the best first. */
export function knownHeadings(
  kind: ImportKind,
  field: string,
  { labelsOf }: Pick<ImportWords, "labelsOf">,
): string[] {
  return [toHeading(field), field, ...labelsOf(field), ...(otherHeadings[kind][field] ?? [])];
}

/** Returns the field of each column, or null for ignored columns. Each field occurs once. */
export function guessColumns(
  kind: ImportKind,
  headings: readonly string[],
  known: Pick<ImportWords, "labelsOf">,
): (string | null)[] {
  const keys = headings.map((heading) => [toKey(heading), toKey(splitHeading(heading).name)]);
  const columns: (string | null)[] = headings.map(() => null);
  const ranks = Object.entries(importFields[kind]).map(([name, { kind: of }]) => ({
    name,
    // Headings of amounts also contain the currency.
    variants: of === "amount" ? 2 : 1,
    words: knownHeadings(kind, name, known),
  }));
  // The best match of every field comes before weaker matches.
  const most = Math.max(...ranks.map(({ words }) => words.length));
  for (let rank = 0; rank < most; rank += 1) {
    for (const { name, variants, words } of ranks) {
      const wanted = toKeys(words[rank] ?? "");
      const at = keys.findIndex((own) =>
        own.slice(0, variants).some((key) => key !== "" && wanted.includes(key)),
      );
      if (at !== -1 && columns[at] === null && !columns.includes(name)) columns[at] = name;
    }
  }
  return columns;
}

export function guessLayout(headings: readonly string[]): string | undefined {
  const present = new Set(headings.map(toKey));
  return layouts.find(([, all]) => all.every((heading) => present.has(toKey(heading))))?.[0];
}
