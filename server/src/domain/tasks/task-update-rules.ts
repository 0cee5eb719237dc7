import { completionFields, plannedFields, type TaskState } from "../../db/entities/tasks.js";
import { clearableNames } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { isFuture, nowOf } from "../access/clock.js";
import { isOpenState } from "./task-states.js";
import type { AssetRecord } from "../assets/asset-record.js";
import type { GivenStep } from "./checklist-steps.js";
import type { GivenTaskFields } from "./task-fields.js";
import type { Recurrence } from "./task-plans.js";
import type { TaskRecord } from "./task-record.js";
import { toNextState } from "./task-transitions.js";

/**
 * Fields that can be cleared. Clearing recurrence ends the repetition. Clearing procedure keeps the
 * steps.
 */
export const clearableTaskFields = [
  ...clearableNames(plannedFields),
  "recurrence" as const,
  "procedure" as const,
  ...clearableNames(completionFields),
];

export type ClearableField = (typeof clearableTaskFields)[number];

export interface TaskUpdate extends GivenTaskFields {
  asset_id?: string | undefined;
  /** Moves work on a place. Work on an asset moves with the asset. */
  workspace_id?: string | undefined;
  recurrence?: Recurrence | undefined;
  clear_fields?: ClearableField[] | undefined;
  /** "overdue" is rejected, because it follows from the due date. */
  state?: TaskState | "overdue" | undefined;
  /** RFC 3339. Defaults to now. */
  completed_at?: string | undefined;
  /** When the person made the change, if it is stored later. Starts, answers and readings keep it. */
  made_at?: string | undefined;
  /** Replaces the steps. Those with the same label and kind keep their answers. */
  checklist?: (string | GivenStep)[] | undefined;
  /** Id or name of another procedure, whose steps replace the present ones. */
  procedure?: string | undefined;
  checklist_done?: number[] | undefined;
  /** Steps to finish, or to reopen. The others stay unchanged. */
  checklist_tick?: number[] | undefined;
  checklist_untick?: number[] | undefined;
  /**
   * Of the task's asset from now on, as seen after the work. "same" means that it can still be
   * used. A failed step that takes the asset out of service overrules this.
   */
  asset_state?: "same" | "available" | "out_of_service" | undefined;
  /** By the number of the step. */
  checklist_answers?: Record<string, string> | undefined;
  /** The ids of drawn signatures, by the number of the step. */
  checklist_drawings?: Record<string, string> | undefined;
  note?: string | undefined;
  comment?: string | undefined;
  expected_version?: number | undefined;
}

/** Completion may be recorded later, even before the task existed, but never in the future. */
export function toCompletedAt(caller: Caller, given: string | undefined): Date | undefined {
  if (given === undefined) return undefined;
  const at = new Date(given);
  if (isFuture(caller, at)) {
    throw new AppError("validation_failed", "in_future", { field: "completed_at" });
  }
  const now = nowOf(caller);
  return at > now ? now : at;
}

/** Checks an update against the task. Returns the state after the update. */
export function checkRules(
  task: TaskRecord,
  update: TaskUpdate,
  cleared: ReadonlySet<ClearableField>,
): TaskState {
  if (task.hidden) throw new AppError("invalid_transition", "task_of_retired");
  checkPlace(task, update);
  const state = toNextState(task, update.state);
  if (update.completed_at !== undefined && state !== "completed") {
    throw new AppError("validation_failed", "only_when_completed", { field: "completed_at" });
  }
  if (!isOpenState(task.state) && !isOpenState(state)) refusePlanOfFinished(task, update, cleared);
  const due = cleared.has("due_date") ? null : update.due_date;
  if (due !== undefined && due !== task.due_date) refuseDueOfFinished(task.state, state);
  return state;
}

function refusePlanOfFinished(
  { state }: TaskRecord,
  { recurrence, checklist, procedure }: TaskUpdate,
  cleared: ReadonlySet<ClearableField>,
): void {
  if (recurrence !== undefined || cleared.has("recurrence")) {
    throw new AppError("invalid_transition", "repetition_of_finished", {
      field: "recurrence",
      state,
    });
  }
  const isOther = procedure !== undefined || cleared.has("procedure");
  if (checklist === undefined && !isOther) return;
  const field = isOther ? "procedure" : "checklist";
  throw new AppError("invalid_transition", "steps_of_finished", { field });
}

/** Work that ended late stays late. The due date is fixed unless the task is reopened. */
function refuseDueOfFinished(before: TaskState, after: TaskState): void {
  if (isOpenState(before) || isOpenState(after)) return;
  const details = { field: "due_date", state: before };
  throw new AppError("invalid_transition", "due_date_of_finished", details);
}

function checkPlace(task: TaskRecord, update: TaskUpdate): void {
  if (update.asset_id !== undefined && update.workspace_id !== undefined) {
    const details = { field: "asset_id", given: "both" } as const;
    throw new AppError("validation_failed", "task_without_site", details);
  }
  if (task.asset_id !== null && update.workspace_id !== undefined) {
    throw new AppError("validation_failed", "workspace_of_asset_task", { field: "workspace_id" });
  }
  if (task.asset_id === null && update.requires_downtime === true) {
    throw new AppError("validation_failed", "no_downtime_of_place", { field: "requires_downtime" });
  }
}

/** Work that has begun or ended stays with its asset, whose states and costs refer to it. */
export function checkMove(task: TaskRecord, asset: AssetRecord): void {
  refuseRetired(asset);
  if (task.state !== "scheduled") {
    const details = { field: "asset_id", state: task.state };
    throw new AppError("invalid_transition", "work_has_begun", details);
  }
}

/** A retired asset gets no work until it is restored. */
export function refuseRetired({ state }: Pick<AssetRecord, "state">): void {
  if (state !== "deleted") return;
  throw new AppError("invalid_transition", "retired_without_new_tasks", { field: "asset_id" });
}
