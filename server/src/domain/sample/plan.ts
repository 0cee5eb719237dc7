import type { Action } from "./actions.js";
import { createDraft, type Draft } from "./draft.js";
import { countEvents, setCosts, setNotes, setSources } from "./finish-plan.js";
import { samplePeople, type SamplePerson } from "./people.js";
import { samplePlaces, type SamplePlace } from "./places.js";
import { planAssets } from "./plan-assets.js";
import { planEveryday } from "./plan-everyday.js";
import { planLives } from "./plan-lives.js";
import { planRepairs } from "./plan-repairs.js";
import { planStories } from "./plan-stories.js";
import { planUpkeep } from "./plan-upkeep.js";
import { createRandom } from "./random.js";
import { planTiny } from "./tiny.js";

const seedNumber = 20_261_121;
const wantedEvents = 3_000;
/** Preventive tasks, inspections and calibrations, single ones and occurrences together. */
const plannedTasks = 300;
const repeatingTasks = 60;

export interface SamplePlan {
  people: readonly [SamplePerson, ...SamplePerson[]];
  places: readonly SamplePlace[];
  /** In the order in which they happen. */
  actions: Action[];
  /** When the first and the last of it may happen. */
  start: number;
  end: number;
}

/**
 * What the people of the sample organization did in the two years before a day, worked out
 * backwards from how things shall stand on it. The same day gives the same plan.
 */
export function planSample(size: "tiny" | "demo", asOf: string): SamplePlan {
  const draft = createDraft(createRandom(seedNumber), asOf);
  if (size === "tiny") {
    planTiny(draft);
    return toPlan(draft, [samplePeople[0]], samplePlaces.slice(0, 1));
  }
  planAssets(draft);
  const { past } = planUpkeep(draft);
  planRepairs(draft, { preventiveTasks: plannedTasks - repeatingTasks - past });
  planStories(draft);
  planLives(draft);
  planEveryday(draft, wantedEvents - countEvents(draft.actions));
  return toPlan(draft, samplePeople, samplePlaces);
}

function toPlan(
  { random, actions, start, end }: Draft,
  people: SamplePlan["people"],
  places: SamplePlan["places"],
): SamplePlan {
  setCosts(random, actions);
  setNotes(random, actions);
  setSources(random, actions);
  const ordered = actions.toSorted((left, right) => left.at - right.at);
  return { people, places, actions: ordered, start, end };
}
