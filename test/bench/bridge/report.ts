import { floorName, ourName } from "./contenders.js";
import { quantile, type Round } from "./measure.js";

/** Goals as ratios to the bare pipe: maximums, except for throughput, which is a minimum. */
const goals = {
  coldStartMs: 0.7,
  startCpuMs: 0.7,
  callP50Ms: 0.75,
  callsPerSecond: 1.15,
  cpuPerCallMs: 0.5,
  idleMib: 0.75,
} as const satisfies Partial<Record<keyof Round, number>>;

const moreIsBetter: readonly string[] = ["callsPerSecond"] satisfies (keyof Round)[];

const columns = {
  coldStartMs: "cold start ms",
  startCpuMs: "its CPU ms",
  callP50Ms: "call p50 ms",
  callP99Ms: "call p99 ms",
  callsPerSecond: "50 at once, calls/s",
  cpuPerCallMs: "CPU ms/call",
  echoMs: "1 MiB echo ms",
  idleMib: "idle MiB",
} as const satisfies Record<keyof Round, string>;

const figures = Object.keys(columns) as (keyof Round)[];

/**
 * The quantile of the rounds that is reported. For CPU time it is the minimum, since other work on
 * the machine can only add to it. For wall time and memory it is the median.
 */
const quantiles: Partial<Record<keyof Round, number>> = { startCpuMs: 0, cpuPerCallMs: 0 };

/**
 * Returns a table of the figures with their ratios to the bare pipe, and whether each meets its
 * goal.
 */
export function toReport(results: ReadonlyMap<string, readonly Round[]>): string {
  const figureOf = (name: string, figure: keyof Round) =>
    quantile(
      (results.get(name) ?? []).map((round) => round[figure]),
      quantiles[figure] ?? 0.5,
    );
  const ratioOf = (name: string, figure: keyof Round) =>
    figureOf(name, figure) / figureOf(floorName, figure);
  const lines = [...results.keys()].map((name) => {
    const cells = figures.map(
      (figure) => `${figureOf(name, figure).toFixed(2)} (${ratioOf(name, figure).toFixed(2)}x)`,
    );
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  const verdicts = Object.entries(goals).map(([figure, goal]) => {
    const ratio = ratioOf(ourName, figure as keyof Round);
    const isMore = moreIsBetter.includes(figure);
    const met = (isMore ? ratio >= goal : ratio <= goal) ? "met" : "NOT met";
    const bound = `at ${isMore ? "least" : "most"} ${goal}`;
    return `${columns[figure as keyof Round]}: ${ratio.toFixed(2)} of the bare pipe, ${bound}: ${met}`;
  });
  const head = `| bridge | ${figures.map((figure) => columns[figure]).join(" | ")} |`;
  return [head, `|${" --- |".repeat(figures.length + 1)}`, ...lines, "", ...verdicts].join("\n");
}
