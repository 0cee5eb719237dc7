import { z } from "zod";
import { instantIn, localTimeIn } from "../../domain/shared/dates.js";
import { idKindOf, type IdKind } from "../../domain/shared/ids.js";
import { numberFormat } from "../../language/formats.js";
import { currentTimeZone } from "../../language/locale.js";
import { lazily, t, type Words } from "../../language/translate.js";
import type { FormError } from "../layout/error-summary.js";
import { countOf, formatMinutes } from "../text/format.js";
import { readMinutes, readNumber } from "./typed-numbers.js";

/** Converts the text of a form field to the domain's value. */
export interface FormField<Value> {
  label: () => string;
  /** Receives text that is not empty. Throws a `Problem` for invalid text. */
  read: (text: string) => Value;
  /** The error for an empty field. Without it, the field is optional. */
  missing?: () => string;
  /** True if the field names an asset. Other text then finds assets to choose from. */
  namesAsset?: boolean;
  /** True if the field is invisible, so it can't show an error. */
  isHidden?: boolean;
}

export type FormFields = Record<string, FormField<unknown>>;

/** The values of a form by field name. Empty fields are absent. */
export type Given<Fields> = {
  [Name in keyof Fields]?: ValueOf<Fields[Name]>;
};

export type Values<Fields> = Partial<Record<keyof Fields & string, string>>;

type ValueOf<Field> = Field extends FormField<infer Value> ? Value : never;

/** The values of a form without missing fields. */
export type Complete<Fields> = Given<Fields> & {
  [Name in keyof Fields as Fields[Name] extends { missing: () => string } ? Name : never]: ValueOf<
    Fields[Name]
  >;
};

/** The reason that a field's text is refused, as a whole sentence. */
export class Problem extends Error {}

export interface ReadForm<Fields> {
  /** All input as typed, to show it again. */
  values: Record<keyof Fields & string, string>;
  given: Given<Fields>;
  errors: FormError[];
}

/**
 * Reads a posted form. Checks only the form's own rules: a number, a day, one of the choices.
 * Lengths, characters and everything else are rules of the domain.
 */
export function readForm<Fields extends FormFields>(
  body: unknown,
  fields: Fields,
): ReadForm<Fields> {
  const values = readFields(body, Object.keys(fields));
  const given: Record<string, unknown> = {};
  const errors: FormError[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const text = values[name] ?? "";
    try {
      if (text.trim() !== "") given[name] = field.read(text);
      else if (field.missing !== undefined) throw new Problem(field.missing());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      errors.push({ field: name, message: error.message });
    }
  }
  return { values, given, errors } as ReadForm<Fields>;
}

/** A required field: `missing` is a whole sentence, such as "Enter a name." */
export function required<Value>(
  field: FormField<Value>,
  missing: Words,
): FormField<Value> & { missing: () => string } {
  return { ...field, missing: lazily(missing) };
}

/** A text that the page itself adds to the form. */
export const hiddenField: FormField<string> = {
  label: () => "",
  read: (text) => text,
  isHidden: true,
};

/** Any text. The domain trims it and checks its length. */
export function textField(label: Words): FormField<string> {
  return { label: lazily(label), read: (text) => text };
}

export function choiceField<const Choice extends string>(
  label: Words,
  choices: readonly Choice[],
): FormField<Choice> {
  return {
    label: lazily(label),
    read(text) {
      const choice = choices.find((one) => one === text);
      if (choice === undefined)
        throw new Problem(t("{label}: choose one from the list.", { label: this.label() }));
      return choice;
    },
  };
}

const isoDay = z.iso.date();

/** A calendar day, "YYYY-MM-DD", as date inputs post it. */
export function dayField(label: Words): FormField<string> {
  return {
    label: lazily(label),
    read(text) {
      const day = text.trim();
      if (isoDay.safeParse(day).success && day >= "0001-01-01") return day;
      throw new Problem(
        t("{label} isn't a date. Use year, month, day: 2026-11-21.", {
          label: this.label(),
        }),
      );
    },
  };
}

const localTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(\.\d+)?)?$/;

/** An instant, from a "datetime-local" input in the reader's time zone. */
export function momentField(label: Words): FormField<Date> {
  return {
    label: lazily(label),
    read(text) {
      const [, day = "", time = ""] = localTime.exec(text.trim()) ?? [];
      const isDay = isoDay.safeParse(day).success && day >= "1900-01-01";
      if (isDay && time < "24:00" && time.slice(3) < "60") {
        return instantIn(currentTimeZone(), `${day}T${time}`);
      }
      throw new Problem(
        t("{label} isn't a date and time. Use 2026-11-21 14:30.", { label: this.label() }),
      );
    },
  };
}

