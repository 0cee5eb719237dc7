import { floorName, ourName } from "./contenders.js";
import { quantile, type Round } from "./measure.js";

/** What we must reach, as a ratio to the bare pipe: at most, or of what is done in a time at least. */
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
 * Which of the rounds counts: of CPU time the least disturbed, for other work on the machine can only
 * add to it; of the clock and of memory the middle one.
 */
const quantiles: Partial<Record<keyof Round, number>> = { startCpuMs: 0, cpuPerCallMs: 0 };

/** A table of the figures with the ratio to the bare pipe, and what of it is as good as it must be. */
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
