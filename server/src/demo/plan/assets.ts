import type { AssetState } from "../../db/entities/assets.js";
import {
  kindOf,
  kinds,
  parts,
  repeatingWork,
  suppliers,
  workspaces,
  type Kind,
} from "../data/northgate.js";
import { bareAsset, fixedAssets } from "../data/stories.js";
import { addDays, dayMs, dayOf, hourMs, momentBetween } from "./calendar.js";
import { act, isOfKind, usualState, type Plan, type PlannedAsset } from "./steps.js";

/** Final states of the assets outside the stories, each up to the given position. */
const endStates = [
  ["in_maintenance", 16],
  ["out_of_service", 24],
  ["stored", 44],
  ["in_use", 141],
] as const;
/** Range of days since an asset entered such a state. */
const settledDaysAgo: Partial<Record<AssetState, [number, number]>> = {
  in_maintenance: [2, 8],
  out_of_service: [9, 40],
  deleted: [30, 420],
};
const criticalities = [
  ["critical", 14],
  ["high", 50],
  ["medium", 129],
] as const;
/** Later assets are delivered here and soon moved to their place. */
const delivery = "Warehouse North";

/**
 * Plans the 200 assets in their final state and their arrival: most on the first day, some later.
 */
export function planAssets(plan: Plan): void {
  for (const { category, workspace_id, ...fixed } of fixedAssets) {
    addUnit(plan, { category, workspace_id, end: fixed.end, fixed });
  }
  for (const { name: workspace_id, assets, retired } of workspaces) {
    for (const category of assets) addUnit(plan, { category, workspace_id });
    for (const category of retired) addUnit(plan, { category, workspace_id, end: "deleted" });
  }
  setCriticality(plan);
  setEnds(plan);
  addAsset(plan, { key: bareAsset, fields: { name: bareAsset } });
  for (const asset of plan.assets) bringIn(plan, asset);
}

interface Unit {
  category: string;
  workspace_id: string;
  end?: AssetState | undefined;
  fixed?: Omit<(typeof fixedAssets)[number], "category" | "workspace_id">;
}

/** Adds an asset of a kind, with its child asset if the kind has one. */
function addUnit(plan: Plan, { category, workspace_id, end = "available", fixed }: Unit): void {
  const { random, start } = plan;
  const kind = kindOf(category);
  const number = 1 + plan.assets.filter((asset) => isOfKind(asset, category)).length;
  const isOrdinary = fixed === undefined && end === "available";
  const isLate = isOrdinary && kind.use !== "" && number % 2 === 0;
  const unit = addAsset(plan, {
    key: fixed?.key ?? `${kind.name} ${number}`,
    end,
    isStatePlanned: fixed?.end !== undefined,
    ...(isLate && { created: momentBetween(random, start + 30 * dayMs, plan.end - 60 * dayMs) }),
    fields: { name: `${kind.name} ${number}`, category, workspace_id },
  });
  const bought = addDays(dayOf(unit.created), -random.between(14, isLate ? 25 : 1_400));
  Object.assign(unit.fields, toDetails(plan, kind, { number, bought }), fixed?.fields);
  const part = parts.find((candidate) => candidate.category === category);
  if (part === undefined) return;
  const name = `${part.name} ${number}`;
  const below = { category, workspace_id, parent_asset_id: unit.key };
  const fields = { name, ...below, ...describe(part.model, bought, random.between(...part.price)) };
  addAsset(plan, { key: name, fields });
}

function toDetails({ random }: Plan, kind: Kind, unit: { number: number; bought: string }) {
  const { name, models, price, locations, yearsOfWarranty } = kind;
  return {
    ...describe(random.pick(models), unit.bought, random.between(...price)),
    serial_number: `${name.slice(0, 2).toUpperCase()}-${20_000 + unit.number * 37}`,
    location: random.pick(locations),
    condition: random.pick(["excellent", "good", "good", "good", "fair"]),
    warranty_expires_on: addDays(unit.bought, yearsOfWarranty * 365),
    ...(random.chance(0.3) && { supplier: random.pick(suppliers) }),
    ...(random.chance(0.2) && { tags: [random.pick(["leased", "insured", "yearly check"])] }),
  };
}

function describe(model: string, bought: string, price: number) {
  const [manufacturer, ...words] = model.split(" ");
  return {
    manufacturer,
    model: words.join(" "),
    purchase_date: bought,
    purchase_cost: price,
    in_service_date: addDays(bought, 14),
  };
}

function addAsset(
  { assets, start }: Plan,
  asset: Pick<PlannedAsset, "key" | "fields"> & Partial<PlannedAsset>,
): PlannedAsset {
  const created = start + assets.length * 20_000;
  const planned: PlannedAsset = { created, end: "available", isStatePlanned: false, ...asset };
  assets.push(planned);
  return planned;
}

/** Ranks criticality by kind, most critical first. A child asset ranks lower. */
function setCriticality({ assets }: Plan): void {
  const rank = ({ fields }: PlannedAsset) =>
    kinds.findIndex(({ category }) => category === fields.category) +
    (fields.parent_asset_id === undefined ? 0 : 6);
  const ranked = assets.toSorted((left, right) => rank(left) - rank(right));
  for (const [index, { fields }] of ranked.entries()) {
    fields.criticality = criticalities.find(([, below]) => index < below)?.[0] ?? "low";
  }
}

/**
 * Assets that are down on the reference day have no recurring work, because it would continue
 * meanwhile.
 */
function setEnds({ random, assets, asOf, end }: Plan): void {
  const working = new Set(repeatingWork.map(({ category }) => category));
  const open = random.shuffle(
    assets.filter((asset) => !asset.isStatePlanned && asset.end !== "deleted"),
  );
  const mayBeDown = ({ fields: { category = "", parent_asset_id: parent } }: PlannedAsset) =>
    parent === undefined && !working.has(category) && category !== "Laptops";
  const down = open.filter(mayBeDown).slice(0, 24);
  const queue = [...down, ...open.filter((asset) => !down.includes(asset))];
  for (const [index, asset] of queue.entries()) {
    asset.end = endStates.find(([, below]) => index < below)?.[0] ?? "available";
    // Some warranties end in the next three months, so queries for them return results.
    if (index % 12 === 0) asset.fields.warranty_expires_on = addDays(asOf, 5 + index / 2);
  }
  for (const asset of assets) {
    const days = settledDaysAgo[asset.end];
    if (days === undefined || asset.isStatePlanned) continue;
    asset.downSince = momentBetween(random, end - days[1] * dayMs, end - days[0] * dayMs);
    asset.isStatePlanned = true;
  }
}

/**
 * Imports the asset on the first day, or creates it later at the delivery place and moves it from
 * there.
 */
function bringIn(plan: Plan, asset: PlannedAsset): void {
  const { key, fields, created } = asset;
  const { workspace_id, location } = fields;
  const isImport = created < plan.start + dayMs;
  const arrival = isImport ? workspace_id : delivery;
  const given = { ...fields, state: usualState(asset), workspace_id: arrival };
  const step = { do: "create_asset", asset: key, fields: given } as const;
  act(plan, created, arrival, step, isImport ? { actor: "dara", source: "import" } : {});
  if (workspace_id === arrival) return;
  const at = momentBetween(plan.random, created + hourMs, created + 2 * dayMs);
  act(plan, at, undefined, { do: "update_asset", asset: key, fields: { workspace_id, location } });
}
