const units = [
  { unit: "km", also: ["kilometer", "kilometers", "kilometre", "kilometres"], meter: "Odometer" },
  { unit: "mi", also: ["mile", "miles"], meter: "Odometer" },
  { unit: "h", also: ["hr", "hrs", "hour", "hours"], meter: "Hour meter" },
  { unit: "cycles", also: ["cycle"], meter: "Cycle counter" },
];

/** Normalizes the spelling of a unit. Unknown units are unchanged. */
export function toUnit(text: string): string {
  const word = text.trim().toLowerCase();
  return units.find(({ unit, also }) => unit === word || also.includes(word))?.unit ?? word;
}

/**
 * Returns the meter described by "km" or "engine hours". Undefined if the text contains no known
 * unit.
 */
export function describeUnit(reference: string): { name: string; unit: string } | undefined {
  const unit = toUnit(reference.trim().split(/\s+/).at(-1) ?? "");
  const known = units.find((one) => one.unit === unit);
  if (known === undefined) return undefined;
  const isUnit = toUnit(reference) === unit;
  return { unit, name: isUnit ? known.meter : reference };
}
