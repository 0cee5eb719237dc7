import { z } from "zod";
import { instantIn, localTimeIn } from "../../domain/shared/dates.js";
import { idKindOf, type IdKind } from "../../domain/shared/ids.js";
import { numberFormat } from "../../language/formats.js";
import { currentTimeZone } from "../../language/locale.js";
import { lazily, t, type Words } from "../../language/translate.js";
import type { FormError } from "../layout/error-summary.js";
import { readMinutes, readNumber } from "./typed-numbers.js";

/** How the text of a form field becomes the value that the domain takes. */
export interface FormField<Value> {
  /** What the person reads above the field. */
  label: () => string;
  /** Of a text that is not empty; throws a `Problem` for what it cannot be. */
  read: (text: string) => Value;
  /** What to say when nothing was entered; without it the field may be empty. */
  missing?: () => string;
  /** It names an asset, so that other words find some to choose from. */
  namesAsset?: boolean;
  /** Nobody sees it, so nothing can be said at it. */
  isHidden?: boolean;
}

export type FormFields = Record<string, FormField<unknown>>;

/** The values of a form by field name; what was left empty is absent. */
export type Given<Fields> = {
  [Name in keyof Fields]?: ValueOf<Fields[Name]>;
};

/** The texts of a form by field name. */
export type Values<Fields> = Partial<Record<keyof Fields & string, string>>;

type ValueOf<Field> = Field extends FormField<infer Value> ? Value : never;

/** The values of a form in which nothing is missing. */
export type Complete<Fields> = Given<Fields> & {
  [Name in keyof Fields as Fields[Name] extends { missing: () => string } ? Name : never]: ValueOf<
    Fields[Name]
  >;
};

/** Why the text of a field is refused: a whole sentence. */
export class Problem extends Error {}

export interface ReadForm<Fields> {
  /** Everything as it was typed, to show it again. */
  values: Record<keyof Fields & string, string>;
  given: Given<Fields>;
  errors: FormError[];
}

/**
 * Reads a posted form. Only what the form itself decides is decided here (is it a number, a day, one
 * of the choices); lengths, characters and everything else are rules of the domain.
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

/** A text that the page itself puts into the form. */
export const hiddenField: FormField<string> = {
  label: () => "",
  read: (text) => text,
  isHidden: true,
};

/** Any text; the domain trims it and checks its length. */
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

/** A calendar day, "YYYY-MM-DD", which is what date inputs post. */
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

/** A date with a clock time of the reader's, which is what "datetime-local" inputs post; an instant. */
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

/** An instant as such an input shows it. */
export function toLocalTime(at: Date): string {
  return localTimeIn(currentTimeZone(), at);
}

/**
 * The number of an asset, one line: what no number has in it is refused here. What is none is looked
 * for, and what is found is offered.
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

/** One of a list of things by their ids. */
export function idField(label: Words, kind: IdKind): FormField<string> {
  return {
    label: lazily(label),
    read(text) {
      if (idKindOf(text) === kind) return text;
      throw new Problem(t("{label}: choose one from the list.", { label: this.label() }));
    },
  };
}

/** A whole number. */
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

/** An amount of money, or what a meter shows; not negative. */
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

/** Below ten million millions, and with few decimals. */
function isWithin(number: number, decimals: number): boolean {
  return number < 1e13 && Number(number.toFixed(decimals)) === number;
}

/** A time in minutes. */
export function minutesField(label: Words, max = 1_000_000_000): FormField<number> {
  return {
    label: lazily(label),
    read(text) {
      const minutes = readMinutes(text);
      if (minutes !== undefined && minutes <= max) return minutes;
      throw new Problem(
        t("{label}: enter minutes (90) or hours (1:30), up to {max} minutes.", {
          label: this.label(),
          max,
        }),
      );
    },
  };
}

/** A ticked box; absent when it is not ticked. */
export function checkboxField(label: Words): FormField<true> {
  return { label: lazily(label), read: () => true };
}

/** Texts divided by commas, or by lines. */
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

/** The named texts of a posted form or a query; one that is missing or came twice is empty. */
export function readFields<Name extends string>(
  source: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const texts = names.map((name) => [name, readText(source, name)]);
  return Object.fromEntries(texts) as Record<Name, string>;
}

/** One of them. */
export function readText(source: unknown, name: string): string {
  const value = valueOf(source, name);
  return typeof value === "string" ? value : "";
}

/** All the values of a name that may come several times, such as ticked boxes. */
export function readAll(source: unknown, name: string): string[] {
  const values: unknown[] = [valueOf(source, name)].flat();
  return values.filter((one) => typeof one === "string");
}

/** The fields of a posted form that came several times, though each has one value. */
export function findRepeated(body: unknown, fields: FormFields): FormError[] {
  return Object.entries(fields)
    .filter(([name]) => isRepeated(body, name))
    .map(([name, { label }]) => ({ field: name, message: repeatedField(label() || name) }));
}

/** Whether a name that has one value came with several: none of them is what the form meant. */
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
