import { t } from "../../language/translate.js";

/** The only way to put user text into a sentence: in quotes, on one line, cut at 80 characters. */
export function quote(text: string): string {
  return inMarks(toShortLine(text));
}

/** A text on one line, cut at 80 characters. */
export function toShortLine(text: string): string {
  const line = toLine(text);
  const characters = Array.from(line);
  return characters.length > 80 ? characters.slice(0, 79).join("") + "…" : line;
}

function inMarks(line: string): string {
  return t('"{name}"', { name: line });
}

export function toLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").replaceAll('"', "'");
}

/** Can't be mistaken for words of the sentence. */
const plain = /^[A-Za-z0-9][\w./-]{0,63}$/;

export function quoteNumber(number: string): string {
  return plain.test(number) ? number : quote(number);
}

/** Formats a text that a person must type in full. */
export function quoteToType(text: string): string {
  return plain.test(text) ? text : inMarks(toLine(text));
}

/** `a, b or c` */
export function anyOf(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return t("{words} or {last}", { words: words.slice(0, -1).join(", "), last: words.at(-1) ?? "" });
}

/** `434-000012 ("Circulation pump 4")` */
export function nameAsset(asset: { inventory_number: string; name: string }): string {
  return `${quoteNumber(asset.inventory_number)} (${quote(asset.name)})`;
}
