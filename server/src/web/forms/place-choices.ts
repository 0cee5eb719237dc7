import { displayNames } from "../../language/formats.js";
import {
  currentLocale,
  inLocale,
  languageOf,
  localeNames,
  locales,
  toLocale,
  type Locale,
} from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { toZoneLabel } from "../text/format.js";
import { choiceField } from "./form-fields.js";

/**
 * The first locale of each language is named by its language: "en", "en-US", "de", "de-AT",
 * "de-CH".
 */
export function toLanguageValue(locale: Locale): string {
  const language = languageOf(locale);
  return locale === locales.find((one) => languageOf(one) === language) ? language : locale;
}

/** Each language under its native name. */
export const languages = locales.map((locale) => ({
  value: toLanguageValue(locale),
  label: localeNames[locale],
  lang: languageOf(locale),
}));

export function languageHelp(): string {
  return t("For pages, emails, dates and numbers.");
}

export const languageField = choiceField(
  "Language",
  languages.map(({ value }) => value),
);

/** Runs `act` in the language chosen in the form, or else in the reader's. */
export function inChosenLanguage<Result>(
  { language }: { language?: string | undefined },
  act: () => Result,
): Result {
  return inLocale(language === undefined ? currentLocale() : toLocale(language), act);
}

export function toCurrencyLabel(code: string): string {
  const name = displayNames({ type: "currency" }).of(code);
  return name === undefined || name === code ? code : `${code} – ${name}`;
}

/** Adds "UTC", which is no place, once. */
export const zones = [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC"),
].map((value) => ({ value, label: toZoneLabel(value) }));

export const currencies = Intl.supportedValuesOf("currency").map((value) => ({
  value,
  get label() {
    return toCurrencyLabel(value);
  },
}));
