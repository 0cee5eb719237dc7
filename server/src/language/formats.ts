import { LruMap } from "toad-cache";
import { currentLocale, type Locale } from "./locale.js";

/**
 * How many formats of a kind are kept. Each takes about 30 kB, and whoever has an organization chooses
 * among all time zones and currencies of the world.
 */
export const maxFormats = 300;

/** Making a format takes longer than using it a hundred times. */
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

/** Dates and times as the reader of the moment writes them. */
export const dateFormat = remember(
  (locale, style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, style),
);

/** Numbers and amounts as the reader of the moment writes them. */
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

/** What currencies and languages are called. */
export const displayNames = remember(
  (locale, style: Intl.DisplayNamesOptions) => new Intl.DisplayNames(locale, style),
);
