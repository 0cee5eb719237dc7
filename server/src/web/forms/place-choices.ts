import { displayNames } from "../../language/formats.js";

export function toZoneLabel(zone: string): string {
  return zone.replaceAll("_", " ");
}

export function toCurrencyLabel(code: string): string {
  const name = displayNames({ type: "currency" }).of(code);
  return name === undefined || name === code ? code : `${code} – ${name}`;
}

/** Without "UTC", which is no place. */
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
