import type { Comparison, Each } from "./compare.js";
import type { Measurement } from "./load.js";

interface Goal {
  /** Requests per second of the product, divided by the floor's. */
  atLeast: number;
  good?: number;
}

const mostCpuRatio = 2;

function goalOf({ name, assets }: Comparison): Goal {
  switch (name) {
    case "tools/list":
      return { atLeast: 0.75 };
    case "get_asset":
      return { atLeast: 1, good: 2 };
    case "list_assets":
      return assets > 1000 ? { atLeast: 0.9 } : { atLeast: 1, good: 1.5 };
    // These calls may use only half of an organization's connections, and this bench has one
    // organization.
    case "search_asset_history":
    case "get_organization_stats":
      return { atLeast: 0.5 };
    // The floor checks nothing and doesn't confirm access before it commits.
    case "create_asset":
      return { atLeast: 0.5 };
  }
}

const serverNames: [keyof Each<unknown>, string][] = [
  ["product", "product"],
  ["floor", "floor"],
  ["sdk", "SDK's samples"],
  ["fastmcp", "FastMCP"],
];

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
    ...comparisons.flatMap(toGains),
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
  "ratio",
  "p50 ms",
  "p99 ms",
  "bytes",
];

function toRows(comparison: Comparison): string[][] {
  return serverNames.flatMap(([server, title]) => {
    const bytes = comparison.bytes[server];
    if (bytes === undefined) return [];
    const of = (key: keyof Measurement) =>
      median(comparison.rounds.map((round) => round[server]?.[key] ?? Number.NaN));
    return [
      [
        comparison.name,
        title,
        comparison.assets.toLocaleString("en"),
        of("requestsPerSecond").toFixed(0),
        ratioOf(comparison, "requestsPerSecond", server).toFixed(2),
        of("cpuMs").toFixed(3),
        ratioOf(comparison, "cpuMs", server).toFixed(2),
        of("p50Ms").toFixed(1),
        of("p99Ms").toFixed(1),
        bytes.toFixed(0),
      ],
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

/** Returns the product's gain over each peer. */
function toGains(comparison: Comparison): string[] {
  return serverNames.slice(2).flatMap(([server, title]) => {
    if (comparison.bytes[server] === undefined) return [];
    const gain = (key: "requestsPerSecond" | "cpuMs") =>
      (ratioOf(comparison, key) / ratioOf(comparison, key, server)).toFixed(2);
    return [
      `gain     ${comparison.name}: ${gain("requestsPerSecond")} of the requests per second of ${title}, ${gain("cpuMs")} of its CPU per request`,
    ];
  });
}

function toNotes({ name, differences }: Comparison): string[] {
  if (differences.length === 0) return [];
  return [
    `note     ${name}: product and the others differ in ${differences.join(", ")}; bring floor-answers.ts up to date`,
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? "met    " : "NOT MET";
}

/** The median of each round's ratio. A slow moment of the machine affects both sides of a round. */
function ratioOf(
  { rounds }: Comparison,
  key: keyof Measurement,
  server: keyof Each<unknown> = "product",
): number {
  return median(rounds.map((round) => (round[server]?.[key] ?? Number.NaN) / round.floor[key]));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? low;
  return (low + high) / 2;
}
