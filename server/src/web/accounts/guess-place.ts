import { zones } from "../forms/place-choices.js";

interface Place {
  time_zone: string;
  currency: string;
}

/** By region (ISO 3166-1): the time zone of most people there, and the currency. */
const places: Record<string, readonly [timeZone: string, currency: string]> = {
  AE: ["Asia/Dubai", "AED"],
  AR: ["America/Argentina/Buenos_Aires", "ARS"],
  AT: ["Europe/Vienna", "EUR"],
  AU: ["Australia/Sydney", "AUD"],
  BE: ["Europe/Brussels", "EUR"],
  BR: ["America/Sao_Paulo", "BRL"],
  CA: ["America/Toronto", "CAD"],
  CH: ["Europe/Zurich", "CHF"],
  CL: ["America/Santiago", "CLP"],
  CN: ["Asia/Shanghai", "CNY"],
  CZ: ["Europe/Prague", "CZK"],
  DE: ["Europe/Berlin", "EUR"],
  DK: ["Europe/Copenhagen", "DKK"],
  ES: ["Europe/Madrid", "EUR"],
  FI: ["Europe/Helsinki", "EUR"],
  FR: ["Europe/Paris", "EUR"],
  GB: ["Europe/London", "GBP"],
  GR: ["Europe/Athens", "EUR"],
  HU: ["Europe/Budapest", "HUF"],
  IE: ["Europe/Dublin", "EUR"],
  IL: ["Asia/Jerusalem", "ILS"],
  IN: ["Asia/Kolkata", "INR"],
  IT: ["Europe/Rome", "EUR"],
  JP: ["Asia/Tokyo", "JPY"],
  KR: ["Asia/Seoul", "KRW"],
  LU: ["Europe/Luxembourg", "EUR"],
  MX: ["America/Mexico_City", "MXN"],
  NL: ["Europe/Amsterdam", "EUR"],
  NO: ["Europe/Oslo", "NOK"],
  NZ: ["Pacific/Auckland", "NZD"],
  PL: ["Europe/Warsaw", "PLN"],
  PT: ["Europe/Lisbon", "EUR"],
  RO: ["Europe/Bucharest", "RON"],
  SE: ["Europe/Stockholm", "SEK"],
  SG: ["Asia/Singapore", "SGD"],
  TR: ["Europe/Istanbul", "TRY"],
  UA: ["Europe/Kyiv", "UAH"],
  US: ["America/New_York", "USD"],
  ZA: ["Africa/Johannesburg", "ZAR"],
};

/** The defaults, if the browser gives no hint. */
const nowhere: Place = { time_zone: "UTC", currency: "USD" };

/**
 * Guesses a place from the browser's preferred languages (RFC 9110 §12.5.4), for a form's initial
 * values. Languages of many countries count only with a region.
 */
export function guessPlace(acceptLanguage: string | undefined): Place {
  for (const tag of (acceptLanguage ?? "").slice(0, 200).split(",")) {
    const found = places[regionOf(tag.split(";", 1)[0]?.trim() ?? "") ?? ""];
    if (found !== undefined) return { time_zone: toListedZone(found[0]), currency: found[1] };
  }
  return nowhere;
}

function zonesOf(region: string): string[] {
  // Runtimes have one or the other.
  const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & {
    timeZones?: string[];
    getTimeZones?: () => string[];
  };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** The currency by time zone, where it's known. */
export function findCurrencies(): Map<string, string> {
  return new Map(
    Object.entries(places).flatMap(([region, [zone, currency]]) =>
      [zone, ...zonesOf(region)].map((one) => [toListedZone(one), currency] as const),
    ),
  );
}

/** Former names of renamed time zones. Older Node.js versions list only the former names. */
const formerNames: Record<string, string> = {
  "America/Argentina/Buenos_Aires": "America/Buenos_Aires",
  "Asia/Kolkata": "Asia/Calcutta",
  "Europe/Kyiv": "Europe/Kiev",
};

function toListedZone(zone: string): string {
  return zones.some(({ value }) => value === zone) ? zone : (formerNames[zone] ?? zone);
}

const spokenInMany = new Set(["ar", "en", "es", "fr", "pt", "zh"]);

function regionOf(tag: string): string | undefined {
  try {
    const locale = new Intl.Locale(tag);
    return (
      locale.region ?? (spokenInMany.has(locale.language) ? undefined : locale.maximize().region)
    );
  } catch {
    return undefined;
  }
}
