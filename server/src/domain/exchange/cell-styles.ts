import type { Field } from "../../db/fields.js";
import { languages } from "../../language/locale.js";
import { withoutMarks } from "../shared/text.js";

/** The decimal mark of a column's numbers, and the order of day and month in its dates. */
export const styles = ["comma", "point", "day_first", "month_first"] as const;
export type Style = (typeof styles)[number];

/** A cell's value in each style. Absent if it has no meaning in that style. */
export type Readings<Value> = Partial<Record<Style, Value>>;

export function stylesOf({ kind }: Field): readonly Style[] {
  if (kind === "amount" || kind === "minutes") return ["comma", "point"];
  return kind === "day" ? ["day_first", "month_first"] : [];
}

/** "1 249", "1'249": these characters only ever group digits. */
const grouping = /(?<=\d)[\s'’´](?=\d{3}(?!\d))/gu;
const whole = "(\\d{1,13}|[1-9]\\d{0,2}(G\\d{3}){1,4}|[1-9]\\d?(G\\d{2}){1,5}G\\d{3})";
const shapes = {
  comma: new RegExp(`^${whole.replaceAll("G", "\\.")}(,(\\d{1,12}|[-–—]{1,2}))?$`),
  point: new RegExp(`^${whole.replaceAll("G", ",")}(\\.(\\d{1,12}|[-–—]{1,2}))?$`),
};

/** "84.500" is 84500 with a decimal comma, and 84.5 with a decimal point. */
export function readNumbers(text: string): Readings<number> {
  const bare = text.trim().replaceAll(grouping, "");
  const readings: Readings<number> = {};
  for (const style of ["comma", "point"] as const) {
    if (!shapes[style].test(bare)) continue;
    const [decimal, group] = style === "comma" ? [",", "."] : [".", ","];
    const [units = "", decimals = "0"] = bare.replaceAll(group, "").split(decimal);
    readings[style] = Number(`${units}.${/^\d/.test(decimals) ? decimals : "0"}`);
  }
  return readings;
}

const time = "(?:[T ,].*)?";
const year = "(\\d{4}|\\d{2})";
const isoDay = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${time}$`);
const dottedDay = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.${year}${time}$`);
const slashedDay = new RegExp(`^(\\d{1,2})/(\\d{1,2})/${year}${time}$`);
/** With two digits, "15-09-25" could also start with the year. */
const dashedDay = new RegExp(`^(\\d{1,2})-(\\d{1,2})-(\\d{4})${time}$`);
const ordinal = "(?:st|nd|rd|th|er|º|ª)?";
const month = "(?:(?:de|of) )?(\\p{L}{3,12})\\.?";
/** "12. Mai 2018", "12-May-18", "1er mai 2018", "12 de mayo de 2018" */
const dayOfMonth = new RegExp(
  `^(\\d{1,2})${ordinal}[\\s.,/-]{0,3}${month}[\\s.,/-]{0,3}(?:del? )?${year}${time}$`,
  "iu",
);
/** "May 12, 2018" */
const monthAndDay = new RegExp(
  `^${month}[\\s-](\\d{1,2})${ordinal}[\\s,-]{1,2}${year}${time}$`,
  "iu",
);

export const startsWithIsoDay = (text: string): boolean => isoDay.test(text);

/**
 * "01/04/2022" is in April with the day first. With dots, the day always comes first. A month's
 * name leaves no doubt.
 */
