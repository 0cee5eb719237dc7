import { numberFormat } from "../../language/formats.js";
import { defaultLocale, inLocale } from "../../language/locale.js";

/** "120,500 km", as who reads it now writes numbers. */
export function formatUsage(value: number, unit: string): string {
  return `${numberFormat({}).format(value)} ${unit}`;
}

/** The same as histories keep it. */
export function toKeptUsage(value: number, unit: string): string {
  return inLocale(defaultLocale, () => formatUsage(value, unit));
}

/** Sums of counts with two decimals, exact to these. */
export function toCents(value: number): number {
  return Math.round(value * 100) / 100;
}
