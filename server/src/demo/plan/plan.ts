import { people, workspaces, type Person } from "../data/northgate.js";
import { planAssets } from "./assets.js";
import { planChanges } from "./changes.js";
import { setCosts } from "./costs.js";
import { createRandom } from "./random.js";
import { createPlan, type Action } from "./steps.js";
import { planTasks } from "./tasks.js";
import { planTiny } from "./tiny.js";

const seed = 20_261_121;

export interface SamplePlan {
  /** The first one owns the organization. */
  people: readonly Person[];
  workspaces: typeof workspaces;
  /** In the order in which they happen. */
  actions: Action[];
  /** When the first and the last of it may happen. */
  start: number;
  end: number;
}

/**
 * What the people of the sample organization did in the two years before a day, worked out from
 * how things shall stand on it. The same day gives the same plan.
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
