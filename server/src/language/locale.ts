import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Locales: a language with a country's formats (BCP 47), and its name in that language. Forms list
 * them in this order. The texts of a language are in `texts/<language>.json`.
 */
export const localeNames = {
  "en-GB": "English",
  "en-US": "English (United States)",
  "de-DE": "Deutsch",
  "de-AT": "Deutsch (Österreich)",
  "de-CH": "Deutsch (Schweiz)",
  "fr-FR": "Français",
  "es-ES": "Español",
} as const;

export type Locale = keyof typeof localeNames;
export type Language = Locale extends infer Tag
  ? Tag extends `${infer Language}-${string}`
    ? Language
    : never
  : never;

export const locales = Object.keys(localeNames) as Locale[];

const languageByLocale = Object.fromEntries(
  locales.map((locale) => [locale, locale.split("-", 1)[0]]),
) as Record<Locale, Language>;

export const languages = [...new Set(Object.values(languageByLocale))];

/**
 * Browsers send "en-US" by default, so it is never negotiated. People can still select its dates.
 */
const negotiable = locales.filter((locale) => locale !== "en-US");

/** For programs, and for people without a setting. */
export const defaultLocale: Locale = "en-GB";

/** For a time zone that is known only after the store is entered. */
type FindTimeZone = () => string | undefined;

const store = new AsyncLocalStorage<{ locale: Locale; findTimeZone?: FindTimeZone | undefined }>();

/** Runs the action with this locale and time zone, including its asynchronous work. */
export function inLocale<Result>(
  locale: Locale,
  act: () => Result,
  findTimeZone?: FindTimeZone,
): Result {
  return store.run({ locale, findTimeZone }, act);
}

export function currentLocale(): Locale {
  return store.getStore()?.locale ?? defaultLocale;
}

export function currentTimeZone(otherwise = "UTC"): string {
  return store.getStore()?.findTimeZone?.() ?? otherwise;
}

export function languageOf(locale: Locale): Language {
  return languageByLocale[locale];
}

/**
 * Returns one of our locales, or the first of a language such as "de". Other texts give the
 * default.
 */
export function toLocale(text: string): Locale {
  return (
    locales.find((one) => one === text) ??
    locales.find((one) => languageOf(one) === text) ??
    defaultLocale
  );
}

/** Returns the browser's first supported language (RFC 9110, 12.5.4). */
export function negotiateLocale(
  acceptLanguage: string | undefined,
  among: readonly Locale[] = negotiable,
): Locale {
  const ranges = (acceptLanguage ?? "")
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", weight = "q=1"] = part.split(";").map((one) => one.trim().toLowerCase());
      return { tag, weight: Number(weight.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight);
  for (const { tag } of ranges) {
    const found =
      among.find((locale) => locale.toLowerCase() === tag) ??
      among.find((locale) => languageOf(locale) === tag.split("-", 1)[0]);
    if (found !== undefined) return found;
  }
  return defaultLocale;
}
