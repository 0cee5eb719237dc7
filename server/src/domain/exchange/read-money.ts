/** A written amount: its digits, and the currency signs or codes next to them. */
export interface WrittenAmount {
  digits: string;
  currencies: string[];
}

const codes = new Set(Intl.supportedValuesOf("currency"));

const dollars = [...codes].filter((code) => signOf(code) === "$");

/** Other names of currencies, with the codes they can mean. */
const words: Record<string, readonly string[]> = {
  euro: ["EUR"],
  euros: ["EUR"],
  pound: ["GBP"],
  pounds: ["GBP"],
  pfund: ["GBP"],
  franken: ["CHF"],
  fr: ["CHF"],
  sfr: ["CHF"],
  chf: ["CHF"],
  kč: ["CZK"],
  zł: ["PLN"],
  ft: ["HUF"],
  kr: ["DKK", "ISK", "NOK", "SEK"],
  rs: ["INR", "LKR", "MUR", "NPR", "PKR"],
  dollar: dollars,
  dollars,
  us$: ["USD"],
  au$: ["AUD"],
  a$: ["AUD"],
  ca$: ["CAD"],
  c$: ["CAD"],
  nz$: ["NZD"],
  hk$: ["HKD"],
  s$: ["SGD"],
  r$: ["BRL"],
  "e£": ["EGP"],
  "￥": ["CNY", "JPY"],
};

function signOf(code: string): string | undefined {
  const style = { style: "currency", currency: code, currencyDisplay: "narrowSymbol" } as const;
  const parts = new Intl.NumberFormat("en", style).formatToParts(0);
  return parts.find(({ type }) => type === "currency")?.value;
}

const signs = new Map<string, string[]>();
for (const code of codes) {
  const sign = signOf(code) ?? code;
  if (/^\p{Sc}$/u.test(sign)) signs.set(sign, [...(signs.get(sign) ?? []), code]);
}

/** Meaning of a sign shared by several currencies, if none of them is the organization's. */
const usual = ["GBP", "KRW"];

/** Returns the codes that a word or sign can mean. Empty if it isn't a currency. */
function codesOf(written: string): readonly string[] {
  const word = written.toLowerCase().replace(/\.$/, "");
  const code = word.toUpperCase();
  return words[word] ?? signs.get(word) ?? (codes.has(code) ? [code] : []);
}

const amount =
  /^([\p{L}\p{Sc}][\p{L}\p{Sc}.]*)?\s*(\d[\d\s.,'’´]*?[-–—]{0,2})\s*([\p{L}\p{Sc}][\p{L}\p{Sc}.]*)?$/u;

export function readWrittenAmount(text: string): WrittenAmount | undefined {
  const [, before, digits, after] = amount.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const currencies = [before, after].filter((one) => one !== undefined);
  return currencies.every((one) => codesOf(one).length > 0) ? { digits, currencies } : undefined;
}

/** Currencies that a sign shared by several most often means. */
const likely = ["USD", "CAD", "AUD"];

/** Returns the currencies that a sign can mean, the likely ones first. */
export function meaningsOf(sign: string): string[] {
  const codes = codesOf(sign);
  return [...new Set([...likely.filter((code) => codes.includes(code)), ...codes])];
}

/**
 * Returns the currency that fits all signs, or "unclear" if several fit. `hints` choose between
 * several.
 */
export function findCurrency(
  written: readonly string[],
  own: string,
  hints: readonly string[] = [],
): string | undefined {
  const [first = [], ...more] = written.map(codesOf);
  let possible = first.filter((code) => more.every((some) => some.includes(code)));
  for (const hint of hints.map(codesOf)) {
    const named = possible.filter((code) => hint.includes(code));
    if (named.length > 0) possible = named;
  }
  if (possible.length < 2) return possible[0];
  if (possible.includes(own)) return own;
  return usual.find((code) => possible.includes(code)) ?? "unclear";
}

/** Splits a heading with a currency: "Price (EUR)", "Preis in €". */
export function splitHeading(heading: string): { name: string; currency: string | undefined } {
  const found = [...heading.matchAll(/(?:us|au|a|ca|c|nz|hk|s|r)?\p{Sc}|\p{L}+/giu)].find(
    ({ 0: word, index }) => index > 0 && isCurrency(word, heading.charAt(index - 1)),
  );
  if (found === undefined) return { name: heading, currency: undefined };
  const [word] = found;
  const rest = heading.slice(0, found.index) + heading.slice(found.index + word.length);
  return { name: rest.replace(/\bin\b[^\p{L}]*$/iu, ""), currency: word };
}

/** Ordinary words don't count: "all" is also a currency code. */
function isCurrency(word: string, before: string): boolean {
  const isMarked = word === word.toUpperCase() || /[([]/.test(before) || word.length > 3;
  return isMarked && codesOf(word).length > 0;
}