/** Formats an instant for a "datetime-local" input. */
export function toLocalTime(at: Date): string {
  return localTimeIn(currentTimeZone(), at);
}

/**
 * An asset's inventory number, one line. Refuses characters that no number contains. Other text is
 * searched for, and the results are offered.
 */
export function assetField(label: Words): FormField<string> {
  return {
    label: lazily(label),
    namesAsset: true,
    read(text) {
      if (!/\p{Cc}/u.test(text.trim())) return text.trim();
      throw new Problem(
        t("{label} must be one line without control characters.", { label: this.label() }),
      );
    },
  };
}

export function idField(label: Words, kind: IdKind): FormField<string> {
  return {
    label: lazily(label),
    read(text) {
      if (idKindOf(text) === kind) return text;
      throw new Problem(t("{label}: choose one from the list.", { label: this.label() }));
    },
  };
}

export function wholeField(label: Words, { min = 0, max = 1_000_000_000 } = {}): FormField<number> {
  return {
    label: lazily(label),
    read(text) {
      const number = Number(text.trim());
      if (Number.isInteger(number) && number >= min && number <= max) return number;
      throw new Problem(
        t("{label} must be a whole number from {min} to {max}.", { label: this.label(), min, max }),
      );
    },
  };
}

/** An amount of money or a meter value, not negative. */
export function numberField(label: Words, { decimals = 4 } = {}): FormField<number> {
  return {
    label: lazily(label),
    read(text) {
      const number = readNumber(text);
      if (number !== undefined && isWithin(number, decimals)) return number;
      if (/^\s*[-−]\s*\d/.test(text)) {
        throw new Problem(t("{field} must not be negative.", { field: this.label() }));
      }
      const example = numberFormat({ useGrouping: false, minimumFractionDigits: 2 }).format(1249.9);
      throw new Problem(
        t("{label} must be a number like {example}, without a thousands separator.", {
          label: this.label(),
          example,
        }),
      );
    },
  };
}

/** Below 10^13, with at most `decimals` decimals. */
function isWithin(number: number, decimals: number): boolean {
  return number < 1e13 && Number(number.toFixed(decimals)) === number;
}

export function minutesField(label: Words, max = 1_000_000_000): FormField<number> {
  return {
    label: lazily(label),
    read(text) {
      const minutes = readMinutes(text);
      if (minutes !== undefined && minutes <= max) return minutes;
      throw new Problem(
        t("{label}: enter minutes (90) or hours (1:30), up to {max}.", {
          label: this.label(),
          max: max % 1440 === 0 ? countOf(max / 1440, "day") : formatMinutes(max),
        }),
      );
    },
  };
}

/** A checkbox. Absent if it is not selected. */
export function checkboxField(label: Words): FormField<true> {
  return { label: lazily(label), read: () => true };
}

export function listField(label: Words, divider: "," | "\n"): FormField<string[]> {
  return {
    label: lazily(label),
    read: (text) =>
      text
        .split(divider)
        .map((part) => part.trim())
        .filter((part) => part !== ""),
  };
}

/** The named texts of a posted form or a query. Missing and repeated ones are empty. */
export function readFields<Name extends string>(
  source: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const texts = names.map((name) => [name, readText(source, name)]);
  return Object.fromEntries(texts) as Record<Name, string>;
}

export function readText(source: unknown, name: string): string {
  const value = valueOf(source, name);
  return typeof value === "string" ? value : "";
}

/** All values of a name that may repeat, such as checkboxes. */
export function readAll(source: unknown, name: string): string[] {
  const values: unknown[] = [valueOf(source, name)].flat();
  return values.filter((one) => typeof one === "string");
}

/** The single-value fields that were posted several times. */
export function findRepeated(body: unknown, fields: FormFields): FormError[] {
  return Object.entries(fields)
    .filter(([name]) => isRepeated(body, name))
    .map(([name, { label }]) => ({ field: name, message: repeatedField(label() || name) }));
}

/** True if a single-value name came with several values. None of them counts. */
export function isRepeated(source: unknown, name: string): boolean {
  return Array.isArray(valueOf(source, name));
}

export function repeatedField(label: string): string {
  return t("{label} was sent more than once. Send it once.", { label });
}

function valueOf(source: unknown, name: string): unknown {
  if (typeof source !== "object" || source === null) return undefined;
  return Object.hasOwn(source, name) ? (source as Record<string, unknown>)[name] : undefined;
}