export function readDays(text: string): Readings<string> {
  const [, isoYear, isoMonth, isoDate] = isoDay.exec(text) ?? [];
  if (isoYear !== undefined) return inBoth(toDay(isoYear, isoMonth, isoDate));
  const [, dottedDate, dottedMonth, dottedYear] = dottedDay.exec(text) ?? [];
  if (dottedYear !== undefined) return inBoth(toDay(dottedYear, dottedMonth, dottedDate));
  const [, date, nameAfter, yearAfter] = dayOfMonth.exec(text) ?? [];
  if (yearAfter !== undefined) return inBoth(toDay(yearAfter, findMonth(nameAfter), date));
  const [, nameBefore, dateAfter, yearLast] = monthAndDay.exec(text) ?? [];
  if (yearLast !== undefined) return inBoth(toDay(yearLast, findMonth(nameBefore), dateAfter));
  const [, first, second, lastYear] = slashedDay.exec(text) ?? dashedDay.exec(text) ?? [];
  return {
    ...asReading("day_first", toDay(lastYear, second, first)),
    ...asReading("month_first", toDay(lastYear, first, second)),
  };
}

const monthNames = [...languages, "de-AT"].flatMap((language) => {
  const months = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
  return Array.from({ length: 12 }, (_, at) => ({
    name: toMonthKey(months.format(Date.UTC(2000, at))),
    number: String(at + 1),
  }));
});

function toMonthKey(name: string): string {
  // Spreadsheets in German shorten "März" to "Mrz".
  return withoutMarks(name.toLowerCase()).replace(/^mrz$/, "marz");
}

/** Accepts each shorter form that only one month has. */
function findMonth(name = ""): string | undefined {
  const key = toMonthKey(name);
  const fitting = monthNames.filter((one) => one.name.startsWith(key));
  const exact = fitting.filter((one) => one.name === key);
  const found = new Set((exact.length > 0 ? exact : fitting).map(({ number }) => number));
  return found.size === 1 ? [...found][0] : undefined;
}

const inBoth = (day: string | undefined) => ({
  ...asReading("day_first", day),
  ...asReading("month_first", day),
});

function asReading<Value>(style: Style, value: Value | undefined): Readings<Value> {
  return value === undefined ? {} : { [style]: value };
}

/** Two digits are a year from 1980 to 2079. */
function toDay(given = "", month = "", day = ""): string | undefined {
  const year = given.length === 2 ? `${Number(given) < 80 ? 20 : 19}${given}` : given;
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = new Date(`${iso}T00:00:00Z`);
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso);
  return isDay ? iso : undefined;
}

export function valuesOf<Value>(readings: Readings<Value>): Value[] {
  return [...new Set(Object.values(readings))];
}

export interface UnclearColumn {
  sample: string;
  /** The style that the column's other cells show. */
  shown: Style | null;
}

/** Detects a column's style from the cells that have only one meaning. */
export interface ColumnStyle {
  add: (text: string, readings: Readings<unknown>) => void;
  /** Adds an amount's currency. Undefined if none is written. */
  addCurrency: (currency: string | undefined) => void;
  /** The only currency in a column where other amounts have none. */
  currency: () => string | null;
  /** Adds a sign that can mean several currencies. */
  addSharedSign: (sign: string) => void;
  /** The first of these signs. */
  sharedSign: () => string | null;
  shown: () => Style | null;
  unclear: () => UnclearColumn | null;
}

export function createColumnStyle(): ColumnStyle {
  const found = new Set<Style>();
  const currencies = new Set<string | undefined>();
  let sample: string | undefined;
  let shared: string | undefined;
  const shown = () => (found.size === 1 ? ([...found][0] ?? null) : null);
  return {
    add: (text, readings) => {
      const [style, other] = styles.filter((one) => readings[one] !== undefined);
      if (valuesOf(readings).length > 1) sample ??= text;
      else if (style !== undefined && other === undefined) found.add(style);
    },
    addCurrency: (currency) => currencies.add(currency),
    addSharedSign: (sign) => (shared ??= sign),
    sharedSign: () => shared ?? null,
    currency: () => {
      const [written, other] = [...currencies].filter((one) => one !== undefined);
      if (written === "unclear") return null;
      return other === undefined && currencies.has(undefined) ? (written ?? null) : null;
    },
    shown,
    unclear: () => (sample === undefined ? null : { sample, shown: shown() }),
  };
}
