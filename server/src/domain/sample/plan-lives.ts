import type { AssetState } from "../../db/entities/asset.js";
import type { Step } from "./actions.js";
import { dayMs, hourMs, momentBetween } from "./calendar.js";
import { isFree, pickAdmin, pickWorker, type Draft, type PlannedAsset } from "./draft.js";
import { sampleKinds } from "./kinds.js";
import { samplePlaces } from "./places.js";

const ordinaryStates = ["in_use", "in_use", "available", "stored"] as const;
const movedAssets = 45;
/** How often an asset is put to another use; most of them seldom. */
const changesOfUse = [0, 1, 1, 2, 3] as const;

/** Plans the states that assets went through by hand, and where they stood. */
export function planLives(draft: Draft): void {
  const moved = new Set(draft.random.shuffle(draft.assets.filter(isMovable)).slice(0, movedAssets));
  for (const asset of draft.assets) {
    if (asset.kind === undefined) continue;
    if (moved.has(asset)) planMove(draft, asset);
    if (!["laptop", "van", "duplicate"].includes(asset.key)) planStates(draft, asset);
  }
}

/** Work would move along, and whom it is assigned to might not see the other place. */
function isMovable({ kind, isPart, isScripted, tasks, end }: PlannedAsset): boolean {
  const hasPart = kind === "lift" || kind === "rooftopUnit" || kind === "airHandler";
  return !isPart && !hasPart && !isScripted && tasks === 0 && end !== "deleted";
}

function planMove(draft: Draft, asset: PlannedAsset): void {
  const { random, end } = draft;
  const { kind, place, created } = asset;
  const others = samplePlaces.filter(
    ({ name, holds }) => name !== place && kind !== undefined && (holds[kind] ?? 0) > 0,
  );
  const [first, ...rest] = others;
  if (first === undefined || place === undefined) return;
  const before = random.pick([first, ...rest]).name;
  const at = momentBetween(random, created + 10 * dayMs, (asset.settles ?? end) - 2 * dayMs);
  const arrival = draft.actions.find(
    ({ step }) => step.do === "create_asset" && step.asset === asset.key,
  );
  if (arrival?.step.do !== "create_asset") return;
  arrival.step.fields.workspace_id = before;
  if (arrival.source === undefined) arrival.actor = pickAdmin(draft, arrival.at);
  asset.moved = { at, from: before };
  draft.actions.push({
    at,
    actor: pickAdmin(draft, at),
    step: {
      do: "update_asset",
      asset: asset.key,
      fields: { workspace_id: place, location: random.pick(sampleKinds[kind ?? "pump"].locations) },
    },
    events: { own: 2, system: 0 },
  });
}

export function placeAt(asset: PlannedAsset, at: number): string | undefined {
  return asset.moved !== undefined && at < asset.moved.at ? asset.moved.from : asset.place;
}

/** From the first state to the last, around the windows in which the asset is worked on. */
function planStates(draft: Draft, asset: PlannedAsset): void {
  const { random, end } = draft;
  const last = asset.settles ?? end - dayMs;
  addRounds(draft, asset, last);
  const windows = asset.windows
    .filter(({ byHand }) => byHand !== undefined)
    .toSorted((left, right) => left.from - right.from);
  const flips = Array.from({ length: random.pick(changesOfUse) }, () =>
    momentBetween(random, asset.created + 4 * dayMs, Math.max(last, asset.created + 6 * dayMs)),
  ).filter((at) => isFree(asset, at, at));
  let state: AssetState = setFirstState(draft, asset);
  const turns = [
    ...windows.map((window) => ({ at: window.from, window })),
    ...flips.map((at) => ({ at, window: undefined })),
  ].toSorted((left, right) => left.at - right.at);
  for (const { at, window } of turns) {
    if (window?.byHand !== undefined) {
      say(draft, asset, { at, state: window.byHand.state, note: window.byHand.note });
      say(draft, asset, { at: window.to, state, note: window.byHand.back });
      continue;
    }
    const next: AssetState = random.pick(ordinaryStates);
    if (next === state) continue;
    say(draft, asset, { at, state: next });
    state = next;
  }
  const isByWork = asset.windows.some(({ to }) => to === Infinity);
  if (isByWork || state === asset.end) return;
  const at = asset.settles ?? lastFreeMoment(draft, asset, turns.at(-1)?.at);
  const { end: final, reason } = asset;
  say(draft, asset, { at, state: final, ...(reason !== undefined && { reason }) });
}

/** Looked after by hand for a day or two, without a task. */
function addRounds(draft: Draft, asset: PlannedAsset, last: number): void {
  const { random } = draft;
  if (asset.isPart || asset.kind === "extinguisher" || !random.chance(0.35)) return;
  const from = momentBetween(random, asset.created + 6 * dayMs, last - 8 * dayMs);
  const to = from + random.between(5, 40) * hourMs;
  if (from >= to || !isFree(asset, from, to)) return;
  const byHand = {
    state: "in_maintenance",
    note: "Taken out for the yearly round.",
    back: "Checked, nothing found.",
  } as const;
  asset.windows.push({ from, to, byHand });
}

function setFirstState(draft: Draft, asset: PlannedAsset): AssetState {
  const arrival = draft.actions.find(
    ({ step }) => step.do === "create_asset" && step.asset === asset.key,
  );
  const isIn = asset.end === "deleted" || draft.random.chance(0.5);
  const state = isIn ? "in_use" : "available";
  if (arrival?.step.do === "create_asset") arrival.step.fields.state = state;
  return state;
}

/** After everything else that happened to its state. */
function lastFreeMoment(draft: Draft, asset: PlannedAsset, turn = 0): number {
  const busy = asset.windows.map(({ to }) => to);
  const from = Math.max(asset.created + dayMs, turn, ...busy) + hourMs;
  return momentBetween(draft.random, from, Math.max(from + hourMs, draft.end - hourMs));
}

function say(
  draft: Draft,
  asset: PlannedAsset,
  change: { at: number; note?: string } & Omit<Extract<Step, { do: "set_state" }>, "do" | "asset">,
): void {
  const { at, note, ...state } = change;
  draft.actions.push({
    at,
    actor: pickWorker(draft, placeAt(asset, at), at),
    step: { do: "set_state", asset: asset.key, ...state },
    ...(note !== undefined && { note }),
    events: { own: 1, system: 0 },
  });
}
