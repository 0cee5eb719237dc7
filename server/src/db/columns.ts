import type { EntitySchemaColumnOptions } from "typeorm";

type OnDelete = "CASCADE" | "RESTRICT" | "SET NULL";

export interface ColumnOptions extends EntitySchemaColumnOptions {
  /** `table` or `table.column`. The column defaults to `id`. */
  references?: { target: string; onDelete?: OnDelete };
  /** Values that a CHECK named after the column allows. */
  values?: readonly string[];
}

export class Column<Value> {
  /** Exists only for type inference. */
  declare readonly value: Value;
  readonly options: ColumnOptions;

  constructor(options: ColumnOptions) {
    this.options = options;
  }

  nullable(): Column<Value | null> {
    return new Column({ ...this.options, nullable: true });
  }

  primary(): Column<Value> {
    return new Column({ ...this.options, primary: true });
  }

  generated(): Column<Value> {
    return new Column({ ...this.options, generated: "increment" });
  }

  default(value: Value): Column<Value> {
    return new Column({ ...this.options, default: value });
  }

  /**
   * A foreign key. Between tables with an organization it includes the organization. TypeORM can't
   * express `SET NULL (column)`, so the migration declares it.
   */
  references(target: string, onDelete?: OnDelete): Column<Value> {
    return new Column({
      ...this.options,
      references: { target, ...(onDelete !== undefined && { onDelete }) },
    });
  }
}

export const text = <Value extends string = string>() => new Column<Value>({ type: "text" });
export const citext = () => new Column<string>({ type: "citext" });
export const texts = () => new Column<string[]>({ type: "text", array: true });
export const integer = () => new Column<number>({ type: "integer" });
export const integers = () => new Column<number[]>({ type: "integer", array: true });
/** A string, because values can exceed a JavaScript number. */
export const bigint = () => new Column<string>({ type: "bigint" });
export const flag = () => new Column<boolean>({ type: "boolean" });
export const bytes = () => new Column<Buffer>({ type: "bytea" });
export const instant = () => new Column<Date>({ type: "timestamptz" });
export const instants = () => new Column<Date[]>({ type: "timestamptz", array: true });
/** Defaults to the time of the insert. */
export const instantNow = () =>
  new Column<Date>({ type: "timestamptz", default: () => "app_now()" });
/** YYYY-MM-DD */
export const day = () => new Column<string>({ type: "date" });
/** Exact, of any size. A string in JavaScript. */
export const numeric = () => new Column<string>({ type: "numeric" });
/** Money in units of its currency, with four decimals. */
export const amount = () =>
  new Column<number>({ type: "numeric", precision: 16, scale: 4, transformer: toNumber });
export const decimal = (precision: number) =>
  new Column<number>({ type: "numeric", precision, scale: 2, transformer: toNumber });
const toNumber = {
  to: (value: number | null) => value,
  from: (text: string | null) => (text === null ? null : Number(text)),
};
/** ISO 4217 code. */
export const currency = () => new Column<string>({ type: "char", length: 3 });
export const json = <Value = Record<string, unknown>>() => new Column<Value>({ type: "jsonb" });
/** A value of an enumeration, enforced by a CHECK. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  new Column<Values[number]>({ type: "text", values });
