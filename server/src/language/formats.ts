import { LruMap } from "toad-cache";
import { currentLocale, type Locale } from "./locale.js";

/**
 * Maximum of cached formats per kind. Each takes about 30 kB, and organizations can select any time
 * zone and currency.
 */
export const maxFormats = 300;

/** Caches formats: creating one takes longer than using it a hundred times. */
function remember<Style extends object, Format>(
  create: (locale: Locale, style: Style) => Format,
): (style: Style) => Format {
  const made = new LruMap<Format>(maxFormats);
  return (style) => {
    const locale = currentLocale();
    const key = locale + JSON.stringify(style);
    let format = made.get(key);
    if (format === undefined) made.set(key, (format = create(locale, style)));
    return format;
  };
}

type DateFormat = Pick<Intl.DateTimeFormat, "format" | "formatRange">;

export const dateFormat = remember((locale, style: Intl.DateTimeFormatOptions): DateFormat => {
  const format = new Intl.DateTimeFormat(locale, style);
  if (locale !== "en-GB") return format;
  // British English abbreviates September to four letters, and other months to three.
  const shorten = (words: string) => words.replace(/\bSept\b/, "Sep");
  return {
    format: (date) => shorten(format.format(date)),
    formatRange: (from, to) => shorten(format.formatRange(from, to)),
  };
});

export const numberFormat = remember(
  (locale, style: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, style),
);

/** "in 3 days", "yesterday" */
export const relativeFormat = remember(
  (locale, style: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, style),
);

/** "Main Facility, Workshop and Annex" */
export const listFormat = remember(
  (locale, style: Intl.ListFormatOptions) => new Intl.ListFormat(locale, style),
);

export const displayNames = remember(
  (locale, style: Intl.DisplayNamesOptions) => new Intl.DisplayNames(locale, style),
);
