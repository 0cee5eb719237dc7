import { CsvError } from "csv-parse";
import { liveAssetStates, assetStates } from "../../db/entities/asset.js";
import { taskStates } from "../../db/entities/maintenance-task.js";
import type { Field } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import { toTimestamp } from "../values/dates.js";
import { fromGuarded, fromListCell } from "../sheets/cell-texts.js";
import { maxSpelling } from "../values/text.js";
import type { ImportKind } from "./import-kinds.js";
import { importFields } from "./import-kinds.js";

/** The values of a row by field; what is empty is absent. */
export type RowValues = Partial<Record<string, unknown>>;

/** The values of a row, and what of it cannot be understood. */
export interface ReadRow {
  values: RowValues;
  errors: AppError[];
}

/** The same with its place in the file. */
export interface NumberedRow extends ReadRow {
  line: number;
}

/** What people write into a cell that has no value. */
const nothing = /^(#?n\/a|-+|[–—?]|null)?$/i;

/** Reads the cells of a row by what their columns are for. */
export function readRow(
  kind: ImportKind,
  columns: readonly (string | null)[],
  cells: readonly string[],
): ReadRow {
  const values: RowValues = {};
  const errors: AppError[] = [];
  for (const [at, name] of columns.entries()) {
    const text = fromGuarded(cells[at] ?? "").trim();
    const field = name === null ? undefined : importFields[kind][name];
    if (name === null || field === undefined || nothing.test(text)) continue;
    try {
      requireShort(name, field, text);
      const value = readCell(kind, name, field, text);
      if (value !== undefined) values[name] = value;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(error);
    }
  }
  return { values, errors };
}

/** No tags, and no other values, that can be stored are longer. */
const maxTags = 1000;
const maxOther = 100;

/** A cell far longer than its field is refused unread: to understand it would take long, row after row. */
function requireShort(field: string, { kind, max: most }: Field, text: string): void {
  const isText = kind === "text" || kind === "reference";
  const max = isText ? (most ?? maxOther) : kind === "tags" ? maxTags : maxOther;
  if (text.length <= maxSpelling * max) return;
  throw new AppError("validation_failed", "too_long", { field, max });
}

function readCell(kind: ImportKind, name: string, field: Field, text: string): unknown {
  switch (field.kind) {
    case "day":
      return readDay(name, text);
    case "amount":
      return readAmount(name, text);
    case "minutes":
      return readNumber(name, text, /^\d{1,7}$/, "90");
    case "flag":
      return readFlag(name, text);
    case "tags":
      return readTags(name, text);
    case "choice":
      return readChoice(name, text, choicesOf(kind, name, field));
    case "text":
    case "reference":
    case "currency":
      return name === "completed_at" ? readMoment(name, text) : text;
  }
}

function readTags(name: string, text: string): string[] {
  try {
    return fromListCell(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuse(name, text, '"Safety, critical", Roof');
  }
}

function readMoment(name: string, text: string): string {
  const at = new Date(text);
  const isMoment = isoDay.test(text) && !Number.isNaN(at.getTime());
  return isMoment ? toTimestamp(at) : refuse(name, text, "2026-11-21T14:30:00Z");
}

export function refuse(field: string, text: string, example: string): never {
  throw new AppError("validation_failed", "cell_not_understood", { field, text, example });
}

const isoDay = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/;
const dottedDay = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const slashedDay = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Days as they are written here and there; one that could be either of two is refused. */
function readDay(name: string, text: string): string | undefined {
  const iso = isoDay.exec(text);
  if (iso !== null) return toDay(name, text, [iso[1], iso[2], iso[3]]);
  const dotted = dottedDay.exec(text);
  if (dotted !== null) return toDay(name, text, [dotted[3], dotted[2], dotted[1]]);
  const slashed = slashedDay.exec(text);
  if (slashed === null) return refuse(name, text, "2026-11-21");
  const [, first = "", second = "", year] = slashed;
  if (Number(first) > 12) return toDay(name, text, [year, second, first]);
  if (Number(second) > 12 || first === second) return toDay(name, text, [year, first, second]);
  return refuse(name, text, "2026-11-21");
}

function toDay(
  name: string,
  text: string,
  [year = "", month = "", day = ""]: (string | undefined)[],
): string | undefined {
  // Other programs write so that there is none.
  if (year === "0000" || year === "0001") return undefined;
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = new Date(`${iso}T00:00:00Z`);
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso);
  return isDay ? iso : refuse(name, text, "2026-11-21");
}

/** The last sign is that of the decimals; a single comma before three digits, or many dots, divide thousands. */
function readAmount(name: string, text: string): number {
  const bare = text.replaceAll(/[\s\u00A0']|[\p{Sc}]|^[A-Z]{3}|[A-Z]{3}$/gu, "");
  const [comma, dot] = [bare.lastIndexOf(","), bare.lastIndexOf(".")];
  if (/^\d{1,3}(\.\d{3}){2,}$/.test(bare)) return Number(bare.replaceAll(".", ""));
  const isThousands = comma > dot ? /^\d{1,3}(,\d{3})+$/.test(bare) : comma !== -1;
  const plain = isThousands
    ? bare.replaceAll(",", "")
    : comma > dot
      ? bare.replaceAll(".", "").replace(",", ".")
      : bare;
  return readNumber(name, plain, /^\d{1,13}(\.\d{1,12})?$/, "1249.90", text);
}

function readNumber(
  name: string,
  text: string,
  shape: RegExp,
  example: string,
  shown = text,
): number {
  return shape.test(text) ? Number(text) : refuse(name, shown, example);
}

const yes = new Set(["yes", "y", "true", "1", "x", "ja"]);
const no = new Set(["no", "n", "false", "0", "nein"]);

function readFlag(name: string, text: string): boolean {
  const word = text.toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : refuse(name, text, "Yes or No");
}

function choicesOf(kind: ImportKind, name: string, field: Field): readonly string[] {
  if (name === "workspace_role") return ["admin", "member", "viewer"];
  if (name === "organization_role") return ["owner", "admin", "member"];
  if (name !== "state") return field.values ?? [];
  return kind === "assets" ? assetStates : taskStates;
}

/** What other programs, and people, call the choices. */
const synonyms: Record<string, string> = {
  ...{ retired: "deleted", archived: "deleted", disposed: "deleted", inactive: "deleted" },
  ...{ ready_to_deploy: "available", deployable: "available", in_stock: "available" },
  ...{ deployed: "in_use", in_custody: "in_use", checked_out: "in_use", operational: "in_use" },
  ...{ in_service: "in_use", running: "in_use", out_of_order: "out_of_service" },
  ...{ active: "in_use", out_for_repair: "in_maintenance", maintenance: "in_maintenance" },
  ...{ down: "out_of_service", broken: "out_of_service", standby: "stored", storage: "stored" },
  ...{ verfügbar: "available", in_betrieb: "in_use", in_wartung: "in_maintenance" },
  ...{
    defekt: "out_of_service",
    außer_betrieb: "out_of_service",
    eingelagert: "stored",
    ausgemustert: "deleted",
  },
  ...{ open: "scheduled", pending: "scheduled", overdue: "scheduled", complete: "completed" },
  ...{ done: "completed", closed: "completed", canceled: "cancelled" },
  ...{ none: "low", normal: "medium", critical: "urgent", highest: "urgent" },
};

function readChoice(name: string, text: string, choices: readonly string[]): string {
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, "_");
  const found = [word, synonyms[word]].find((one) => one !== undefined && choices.includes(one));
  return found ?? refuse(name, text, choices.join(", ").replaceAll("_", " "));
}

export const isLiveState = (state: unknown): boolean =>
  liveAssetStates.some((one) => one === state);

/** A number and a name, as far as they are there. */
export function joinTexts(...texts: unknown[]): string {
  return texts.filter((text) => typeof text === "string").join(" ");
}
