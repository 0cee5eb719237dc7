import type { AssetUpdate } from "../../domain/assets/asset-updates.js";
import { kindOf, observations, suppliers } from "../data/northgate.js";
import { storySteps } from "../data/stories.js";
import { dayMs, hourMs, momentBetween } from "./calendar.js";
import {
  act,
  pickAssignee,
  setState,
  usualState,
  type Plan,
  type PlannedAsset,
  type Step,
} from "./steps.js";

/** Plans changes to assets other than work on tasks. */
export function planChanges(plan: Plan): void {
  planStories(plan);
  const told = new Set(storySteps.map(({ asset }) => asset));
  const assets = plan.assets.filter(
    ({ key, fields }) => fields.category !== undefined && !told.has(key),
  );
  for (const asset of assets) {
    if (!asset.isStatePlanned) planTemporaryState(plan, asset);
  }
  planEverydayChanges(plan, assets);
}

function planStories(plan: Plan): void {
  for (const { asset, daysAgo, by: actor, changes, note } of storySteps) {
    const day = Date.parse(plan.asOf) - daysAgo * dayMs;
    const at = momentBetween(plan.random, day + 6 * hourMs, day + 15 * hourMs);
    const kind = "state" in changes ? "set_state" : "update_asset";
    const fields = { ...changes, ...(note !== "" && { note }) };
    act(plan, at, undefined, { do: kind, asset, fields } as Step, { actor });
  }
}

/** Plans a temporary use, or maintenance without a task. */
function planTemporaryState(plan: Plan, asset: PlannedAsset): void {
  const { random, end } = plan;
  const usual = usualState(asset);
  const others = ["in_maintenance", "stored", "available", "in_use"] as const;
  const state = random.pick(others.filter((other) => other !== usual));
  const isRound = state === "in_maintenance";
  const length = random.between(5, isRound ? 40 : 900) * hourMs;
  const from = momentBetween(random, asset.created + 3 * dayMs, end - length - dayMs);
  setState(plan, asset, from, { state, ...(isRound && { note: "Out for the yearly round." }) });
  const note = isRound && { note: "Nothing found." };
  setState(plan, asset, from + length, { state: usual, ...note });
}

const everydayChanges = 1_400;

/** Plans small changes with one event each, more of them for portable assets. */
function planEverydayChanges(plan: Plan, assets: readonly PlannedAsset[]): void {
  const { random, end } = plan;
  const isPersonal = ({ fields: { category = "" } }: PlannedAsset) =>
    kindOf(category).use === "personal";
  const weighted = [...assets, ...assets.filter(isPersonal)];
  const moments = new Map(assets.map((asset) => [asset, [] as number[]]));
  for (let count = 0; count < everydayChanges; count += 1) {
    const asset = random.pick(weighted);
    const last = asset.end === "deleted" ? (asset.downSince ?? end) : end;
    moments.get(asset)?.push(momentBetween(random, asset.created + 3 * dayMs, last - 6 * hourMs));
  }
  for (const [asset, times] of moments) {
    let present: AssetUpdate = asset.fields;
    for (const at of times.toSorted((left, right) => left - right)) {
      const fields = pickChange(plan, asset, at, present);
      present = { ...present, ...fields };
      act(plan, at, asset.fields.workspace_id, { do: "update_asset", asset: asset.key, fields });
    }
  }
}

function pickChange(
  plan: Plan,
  { fields: { category = "", workspace_id } }: PlannedAsset,
  at: number,
  present: AssetUpdate,
): AssetUpdate {
  const { random } = plan;
  const { use, locations } = kindOf(category);
  const other = <Value>(values: readonly Value[], value: unknown) =>
    random.pick(values.filter((candidate) => candidate !== value));
  const dice = random.next();
  if (dice < 0.2) return { note: random.pick(observations) };
  if (dice < (use === "personal" ? 0.65 : 0.3)) {
    const person = pickAssignee(plan, workspace_id, at);
    if (person !== present.assigned_to_user_id) return { assigned_to_user_id: person };
  }
  if (dice < 0.75) return { condition: other(conditions, present.condition) };
  if (dice < 0.95) return { location: other(locations, present.location) };
  return { supplier: other(suppliers, present.supplier) };
}

const conditions = ["excellent", "good", "fair", "poor"] as const;
