import type { AssetState } from "../../db/entities/asset.js";
import { addDays, dayMs, dayOf, momentBetween } from "./calendar.js";
import { pickAdmin, pickWorker, type Draft, type PlannedAsset } from "./draft.js";
import { kindKeys, sampleKinds, sampleParts, type KindKey } from "./kinds.js";
import { samplePlaces } from "./places.js";
import { bareAsset, sampleOddities, type Oddity } from "./stories.js";

/** Units without a part of their own, by kind and number. */
const partless = new Set(["airHandler 3", "airHandler 10"]);
const lateAssets = 50;
/** How many of the assets that no story settles are in each state on the day of reference. */
const endStates: [AssetState, number][] = [
  ["in_maintenance", 16],
  ["out_of_service", 8],
  ["stored", 20],
  ["in_use", 97],
  ["available", 37],
];
const criticalities = [
  ["critical", 14],
  ["high", 50],
  ["medium", 129],
] as const;
const retiredFor = ["scrapped", "sold", "disposed", "stolen", "returned", "donated"] as const;

/** Plans the 200 assets as they end, and brings them in: most on the first day, some later. */
export function planAssets(draft: Draft): void {
  const numbers = new Map<KindKey, number>();
  for (const place of samplePlaces) {
    for (const kind of kindKeys) {
      for (let index = 0; index < (place.holds[kind] ?? 0); index += 1) {
        addUnit(draft, { place: place.name, kind, index, isRetired: false }, numbers);
      }
      for (let index = 0; index < (place.retired?.[kind] ?? 0); index += 1) {
        addUnit(draft, { place: place.name, kind, index, isRetired: true }, numbers);
      }
    }
  }
  const bare = draft.assets.length;
  draft.assets.push({
    ...emptyAsset(draft, bareAsset),
    key: `asset ${bare + 1}`,
    isScripted: true,
  });
  setCriticality(draft);
  setEnds(draft);
  setArrivals(draft);
  draft.actions.push(...draft.assets.map((asset) => toArrival(draft, asset)));
}

interface Spot {
  place: string;
  kind: KindKey;
  index: number;
  isRetired: boolean;
}

function addUnit(draft: Draft, spot: Spot, numbers: Map<KindKey, number>): void {
  const { kind: key, place, isRetired } = spot;
  const kind = sampleKinds[key];
  const number = (numbers.get(key) ?? 0) + 1;
  numbers.set(key, number);
  const oddity = findOddity(spot);
  const [manufacturer, model] = draft.random.pick(kind.makes);
  const unit: PlannedAsset = {
    ...emptyAsset(draft, `${kind.name} ${number}`),
    key: oddity?.key ?? `${key} ${number}`,
    kind: key,
    place,
    end: isRetired ? "deleted" : "available",
    isScripted: oddity?.key !== undefined,
  };
  Object.assign(unit.fields, {
    category: kind.category,
    manufacturer,
    model,
    serial_number: `${model.replace(/[^A-Z0-9]/g, "")}-${String(20_000 + number * 37)}`,
    location: draft.random.pick(kind.locations),
    ...boughtFor(draft, kind.cost, kind.yearsOfWarranty),
    ...oddity?.fields,
  });
  if (oddity?.isLate === true) unit.created = 0;
  draft.assets.push(unit);
  const part = sampleParts[key];
  if (part === undefined || isRetired || partless.has(`${key} ${number}`)) return;
  const piece = emptyAsset(draft, `${part.name} ${number}`);
  Object.assign(piece.fields, {
    category: kind.category,
    manufacturer: part.make[0],
    model: part.make[1],
    ...boughtFor(draft, part.cost, 2),
  });
  draft.assets.push({
    ...piece,
    key: `${key} ${number} part`,
    kind: key,
    isPart: true,
    place,
    parent: unit.key,
  });
}

function findOddity(spot: Spot): Oddity | undefined {
  return sampleOddities.find(
    ({ place, kind, index, isRetired = false }) =>
      place === spot.place &&
      kind === spot.kind &&
      index === spot.index &&
      isRetired === spot.isRetired,
  );
}

function emptyAsset(draft: Draft, name: string): PlannedAsset {
  return {
    key: name,
    kind: undefined,
    isPart: false,
    fields: { name },
    place: undefined,
    created: draft.start,
    end: "available",
    windows: [],
    tasks: 0,
    isScripted: false,
  };
}

function boughtFor(draft: Draft, cost: readonly [number, number], yearsOfWarranty: number) {
  const { random } = draft;
  const bought = addDays(dayOf(draft.start), -random.between(20, 1_400));
  return {
    condition: random.pick(["excellent", "good", "good", "good", "fair"] as const),
    purchase_date: bought,
    purchase_cost: random.between(...cost),
    warranty_expires_on: addDays(bought, yearsOfWarranty * 365),
    in_service_date: addDays(bought, 14),
    ...(random.chance(0.3) && { supplier: random.pick(["Hafen Supplies", "Nordlicht Trading"]) }),
  };
}

