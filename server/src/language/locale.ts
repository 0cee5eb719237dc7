import { AsyncLocalStorage } from "node:async_hooks";

/**
 * A language with the formats of a country (BCP 47), and its name in that language. Forms offer them in
 * this order. The texts of a language are in `texts/<language>.json`.
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

/** Each language once. */
export const languages = [...new Set(Object.values(languageByLocale))];

/** "en-US" is what browsers ask for whom nobody asked: its dates are for those who choose them. */
const negotiable = locales.filter((locale) => locale !== "en-US");

/** What programs read, and whoever has not said otherwise. */
export const defaultLocale: Locale = "en-GB";

/** Of a time zone that is known only after the store is entered. */
type FindTimeZone = () => string | undefined;

const store = new AsyncLocalStorage<{ locale: Locale; findTimeZone?: FindTimeZone | undefined }>();

/** Whatever is written within, also later on, is in this language and its formats, with this clock. */
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

/** In which time zone times are shown and entered. */
export function currentTimeZone(otherwise = "UTC"): string {
  return store.getStore()?.findTimeZone?.() ?? otherwise;
}

export function languageOf(locale: Locale): Language {
  return languageByLocale[locale];
}

/** One of ours, or the first of a language: "de"; anything else is as nobody has said. */
export function toLocale(text: string): Locale {
  return (
    locales.find((one) => one === text) ??
    locales.find((one) => languageOf(one) === text) ??
    defaultLocale
  );
}

/** What a browser asks for (RFC 9110, 12.5.4): the first of its languages that there is. */
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
