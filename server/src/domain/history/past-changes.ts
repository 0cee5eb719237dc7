import { isDeepStrictEqual } from "node:util";
import type { HistoryEventType } from "../../db/entities/history.js";
import { shortValue, type Change } from "./record-events.js";

/** An event of an asset or task, from the first undone one on. */
export interface PastEvent {
  type: HistoryEventType;
  changes: Change[];
  before: Record<string, unknown> | null;
  actor: string;
  isBySystem: boolean;
  /** True if the undo includes the event. */
  isSelected: boolean;
}

export interface RestoredField {
  field: string;
  /** Undefined for empty. */
  value: unknown;
  /** The first undone event after the last event that isn't undone. */
  since: PastEvent;
}

export interface KeptField {
  field: string;
  /** Undefined if the history doesn't say. */
  by: string | undefined;
}

interface FieldChange extends Change {
  event: PastEvent;
}

/** Names stored next to their reference, and fields that aren't part of the record. */
const notRestored = new Set([
  ...["workspace_name", "parent_asset", "assigned_to", "asset_name", "last_seen_at"],
  "procedure",
  ...["merged_into_asset_id", "merged_into", "files", "meters", "comment"],
  ...["contractor_link", "contractor_done"],
]);

function isRestored(field: string): boolean {
  return !notRestored.has(field) && !isReading(field);
}

export const isReading = (field: string) => field.startsWith("meter: ");

/** Returns true if a selected event changed such a field. */
export function hasChanged(
  events: readonly PastEvent[],
  isIt: (field: string) => boolean,
): boolean {
  return events.some(
    ({ isSelected, changes }) => isSelected && changes.some(({ field }) => isIt(field)),
  );
}

/**
 * Sorts the fields of the selected events into restored and kept. A field whose last change is
 * selected is restored. A field that others changed later is kept.
 */
export function findRestorations(
  events: readonly PastEvent[],
  presentOf: (field: string) => unknown,
): { restored: RestoredField[]; kept: KeptField[] } {
  const restored: RestoredField[] = [];
  const kept: KeptField[] = [];
  for (const [field, all] of changesByField(events)) {
    const changes = all.slice(all.findIndex(({ event }) => event.isSelected));
    const lastOfOthers = changes.findLastIndex(({ event }) => !event.isSelected);
    const [first, last] = [changes[0], changes.at(-1)];
    if (first === undefined || last === undefined) continue;
    const start = changes[lastOfOthers + 1];
    if (start === undefined) {
      if (!isSame(fullFrom(first), last.to)) kept.push({ field, by: last.event.actor });
    } else if (!isSame(presentOf(field), last.to)) {
      if (!isSame(presentOf(field), fullFrom(start))) kept.push({ field, by: undefined });
    } else if (!isSame(presentOf(field), fullFrom(start))) {
      restored.push({ field, value: fullFrom(start), since: start.event });
    }
  }
  return { restored, kept };
}

/** Restores the workspace first, because the assignee must be able to see it. */
export function placeFirst(fields: readonly RestoredField[]): readonly RestoredField[] {
  const isPlace = ({ field }: RestoredField) => field === "workspace_id" || field === "asset_id";
  return [...fields.filter(isPlace), ...fields.filter((one) => !isPlace(one))];
}

/** Includes only fields that a selected event changed. */
function changesByField(events: readonly PastEvent[]): Map<string, FieldChange[]> {
  const found = new Map<string, FieldChange[]>();
  for (const event of events) {
    for (const change of event.changes) {
      const { field } = change;
      if (!isRestored(field)) continue;
      if (event.isSelected && !found.has(field)) found.set(field, []);
      found.get(field)?.push({ ...change, event });
    }
  }
  return found;
}

/** For long texts, the event also stores the full value. */
function fullFrom({ field, from, event }: FieldChange): unknown {
  return event.before?.[field] ?? from;
}

function isSame(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(toCompared(left), toCompared(right));
}

function toCompared(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  return shortValue(value);
}
