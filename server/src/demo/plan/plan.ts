import { people, workspaces, type Person } from "../data/northgate.js";
import { planAssets } from "./assets.js";
import { planChanges } from "./changes.js";
import { createRandom } from "./random.js";
import { createPlan, type Action, type Plan } from "./steps.js";
import { planTasks } from "./tasks.js";
import { planTiny } from "./tiny.js";

/** Median and 95th percentile of a finished task's cost, in the organization's currency. */
const medianCost = 120;

const highCost = 1_800;

const seed = 20_261_121;

export interface SamplePlan {
  /** The first person owns the organization. */
  people: readonly Person[];
  workspaces: typeof workspaces;
  /** In chronological order. */
  actions: Action[];
  /** Bounds of the actions' times. */
  start: number;
  end: number;
}

/**
 * Plans what the sample organization's people did in the two years before a day, derived from the
 * state on that day. Deterministic for each day.
 */
export function planSample(size: "tiny" | "demo", asOf: string): SamplePlan {
  const plan = createPlan(createRandom(seed), asOf);
  if (size === "tiny") planTiny(plan);
  else {
    planAssets(plan);
    planTasks(plan);
    planChanges(plan);
  }
  setCosts(plan);
  const count = size === "tiny" ? 1 : undefined;
  return {
    people: people.slice(0, count),
    workspaces: workspaces.slice(0, count),
    actions: plan.actions.toSorted((left, right) => left.at - right.at),
    start: plan.start,
    end: plan.end,
  };
}

/** Sets log-normal costs of finished tasks, higher for expensive assets and repairs. */
function setCosts({ random, actions }: Plan): void {
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

/** Inverse of the normal distribution. Abramowitz and Stegun 26.2.23, accurate to 0.0005. */
function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const t = Math.sqrt(-2 * Math.log(probability));
  const above = 2.515517 + 0.802853 * t + 0.010328 * t * t;
  const below = 1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t;
  return above / below - t;
}
