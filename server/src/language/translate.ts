import { IntlMessageFormat } from "intl-messageformat";
import { textsByLanguage } from "./catalogues.js";
import { currentLocale, languageOf, type Locale } from "./locale.js";
import type { Arguments, PlainText, Tags, Text } from "./texts.js";

export type Value = string | number;

type ValuesOf<Message extends Text> = [Arguments<Message>] extends [never]
  ? []
  : [Record<Arguments<Message>, Value>];

/**
 * Translates a text into the current language: an ICU message and a value for each argument.
 * Numbers without a plural are passed formatted.
 */
export function t<const Message extends Text>(
  message: Message,
  ...[values]: ValuesOf<Message>
): string {
  const locale = currentLocale();
  const text = find(message, locale);
  if (values === undefined && !text.includes("{")) return text;
  return parse(text, locale, false).format(values) as string;
}

/** Like `t`, with elements: `<b>…</b>` is the result of `b` for the words within. */
export function tRich<const Message extends Text, Element>(
  message: Message,
  values: Record<Arguments<Message>, Value | Element> &
    Record<Tags<Message>, (words: (string | Element)[]) => Element>,
): (string | Element)[] {
  const locale = currentLocale();
  const parts = parse(find(message, locale), locale, true).format(values);
  return (Array.isArray(parts) ? parts : [parts]) as (string | Element)[];
}

export type Words = PlainText | (() => string);

/** For texts that are defined before the language is known, such as form fields. */
export function lazily(words: Words): () => string {
  return typeof words === "function" ? words : () => t(words);
}

/** Texts by name, each translated on access into the current language. */
export function translated<Name extends string>(
  texts: Readonly<Record<Name, PlainText>>,
): Readonly<Record<Name, string>> {
  const record = {};
  for (const [name, text] of Object.entries<PlainText>(texts)) {
    Object.defineProperty(record, name, { enumerable: true, get: () => t(text) });
  }
  return record as Record<Name, string>;
}

/** Translates the text if it is ours, otherwise returns it unchanged. */
export function translateIfKnown(text: string): string {
  return Object.hasOwn(textsByLanguage.en, text) ? t(text as PlainText) : text;
}

function find(message: Text, locale: Locale): string {
  return textsByLanguage[languageOf(locale)][message];
}

const parsed = new Map<string, IntlMessageFormat>();

function parse(text: string, locale: Locale, hasTags: boolean): IntlMessageFormat {
  const key = `${locale}${hasTags ? "<" : " "}${text}`;
  let format = parsed.get(key);
  if (format === undefined) {
    format = new IntlMessageFormat(text, locale, undefined, { ignoreTag: !hasTags });
    parsed.set(key, format);
  }
  return format;
}
