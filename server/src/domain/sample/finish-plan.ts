import type { Action } from "./actions.js";
import type { Random } from "./random.js";

/** Median and 95th percentile of what a finished task costs, in the organization's currency. */
const medianCost = 120;
const highCost = 1_800;
const noteShare = 0.15;
const importShare = 0.25;
const toolShare = 0.5;

const remarks = [
  "As agreed in the morning round.",
  "Asked for by the tenant.",
  "See the photo in the shared folder.",
  "Follows from the last inspection.",
  "Told the shift lead.",
  "Will look at it again next month.",
] as const;

/** Gives finished tasks their costs: log-normal, the more the dearer the asset and for repairs. */
export function setCosts(random: Random, actions: readonly Action[]): void {
  const finished = actions.flatMap(({ step, assetCost = 1 }) => {
    if (step.do !== "update_task" || step.fields.state !== "completed") return [];
    const isRepair = step.fields.failure_cause !== undefined;
    const rank = 0.8 * random.next() + Math.log10(assetCost) / 4 + (isRepair ? 0.2 : 0);
    return [{ fields: step.fields, rank }];
  });
  const ranked = finished.toSorted((left, right) => left.rank - right.rank);
  const spread = Math.log(highCost / medianCost) / normalQuantile(0.95);
  for (const [index, { fields }] of ranked.entries()) {
    const total = medianCost * Math.exp(spread * normalQuantile((index + 0.5) / ranked.length));
    const labor = toCents(total * (0.35 + 0.6 * random.next()));
    fields.labor_cost = labor;
    fields.parts_cost = toCents(total - labor);
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

export function countEvents(actions: readonly Action[]): number {
  return actions.reduce((sum, { events }) => sum + events.own + events.system, 0);
}

/** Adds notes until every seventh event or so has one. */
export function setNotes(random: Random, actions: readonly Action[]): void {
  const wanted = Math.round(countEvents(actions) * noteShare);
  let missing = wanted - actions.filter(({ note }) => note !== undefined).length;
  for (const action of random.shuffle(actions)) {
    if (missing <= 0) return;
    const { do: kind } = action.step;
    if (action.note !== undefined || kind === "create_asset" || kind === "create_task") continue;
    action.note = random.pick(remarks);
    missing -= 1;
  }
}

/** Half of all events through apps, a quarter by the system or by import, the rest on the web. */
export function setSources(random: Random, actions: readonly Action[]): void {
  const total = countEvents(actions);
  const system = actions.reduce((sum, { events }) => sum + events.system, 0);
  const imported = actions
    .filter(({ source }) => source === "import")
    .reduce((sum, { events }) => sum + events.own, 0);
  let toImport = Math.round(total * importShare) - system - imported;
  let toTools = Math.round(total * toolShare);
  for (const action of random.shuffle(actions)) {
    if (action.source !== undefined) continue;
    if (action.routine === true && toImport > 0) {
      action.source = "import";
      action.actor = "dara";
      toImport -= action.events.own;
    } else if (toTools > 0) {
      action.source = "mcp";
      toTools -= action.events.own;
    } else action.source = "web";
  }
}
