/** "120,500 km" */
export function formatUsage(value: number, unit: string): string {
  return `${value.toLocaleString("en-GB")} ${unit}`;
}

/** Sums of counts with two decimals, exact to these. */
export function toCents(value: number): number {
  return Math.round(value * 100) / 100;
}
