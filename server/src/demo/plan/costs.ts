import type { Plan } from "./steps.js";

/** Median and 95th percentile of what a finished task costs, in the organization's currency. */
const medianCost = 120;
const highCost = 1_800;

/** Gives finished tasks their costs: log-normal, the more the dearer the asset and for repairs. */
export function setCosts({ random, actions }: Plan): void {
  const finished = actions
    .filter(({ costRank }) => costRank !== undefined)
    .toSorted((left, right) => (left.costRank ?? 0) - (right.costRank ?? 0));
  const spread = Math.log(highCost / medianCost) / normalQuantile(0.95);
  for (const [index, { step }] of finished.entries()) {
    if (step.do !== "update_task") continue;
    const total = medianCost * Math.exp(spread * normalQuantile((index + 0.5) / finished.length));
    const labor = toCents(total * (0.35 + 0.6 * random.next()));
    Object.assign(step.fields, { labor_cost: labor, parts_cost: toCents(total - labor) });
  }
}

function toCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** Inverse of the normal distribution; Abramowitz and Stegun 26.2.23, good to 0.0005. */
function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const t = Math.sqrt(-2 * Math.log(probability));
  const above = 2.515517 + 0.802853 * t + 0.010328 * t * t;
  const below = 1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t;
  return above / below - t;
}
