import * as columns from "./columns.js";

/*
 * Fields that people enter for a record are declared once, beside its entity. Types and columns are
 * derived here, cleaning in `domain/shared/clean-fields.ts`, tool parameters in
 * `mcp/record-schemas.ts`, and form controls in `web/forms/field-control.tsx`.
 */

export interface Field {
  kind:
    "text" | "reference" | "currency" | "day" | "amount" | "minutes" | "flag" | "choice" | "tags";
  /** Maximum characters of a text, entries of a list, or value of a number. */
  max?: number;
  multiline?: true;
  values?: readonly string[];
  /** Never empty once stored. */
  required?: true;
  /** False if the value can be corrected but not cleared. */
  clearable?: false;
  default?: string;
}

export type Fields = Readonly<Record<string, Field>>;

type Rule = Pick<Field, "required" | "clearable">;

/** A year, so sums of minutes stay within the database's number range. */
const maxMinutes = 525_600;

/** Maximum of numeric(16,4). */
const maxAmount = 999_999_999_999.9999;

export const field = {
  text: <const R extends Rule & { max: number; multiline?: true }>(rule: R) =>
    ({ kind: "text", ...rule }) as const,
  /** Refers to another record, or is a name with special rules. `max` limits the typed text. */
  reference: <const R extends Rule & { max: number }>(rule: R) =>
    ({ kind: "reference", ...rule }) as const,
  currency: () => ({ kind: "currency", max: 3 }) as const,
  /** A calendar day, "YYYY-MM-DD". */
  day: () => ({ kind: "day" }) as const,
  /** Money, with four decimals. */
  amount: <const R extends Rule>(rule?: R) =>
    ({ kind: "amount", max: maxAmount, ...rule }) as { kind: "amount"; max: number } & R,
  minutes: <const R extends Rule>(rule?: R) =>
    ({ kind: "minutes", max: maxMinutes, ...rule }) as { kind: "minutes"; max: number } & R,
  /** Yes or no. Defaults to no. */
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

/** Requested values. An absent or undefined field is unchanged. */
export type Given<F extends Fields> = { [Name in keyof F]?: FieldValue<F[Name]> | undefined };

type PlainName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { kind: "reference" } ? never : Name;
}[keyof F];

/** Stored values: every field except references, in a column with the field's name. */
export type Stored<F extends Fields> = {
  [Name in PlainName<F>]:
    FieldValue<F[Name]> | (F[Name] extends { required: true } | { kind: "tags" } ? never : null);
};

type ClearableName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { required: true } | { clearable: false } ? never : Name;
}[keyof F] &
  string;

/** Returns the columns of all fields except references. */
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

/** Returns the fields that have a column with their name. */
export function plainFields(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields).filter(([, { kind }]) => kind !== "reference");
}

export function clearableNames<F extends Fields>(fields: F): ClearableName<F>[] {
  return Object.entries(fields)
    .filter(([, { required, clearable }]) => required !== true && clearable !== false)
    .map(([name]) => name as ClearableName<F>);
}

/** Returns the value to store if none is given. */
export function startValue({ kind, default: preset }: Field): unknown {
  if (kind === "tags") return [];
  return kind === "flag" ? false : (preset ?? null);
}
