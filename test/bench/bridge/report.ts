import { floorName, ourName } from "./contenders.js";
import { quantile, type Round } from "./measure.js";

/** What we must reach, as a ratio to the bare pipe. */
const goals = {
  coldStartMs: 0.7,
  callP50Ms: 0.75,
  cpuPerCallMs: 0.5,
  idleMib: 0.75,
} as const satisfies Partial<Record<keyof Round, number>>;

const columns = {
  coldStartMs: "cold start ms",
  callP50Ms: "call p50 ms",
  callP99Ms: "call p99 ms",
  callsPerSecond: "50 at once, calls/s",
  cpuPerCallMs: "CPU ms/call",
  echoMs: "1 MiB echo ms",
  idleMib: "idle MiB",
} as const satisfies Record<keyof Round, string>;

const figures = Object.keys(columns) as (keyof Round)[];

/** A table of medians with the ratio to the bare pipe, and what of it is as good as it must be. */
export function toReport(results: ReadonlyMap<string, readonly Round[]>): string {
  const medianOf = (name: string, figure: keyof Round) =>
    quantile(
      (results.get(name) ?? []).map((round) => round[figure]),
      0.5,
    );
  const ratioOf = (name: string, figure: keyof Round) =>
    medianOf(name, figure) / medianOf(floorName, figure);
  const lines = [...results.keys()].map((name) => {
    const cells = figures.map(
      (figure) => `${medianOf(name, figure).toFixed(2)} (${ratioOf(name, figure).toFixed(2)}x)`,
    );
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  const verdicts = Object.entries(goals).map(([figure, most]) => {
    const ratio = ratioOf(ourName, figure as keyof Round);
    const met = ratio <= most ? "met" : "NOT met";
    return `${columns[figure as keyof Round]}: ${ratio.toFixed(2)} of the bare pipe, at most ${most}: ${met}`;
  });
  const head = `| bridge | ${figures.map((figure) => columns[figure]).join(" | ")} |`;
  return [head, `|${" --- |".repeat(figures.length + 1)}`, ...lines, "", ...verdicts].join("\n");
}
