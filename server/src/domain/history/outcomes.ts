import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import type { Change } from "./record-events.js";
import { toKeptRefusal, type KeptRefusal } from "../shared/refusals.js";
import { isTransient } from "../../db/query-errors.js";
import { changedBeside, type KeptField, type PastEvent } from "./past-changes.js";
import type { Selection } from "./selections.js";

/** An asset or a task whose history is partly undone. */
export interface Subject {
  kind: "asset" | "task";
  id: string;
  /** What the selected events did first: a record that they made is removed. */
  isCreated: boolean;
  events: PastEvent[];
}

/** What is not undone, and stays as it is. */
export interface Conflict {
  /** Undefined for the record as a whole. */
  field?: string;
  /** Who has changed it, or worked on it, since. */
  by?: string | undefined;
  /** Why it cannot be. */
  refusal?: KeptRefusal;
}

/** What an undo does to a record, or would do. */
export interface Undone {
  subject: { kind: Subject["kind"] | "workspace" | "invite"; id: string };
  /** Number and name, as far as the record is there and seen. */
  name: string;
  changes: Change[];
  /** Retired or cancelled, because it was made by what is undone. */
  isRemoved: boolean;
  conflicts: Conflict[];
}

/** Everything that the undo of one record needs. */
export interface Undoing {
  tx: Tx;
  caller: Caller;
  subject: Subject;
  selection: Selection;
  /** Whether to store it; else it is only planned. */
  isApplied: boolean;
}

export function toConflicts(kept: readonly KeptField[], events: readonly PastEvent[]): Conflict[] {
  const conflicts: Conflict[] = kept.map(({ field, by }) => ({ field, by }));
  for (const field of ["files", "meters"] as const) {
    if (!changedBeside(events, field)) continue;
    const refusal = { code: "conflict", key: `${field}_not_undone`, params: {} } as const;
    conflicts.push({ field, refusal });
  }
  return conflicts;
}

/** Turns what the rules refuse into a conflict; any other error goes on. */
export async function orConflict<Result>(
  conflicts: Conflict[],
  field: string | undefined,
  run: () => Result | Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    conflicts.push({ ...(field !== undefined && { field }), refusal: toKeptRefusal(error) });
    return undefined;
  }
}

/** The reason that one record can't be undone while others are; undefined for an error that may pass. */
export function toRefusal(error: unknown, report: (error: unknown) => void): AppError | undefined {
  if (isTransient(error)) return undefined;
  if (error instanceof AppError) return error;
  report(error);
  return new AppError("conflict", "undo_refused", {}, { cause: error });
}

/** Who has done something with a record since it was made by what is undone. */
export function findBuilder(events: readonly PastEvent[]): string | undefined {
  return events.find(({ isSelected }) => !isSelected)?.actor;
}
