import type { EntitySchemaColumnOptions } from "typeorm";

type OnDelete = "CASCADE" | "RESTRICT" | "SET NULL";

export interface ColumnOptions extends EntitySchemaColumnOptions {
  /** `table` or `table.column`, without a column its id. */
  references?: { target: string; onDelete?: OnDelete };
  /** The values that a CHECK named after the column allows. */
  values?: readonly string[];
}

/** A column whose rows hold a `Value`. */
export class Column<Value> {
  /** For the type alone. */
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
   * A foreign key. Between tables with an organization it carries the organization. TypeORM has no
   * word for `SET NULL (column)`, which such a key then has in the migration.
   */
  references(target: string, onDelete?: OnDelete): Column<Value> {
    return new Column({
      ...this.options,
      references: { target, ...(onDelete !== undefined && { onDelete }) },
    });
  }
}

export const text = <Value extends string = string>() => new Column<Value>({ type: "text" });
/** Text that compares without regard to case. */
export const citext = () => new Column<string>({ type: "citext" });
export const texts = () => new Column<string[]>({ type: "text", array: true });
export const integer = () => new Column<number>({ type: "integer" });
/** As text: it may be larger than a number can be. */
export const bigint = () => new Column<string>({ type: "bigint" });
export const flag = () => new Column<boolean>({ type: "boolean" });
export const bytes = () => new Column<Buffer>({ type: "bytea" });
export const instant = () => new Column<Date>({ type: "timestamptz" });
export const instants = () => new Column<Date[]>({ type: "timestamptz", array: true });
/** When the row is added. */
export const instantNow = () =>
  new Column<Date>({ type: "timestamptz", default: () => "fettle_now()" });
/** YYYY-MM-DD */
export const day = () => new Column<string>({ type: "date" });
/** Of any size, exact: as text. */
export const numeric = () => new Column<string>({ type: "numeric" });
/** Money in units of its currency, with four decimals. */
export const amount = () =>
  new Column<number>({ type: "numeric", precision: 16, scale: 4, transformer: toNumber });
/** A count with two decimals. */
export const decimal = (precision: number) =>
  new Column<number>({ type: "numeric", precision, scale: 2, transformer: toNumber });
const toNumber = {
  to: (value: number | null) => value,
  from: (text: string | null) => (text === null ? null : Number(text)),
};
/** ISO 4217 code. */
export const currency = () => new Column<string>({ type: "char", length: 3 });
export const json = <Value = Record<string, unknown>>() => new Column<Value>({ type: "jsonb" });
/** One value of an enumeration, which a CHECK repeats. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  new Column<Values[number]>({ type: "text", values });
