import type { ImportWords } from "../../domain/exchange/import-kinds.js";
import { toWord } from "../../domain/exchange/read-choices.js";
import { inLocale, locales } from "../../language/locale.js";
import { toColumnLabel, toFieldLabel } from "../text/field-labels.js";
import { valueLabelsOf } from "../text/value-labels.js";

/** A file contains words of its author's language, whichever language its reader uses. */
function inAllLanguages<Result>(read: () => Result): Result[] {
  return locales.map((locale) => inLocale(locale, read));
}

function remember<Result>(find: (field: string) => Result): (field: string) => Result {
  const found = new Map<string, Result>();
  return (field) => {
    const known = found.get(field);
    if (known !== undefined) return known;
    const result = find(field);
    found.set(field, result);
    return result;
  };
}

function findValues(field: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [value, label] of inAllLanguages(() => Object.entries(valueLabelsOf(field))).flat()) {
    const word = toWord(label);
    values.set(word, [...(values.get(word) ?? []), value]);
  }
  return values;
}

const words: ImportWords = {
  labelsOf: remember((field) =>
    inAllLanguages(() => [toFieldLabel(field), toColumnLabel(field)]).flat(),
  ),
  valuesOf: remember(findValues),
};

export const importWords = (): ImportWords => words;
