import { AsyncLocalStorage } from "node:async_hooks";

/** A language with the formats of a country, as BCP 47 names it; in the order in which they are offered. */
export const locales = ["en-GB", "en-US", "de-DE", "de-AT", "de-CH"] as const;
export type Locale = (typeof locales)[number];
export type Language = "en" | "de";

/** What nobody has to ask for; a language whose catalogue is not whole yet is not among them. */
const offered: readonly Locale[] = ["en-GB"];

/** What programs read, and whoever has not said otherwise. */
export const defaultLocale: Locale = "en-GB";

const store = new AsyncLocalStorage<Locale>();

/** Whatever is written within, also later on, is in this language and its formats. */
export function inLocale<Result>(locale: Locale, act: () => Result): Result {
  return store.run(locale, act);
}

export function currentLocale(): Locale {
  return store.getStore() ?? defaultLocale;
}

export function languageOf(locale: Locale): Language {
  return locale.startsWith("de") ? "de" : "en";
}

/** One of ours, as it is stored for a person; anything else is as nobody has said. */
export function toLocale(text: string): Locale {
  return locales.find((one) => one === text) ?? defaultLocale;
}

/** What a browser asks for (RFC 9110, 12.5.4): the first of its languages that there is. */
export function negotiateLocale(
  acceptLanguage: string | undefined,
  among: readonly Locale[] = offered,
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
