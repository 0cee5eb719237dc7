import { numberFormat } from "../../language/formats.js";
import { defaultLocale, inLocale } from "../../language/locale.js";

/** "120,500 km", in the reader's number format. */
export function formatUsage(value: number, unit: string): string {
  return `${numberFormat({}).format(value)} ${unit}`;
}

/** Formats usage in the default locale, for histories. */
export function toKeptUsage(value: number, unit: string): string {
  return inLocale(defaultLocale, () => formatUsage(value, unit));
}

/** Rounds sums of counts to two decimals. */
export function toCents(value: number): number {
  return Math.round(value * 100) / 100;
}
