import * as columns from "./columns.js";

/*
 * What people enter about a record is declared once, beside its entity. Types and columns follow
 * here, cleaning in `domain/shared/clean-fields.ts`, the parameters of tools in `mcp/record-schemas.ts`, and the
 * controls of forms in `web/forms/field-control.tsx`.
 */

export interface Field {
  kind:
    "text" | "reference" | "currency" | "day" | "amount" | "minutes" | "flag" | "choice" | "tags";
  /** Characters of a text, entries of a list, or the largest number. */
  max?: number;
  /** Whether line breaks may be in it. */
  multiline?: true;
  values?: readonly string[];
  /** Never empty once it is stored. */
  required?: true;
  /** False for what can be corrected but not be unknown again. */
  clearable?: false;
  /** What is stored where nothing is given. */
  default?: string;
}

export type Fields = Readonly<Record<string, Field>>;

type Rule = Pick<Field, "required" | "clearable">;

/** Sums of minutes stay within what the database counts with: a year. */
const maxMinutes = 525_600;

/** What numeric(16,4) takes. */
const maxAmount = 999_999_999_999.9999;

export const field = {
  text: <const R extends Rule & { max: number; multiline?: true }>(rule: R) =>
    ({ kind: "text", ...rule }) as const,
  /** Names another record, or a name that rules of its own decide on; `max` is of what is typed. */
  reference: <const R extends Rule & { max: number }>(rule: R) =>
    ({ kind: "reference", ...rule }) as const,
  currency: () => ({ kind: "currency", max: 3 }) as const,
  /** A calendar day, "YYYY-MM-DD". */
  day: () => ({ kind: "day" }) as const,
  /** Of money, with four decimals. */
  amount: <const R extends Rule>(rule?: R) =>
    ({ kind: "amount", max: maxAmount, ...rule }) as { kind: "amount"; max: number } & R,
  minutes: <const R extends Rule>(rule?: R) =>
    ({ kind: "minutes", max: maxMinutes, ...rule }) as { kind: "minutes"; max: number } & R,
  /** Yes or no; no when nothing is said. */
  flag: () => ({ kind: "flag", required: true }) as const,
  choice: <const V extends readonly string[], const R extends Rule & { default?: V[number] }>(
    values: V,
    rule?: R,
  ) => ({ kind: "choice", values, ...rule }) as { kind: "choice"; values: V } & R,
  tags: () => ({ kind: "tags", max: 20 }) as const,
};

export type FieldValue<F> = F extends { values: readonly (infer Choice)[] }
  ? Choice
  : F extends { kind: "amount" | "minutes" }
    ? number
    : F extends { kind: "flag" }
      ? boolean
      : F extends { kind: "tags" }
        ? string[]
        : string;

/** What may be asked for: a field that is absent or undefined stays as it is. */
export type Given<F extends Fields> = { [Name in keyof F]?: FieldValue<F[Name]> | undefined };

type PlainName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { kind: "reference" } ? never : Name;
}[keyof F];

/** What is stored in columns of the same name: every field that refers to nothing else. */
export type Stored<F extends Fields> = {
  [Name in PlainName<F>]:
    FieldValue<F[Name]> | (F[Name] extends { required: true } | { kind: "tags" } ? never : null);
};

type ClearableName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { required: true } | { clearable: false } ? never : Name;
}[keyof F] &
  string;

/** The columns of every field that refers to nothing else. */
export function columnsOf<F extends Fields>(
  fields: F,
): { [Name in PlainName<F>]: columns.Column<Stored<F>[Name]> } {
  const entries = plainFields(fields).map(([name, field]) => [name, toColumn(field)]);
  return Object.fromEntries(entries) as ReturnType<typeof columnsOf<F>>;
}

const columnKinds = {
  text: columns.text,
  reference: columns.text,
  currency: columns.currency,
  day: columns.day,
  amount: columns.amount,
  minutes: columns.integer,
  flag: columns.flag,
  tags: columns.texts,
};

function toColumn(field: Field): columns.Column<unknown> {
  const { kind, values = [], required } = field;
  const column: columns.Column<unknown> =
    kind === "choice" ? columns.oneOf(values) : columnKinds[kind]();
  const start = startValue(field);
  if (start !== null) return column.default(start);
  return required === true ? column : column.nullable();
}

/** Fields with a column of the same name. */
export function plainFields(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields).filter(([, { kind }]) => kind !== "reference");
}

/** Fields that can be emptied. */
export function clearableNames<F extends Fields>(fields: F): ClearableName<F>[] {
  return Object.entries(fields)
    .filter(([, { required, clearable }]) => required !== true && clearable !== false)
    .map(([name]) => name as ClearableName<F>);
}

/** What is stored where nothing is given. */
export function startValue({ kind, default: preset }: Field): unknown {
  if (kind === "tags") return [];
  return kind === "flag" ? false : (preset ?? null);
}