/** The first of the ranking are critical, and so on; the asset with only a name is medium. */
function setCriticality({ assets }: Draft): void {
  const rank = ({ kind, isPart }: PlannedAsset) =>
    kind === undefined ? Infinity : sampleKinds[kind].rank + (isPart ? 6 : 0);
  const ranked = assets
    .filter(({ kind }) => kind !== undefined)
    .toSorted((left, right) => rank(left) - rank(right));
  for (const [index, asset] of ranked.entries()) {
    const level = criticalities.find(([, below]) => index < below)?.[0] ?? "low";
    asset.fields.criticality = level;
  }
}

/** Breaks down, or is out for maintenance, with some probability worth telling. */
const breakable = new Set<KindKey | undefined>([
  "airHandler",
  "rooftopUnit",
  "lift",
  "compressor",
  "van",
  "forklift",
  "centrifuge",
]);

function setEnds(draft: Draft): void {
  const { random, assets, end } = draft;
  for (const asset of assets) {
    const story = sampleOddities.find(({ key }) => key === asset.key);
    if (story?.end !== undefined) asset.end = story.end;
  }
  const open = assets.filter((asset) => !asset.isScripted && asset.end !== "deleted");
  const first = random.shuffle(open.filter((asset) => !asset.isPart && breakable.has(asset.kind)));
  const rest = random.shuffle(open.filter((asset) => !first.includes(asset)));
  const down = first.splice(0, 24);
  const queue = [...down, ...random.shuffle([...first, ...rest])];
  let taken = 0;
  for (const [state, count] of endStates) {
    for (const asset of queue.slice(taken, taken + count)) asset.end = state;
    taken += count;
  }
  for (const asset of assets) {
    const days = settledDaysAgo(draft, asset.end);
    if (days !== undefined)
      asset.settles = momentBetween(random, end - days * dayMs, end - (days - 1) * dayMs);
    if (asset.end === "deleted") asset.reason = random.pick(retiredFor);
  }
}

function settledDaysAgo({ random }: Draft, state: AssetState): number | undefined {
  if (state === "in_maintenance") return random.between(2, 8);
  if (state === "out_of_service") return random.between(9, 40);
  if (state === "deleted") return random.between(30, 420);
  return undefined;
}

/** Story assets come first, so that their numbers never change; parts after what they are of. */
function setArrivals(draft: Draft): void {
  const { random, assets, start, end } = draft;
  const late = assets.filter(({ created }) => created === 0);
  const others = assets.filter(
    ({ kind, isPart, isScripted, created, end: state, place }) =>
      kind !== undefined &&
      sampleKinds[kind].grows === true &&
      !isPart &&
      !isScripted &&
      created !== 0 &&
      state !== "deleted" &&
      !(kind === "van" && place === "Vehicle Yard East") &&
      !(kind === "pump" && place === "Boiler House"),
  );
  late.push(...random.shuffle(others).slice(0, lateAssets - late.length));
  for (const asset of late) {
    asset.created = momentBetween(random, start + 30 * dayMs, end - 60 * dayMs);
    const bought = addDays(dayOf(asset.created), -random.between(2, 25));
    const years = sampleKinds[asset.kind ?? "laptop"].yearsOfWarranty;
    asset.fields.purchase_date = bought;
    asset.fields.in_service_date = dayOf(asset.created);
    asset.fields.warranty_expires_on = addDays(bought, years * 365);
  }
  const isStory = (asset: PlannedAsset) => asset.isScripted && asset.kind !== undefined;
  const storyOrder = sampleOddities.map(({ key }) => key);
  const initial = [
    ...assets
      .filter(isStory)
      .toSorted((left, right) => storyOrder.indexOf(left.key) - storyOrder.indexOf(right.key)),
    ...assets.filter((asset) => !isStory(asset) && !late.includes(asset)),
  ];
  for (const [index, asset] of initial.entries()) asset.created = start + index * 20_000;
  for (const asset of random.shuffle(late).slice(0, 6)) {
    asset.fields.warranty_expires_on = addDays(draft.asOf, random.between(5, 85));
  }
}

/** Brought in by import on the first day, entered by somebody of the place later. */
function toArrival(draft: Draft, asset: PlannedAsset): Draft["actions"][number] {
  const { created, key, fields, parent, place } = asset;
  const isImport = created < draft.start + dayMs;
  const byAdmin = fields.inventory_number !== undefined || place === undefined;
  const worker = byAdmin ? pickAdmin(draft, created) : pickWorker(draft, place, created);
  return {
    at: created,
    actor: isImport ? "dara" : worker,
    ...(isImport && { source: "import" as const }),
    step: {
      do: "create_asset",
      asset: key,
      fields: { ...fields, ...(place !== undefined && { workspace_id: place }) },
      ...(parent !== undefined && { parent }),
    },
    events: { own: 1, system: 0 },
  };
}
