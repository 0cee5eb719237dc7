import type { Action, Step } from "./actions.js";
import { dayMs, momentBetween } from "./calendar.js";
import { isActive, pickWorker, type Draft, type PlannedAsset } from "./draft.js";
import { sampleKinds } from "./kinds.js";
import { samplePeople } from "./people.js";
import { placeAt } from "./plan-lives.js";

const remarks = [
  "Sounds a little louder than last month.",
  "Cleaned around it.",
  "Label is hard to read, will be replaced.",
  "Key is with the porter.",
  "Supplier called back: delivery next week.",
  "Checked on the monthly round, nothing to report.",
  "Manual is in the red folder.",
  "Access only with an escort.",
] as const;
const suppliers = [
  "Hafen Supplies",
  "Nordlicht Trading",
  "Baltic Parts",
  "Kessler & Sons",
] as const;
const conditions = ["excellent", "good", "fair", "poor"] as const;
const tagSets: readonly [string[], ...string[][]] = [
  ["yearly check"],
  ["leased"],
  ["yearly check", "insured"],
  ["spare key"],
];

type Change =
  | { what: "note" }
  | { what: "assign"; person: string }
  | { what: "field"; fields: Extract<Step, { do: "update_asset" }>["fields"]; routine: boolean };

/** Plans so many small changes of assets, each of which makes one event. */
export function planEveryday(draft: Draft, count: number): void {
  const chosen = spread(draft, count);
  for (const [asset, times] of chosen) {
    const moments = Array.from({ length: times }, () => moment(draft, asset)).toSorted(
      (left, right) => left - right,
    );
    const known = new Map<string, string>([
      ["condition", asset.fields.condition ?? ""],
      ["location", asset.fields.location ?? ""],
    ]);
    for (const at of moments) {
      draft.actions.push(toAction(draft, asset, at, toChange(draft, asset, at, known)));
    }
  }
}

/** More of them on what people carry around, none on assets whose story is told elsewhere. */
function spread(draft: Draft, count: number): Map<PlannedAsset, number> {
  const tickets = draft.assets.flatMap((asset) => {
    const { key, kind, isPart, end } = asset;
    if (kind === undefined || ["laptop", "van", "duplicate"].includes(key)) return [];
    const weight = sampleKinds[kind].personal === true ? 4 : isPart || end === "deleted" ? 1 : 3;
    return Array.from({ length: weight }, () => asset);
  });
  const times = new Map<PlannedAsset, number>();
  for (let turn = 0; turn < count; turn += 1) {
    const asset = tickets[Math.floor(draft.random.next() * tickets.length)];
    if (asset !== undefined) times.set(asset, (times.get(asset) ?? 0) + 1);
  }
  return times;
}

function moment({ random, end }: Draft, { created, end: state, settles }: PlannedAsset): number {
  const last = state === "deleted" ? (settles ?? end) : end;
  return momentBetween(random, created + dayMs / 4, last - dayMs / 4);
}

function toChange(
  draft: Draft,
  asset: PlannedAsset,
  at: number,
  known: Map<string, string>,
): Change {
  const { random } = draft;
  const kind = sampleKinds[asset.kind ?? "pump"];
  const dice = random.next();
  if (dice < 0.2) return { what: "note" };
  if (dice < (kind.personal === true ? 0.65 : 0.3)) {
    const person = pickHolder(draft, asset, at, known.get("assignee"));
    if (person !== undefined) {
      known.set("assignee", person);
      return { what: "assign", person };
    }
  }
  if (dice < 0.75) return toField(known, "condition", random.shuffle(conditions), true);
  if (dice < 0.93) return toField(known, "location", random.shuffle(kind.locations), true);
  if (dice < 0.97) return toField(known, "supplier", random.shuffle(suppliers), false);
  const tags = random.pick(tagSets);
  if (known.get("tags") === tags.join()) return { what: "note" };
  known.set("tags", tags.join());
  return { what: "field", fields: { tags }, routine: false };
}

/** The first value that the field does not have already. */
function toField(
  known: Map<string, string>,
  field: "condition" | "location" | "supplier",
  values: readonly string[],
  routine: boolean,
): Change {
  const value = values.find((candidate) => candidate !== known.get(field));
  if (value === undefined) return { what: "note" };
  known.set(field, value);
  return { what: "field", fields: { [field]: value }, routine };
}

/** Somebody else who can see the asset, then and later. */
function pickHolder(
  draft: Draft,
  asset: PlannedAsset,
  at: number,
  present: string | undefined,
): string | undefined {
  const places = [placeAt(asset, at), asset.place];
  const able = samplePeople.filter(
    (person) =>
      person.key !== present &&
      person.role === "member" &&
      isActive(draft, person, at) &&
      places.every((place) => place !== undefined && person.workspaces?.[place] !== undefined),
  );
  const [first, ...rest] = able;
  return first === undefined ? undefined : draft.random.pick([first, ...rest]).key;
}

function toAction(draft: Draft, asset: PlannedAsset, at: number, change: Change): Action {
  const actor = pickWorker(draft, placeAt(asset, at), at);
  const base = { do: "update_asset", asset: asset.key } as const;
  const events = { own: 1, system: 0 };
  if (change.what === "note") {
    const note = draft.random.pick(remarks);
    return { at, actor, step: { ...base, fields: {} }, note, events };
  }
  if (change.what === "assign") {
    return { at, actor, step: { ...base, fields: {}, assignee: change.person }, events };
  }
  const { fields, routine } = change;
  return { at, actor, step: { ...base, fields }, events, ...(routine && { routine }) };
}
