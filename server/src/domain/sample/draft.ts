import type { AssetState, DeletionReason } from "../../db/entities/asset.js";
import type { NewAsset } from "../assets/create-asset.js";
import type { Action } from "./actions.js";
import { addDays, dayMs, startOfDay } from "./calendar.js";
import type { KindKey } from "./kinds.js";
import { sampleDays, samplePeople, type SamplePerson } from "./people.js";
import type { Random } from "./random.js";

/** A time in which an asset is worked on, so that nothing else shall happen to its state. */
export interface Window {
  from: number;
  to: number;
  /** Broken or taken out by hand, and given back as it was; else work on a task does both. */
  byHand?: { state: "out_of_service" | "in_maintenance"; note: string; back: string };
}

/** An asset as it shall be on the day of reference, and what the plan knows of its life so far. */
export interface PlannedAsset {
  key: string;
  kind: KindKey | undefined;
  isPart: boolean;
  fields: Omit<NewAsset, "parent_asset_id" | "assigned_to_user_id"> & { name: string };
  parent?: string;
  place: string | undefined;
  created: number;
  end: AssetState;
  reason?: DeletionReason;
  /** When it came into its last state, where that matters. */
  settles?: number;
  windows: Window[];
  tasks: number;
  /** It stood elsewhere before. */
  moved?: { at: number; from: string };
  /** Plays a part of its own: nothing else is invented about it. */
  isScripted: boolean;
}

/** Everything planned so far; each function of the plan adds its share. */
export interface Draft {
  random: Random;
  asOf: string;
  /** Midnight before the day of reference: everything has happened by then. */
  end: number;
  /** When the assets were brought in. */
  start: number;
  assets: PlannedAsset[];
  actions: Action[];
}

export function createDraft(random: Random, asOf: string): Draft {
  const start = startOfDay(addDays(asOf, -sampleDays)) + 8 * 3_600_000;
  return { random, asOf, end: startOfDay(asOf), start, assets: [], actions: [] };
}

export function isActive(draft: Draft, person: SamplePerson, at: number): boolean {
  if (person.lastActive === null) return false;
  const joined = draft.end - (person.joined ?? sampleDays + 10) * dayMs;
  const left = draft.end - (person.lastActive ?? 0) * dayMs;
  return at >= joined && at <= left;
}

/** Who may work at a place at a time: its people first, admins of the organization in any case. */
export function findWorkers(draft: Draft, place: string | undefined, at: number): SamplePerson[] {
  return samplePeople.filter((person) => {
    if (!isActive(draft, person, at)) return false;
    if (person.role !== "member") return true;
    const role = place === undefined ? undefined : person.workspaces?.[place];
    return role === "member" || role === "admin";
  });
}

/** Somebody of the place mostly, else an admin. */
export function pickWorker(draft: Draft, place: string | undefined, at: number): string {
  const workers = findWorkers(draft, place, at);
  const own = workers.filter(({ role }) => role === "member");
  const [first, ...rest] = own.length > 0 && draft.random.chance(0.75) ? own : workers;
  return draft.random.pick([first ?? samplePeople[0], ...rest]).key;
}

export function pickAdmin(draft: Draft, at: number): string {
  return pickWorker(draft, undefined, at);
}

/** Whether an asset is free from one time to another, with a few days to spare. */
export function isFree(asset: PlannedAsset, from: number, to: number): boolean {
  const latest = asset.settles ?? Infinity;
  if (from < asset.created + 5 * dayMs || to > latest - 2 * dayMs) return false;
  return asset.windows.every((other) => to + 3 * dayMs < other.from || from > other.to + 3 * dayMs);
}
