import type { Action, Step } from "./actions.js";
import { dayMs, dayOf, hourMs, momentBetween, startOfDay } from "./calendar.js";
import type { Draft, PlannedAsset } from "./draft.js";
import { sampleStories } from "./stories.js";

/** The lives of the assets that play a part of their own; the pump's is in the plan of repairs. */
export function planStories(draft: Draft): void {
  const laptop = findAsset(draft, "laptop");
  const van = findAsset(draft, "van");
  const duplicate = findAsset(draft, "duplicate");
  planFoundLaptop(draft, laptop);
  planVan(draft, van);
  planDuplicate(draft, duplicate);
}

function findAsset({ assets }: Draft, key: string): PlannedAsset {
  const asset = assets.find((candidate) => candidate.key === key);
  if (asset === undefined) throw new Error(`The sample plan lacks the ${key}.`);
  return asset;
}

function planFoundLaptop(draft: Draft, { key: asset }: PlannedAsset): void {
  tell(draft, 640, "pavel", { do: "set_state", asset, state: "in_use" });
  tell(
    draft,
    120,
    "pavel",
    { do: "set_state", asset, state: "deleted", reason: "lost" },
    "Left on a train, not handed in after two weeks.",
  );
  tell(
    draft,
    97,
    "pavel",
    { do: "set_state", asset, state: "available" },
    "The railway's lost property office had it.",
  );
  tell(draft, 96, "eva", { do: "set_state", asset, state: "in_use" });
  tell(
    draft,
    96,
    "eva",
    { do: "update_asset", asset, fields: { condition: "fair" } },
    "Scratched, works.",
  );
}

function planVan(draft: Draft, van: PlannedAsset): void {
  const asset = van.key;
  const arrival = draft.actions.find(
    ({ step }) => step.do === "create_asset" && step.asset === asset,
  );
  if (arrival?.step.do === "create_asset") {
    arrival.step.fields.workspace_id = "Vehicle Yard East";
    arrival.step.fields.state = "in_use";
  }
  const drive = (daysAgo: number, actor: string, assignee: string, note?: string) => {
    tell(draft, daysAgo, actor, { do: "update_asset", asset, fields: {}, assignee }, note);
  };
  const move = (daysAgo: number, place: string, assignee: string, note: string) => {
    const fields = { workspace_id: place, location: "Row A" };
    tell(draft, daysAgo, "marek", { do: "update_asset", asset, fields, assignee }, note);
    const action = draft.actions.at(-1);
    if (action !== undefined) action.events.own = 2;
  };
  drive(720, "chidi", "chidi");
  drive(660, "chidi", "katja", "Katja takes over the eastern tour.");
  move(520, "Vehicle Yard West", "jonas", "The western tour needs a second van.");
  drive(430, "jonas", "katja");
  drive(360, "jonas", "jonas", "Katja is on leave.");
  move(210, "Vehicle Yard South", "liam", "West got a new one.");
  drive(130, "liam", "katja");
  drive(40, "liam", "liam");
  tell(draft, 41, "katja", { do: "update_asset", asset, fields: { condition: "good" } });
}

function planDuplicate(draft: Draft, { key: asset }: PlannedAsset): void {
  const first = sampleStories.defibrillator;
  tell(
    draft,
    302,
    "bob",
    { do: "update_asset", asset, fields: { description: `Same device as ${first}?` } },
    "Found on the yearly round: only one device hangs at the reception.",
  );
  tell(
    draft,
    300,
    "bob",
    { do: "set_state", asset, state: "deleted", reason: "duplicate" },
    `Entered twice; the record in use is ${first}.`,
  );
}

function tell(draft: Draft, daysAgo: number, actor: string, step: Step, note?: string): void {
  const day = startOfDay(dayOf(draft.end - daysAgo * dayMs + 12 * hourMs));
  const action: Action = {
    at: momentBetween(draft.random, day + 7 * hourMs, day + 17 * hourMs),
    actor,
    step,
    ...(note !== undefined && { note }),
    events: { own: 1, system: 0 },
  };
  draft.actions.push(action);
}
