import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { Change } from "./record-events.js";
import { toStoredError, type StoredError } from "../shared/refusals.js";
import { isTransient } from "../../db/query-errors.js";
import { hasChanged, type KeptField, type PastEvent } from "./past-changes.js";
import type { Selection } from "./selections.js";

export interface Subject {
  kind: "asset" | "task";
  id: string;
  /** True if the selected events created the record. The undo then removes it. */
  isCreated: boolean;
  events: PastEvent[];
}

export interface Conflict {
  /** Undefined for the whole record. */
  field?: string;
  /** The person who has changed or worked on it since. */
  by?: string | undefined;
  refusal?: StoredError;
}

/** The actual or planned effect of an undo on a record. */
export interface Undone {
  subject: { kind: Subject["kind"] | "workspace" | "invite"; id: string };
  /** Number and name, if the record exists and the caller sees it. */
  name: string;
  changes: Change[];
  /** True if the record is retired or cancelled because the undone changes created it. */
  isRemoved: boolean;
  conflicts: Conflict[];
}

export interface Undoing {
  tx: Tx;
  caller: Caller;
  subject: Subject;
  selection: Selection;
  /** False for a plan, which stores nothing. */
  isApplied: boolean;
}

export function toConflicts(kept: readonly KeptField[], events: readonly PastEvent[]): Conflict[] {
  const conflicts: Conflict[] = kept.map(({ field, by }) => ({ field, by }));
  for (const field of ["files", "meters"] as const) {
    if (!hasChanged(events, (name) => name === field)) continue;
    const refusal = { code: "conflict", key: `${field}_not_undone`, params: {} } as const;
    conflicts.push({ field, refusal });
  }
  return conflicts;
}

/** Converts a refusal into a conflict. Rethrows any other error. */
export async function orConflict<Result>(
  conflicts: Conflict[],
  field: string | undefined,
  run: () => Result | Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    conflicts.push({ ...(field !== undefined && { field }), refusal: toStoredError(error) });
    return undefined;
  }
}

/**
 * Returns the reason that one record can't be undone while others are. Returns undefined for a
 * transient error.
 */
export function toRefusal(error: unknown, report: (error: unknown) => void): AppError | undefined {
  if (isTransient(error)) return undefined;
  if (error instanceof AppError) return error;
  report(error);
  return new AppError("conflict", "undo_refused", {}, { cause: error });
}

/** Returns the person who has used a record since the undone changes created it. */
export function findBuilder(events: readonly PastEvent[]): string | undefined {
  return events.find(({ isSelected }) => !isSelected)?.actor;
}
