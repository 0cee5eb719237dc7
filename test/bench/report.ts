import type { Comparison } from "./compare.js";
import type { Measurement } from "./load.js";

interface Goal {
  /** Requests per second of the product, as a ratio to the floor's. */
  atLeast: number;
  good?: number;
}

const mostCpuRatio = 2;

function goalOf({ name, assets }: Comparison): Goal {
  if (name === "tools/list") return { atLeast: 0.75 };
  if (name === "get_asset") return { atLeast: 1, good: 2 };
  return assets > 1000 ? { atLeast: 0.9 } : { atLeast: 1, good: 1.5 };
}

/** A table of medians, and what of it is as fast as it must be. */
export function toReport(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap(toRows);
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, index) =>
        index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join("  ");
  return [
    toLine(headings),
    ...rows.map(toLine),
    "",
    ...comparisons.flatMap(toVerdicts),
    ...comparisons.flatMap(toNotes),
  ].join("\n");
}

const headings = [
  "call",
  "server",
  "assets",
  "req/s",
  "ratio",
  "CPU ms",
  "p50 ms",
  "p99 ms",
  "bytes",
];

function toRows(comparison: Comparison): string[][] {
  return (["product", "floor"] as const).map((server) => {
    const of = (key: keyof Measurement) =>
      median(comparison.rounds.map((round) => round[server][key]));
    return [
      comparison.name,
      server,
      comparison.assets.toLocaleString("en"),
      of("requestsPerSecond").toFixed(0),
      server === "product" ? ratioOf(comparison, "requestsPerSecond").toFixed(2) : "1",
      of("cpuMs").toFixed(3),
      of("p50Ms").toFixed(1),
      of("p99Ms").toFixed(1),
      comparison.bytes[server].toFixed(0),
    ];
  });
}

function toVerdicts(comparison: Comparison): string[] {
  const { name, assets } = comparison;
  const what = `${name} with ${assets.toLocaleString("en")} assets`;
  const { atLeast, good } = goalOf(comparison);
  const speed = ratioOf(comparison, "requestsPerSecond");
  const cpu = ratioOf(comparison, "cpuMs");
  const isGood = good !== undefined && speed >= good;
  return [
    `${verdict(speed >= atLeast)}  ${what}: ${speed.toFixed(2)} of the floor's requests per second, must reach ${atLeast}` +
      (good === undefined ? "" : `, good from ${good}${isGood ? " (it is)" : ""}`),
    `${verdict(cpu <= mostCpuRatio)}  ${what}: ${cpu.toFixed(2)} of the floor's CPU per request, at most ${mostCpuRatio}`,
  ];
}

function toNotes({ name, differences }: Comparison): string[] {
  if (differences.length === 0) return [];
  return [
    `note     ${name}: product and floor differ in ${differences.join(", ")}; bring floor-answers.ts up to date`,
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? "met    " : "NOT MET";
}

/** The median of the rounds' own ratios: a slow moment of the machine hits both sides of a round. */
function ratioOf({ rounds }: Comparison, key: keyof Measurement): number {
  return median(rounds.map(({ product, floor }) => product[key] / floor[key]));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? low;
  return (low + high) / 2;
}
