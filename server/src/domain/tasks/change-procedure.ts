import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { compareLink, toNamed, type Comparison } from "../history/differences.js";
import { pickProcedure, type ProcedureCopy } from "./procedures.js";
import { readSteps } from "./task-checklists.js";
import type { TaskRecord } from "./task-record.js";
import type { ClearableField, TaskUpdate } from "./task-update-rules.js";

/**
 * The procedure that an update gives a task. Undefined keeps the present one, even if it has a newer
 * version. Null leaves the steps without a procedure. Steps with answers aren't replaced.
 */
export async function findNewProcedure(
  tx: Tx,
  caller: Caller,
  task: Pick<TaskRecord, "id" | "procedure_id">,
  { procedure: reference, checklist }: TaskUpdate,
  cleared: ReadonlySet<ClearableField>,
): Promise<ProcedureCopy | null | undefined> {
  if (cleared.has("procedure")) return null;
  if (reference === undefined) return undefined;
  const field = "procedure";
  if (checklist !== undefined)
    throw new AppError("validation_failed", "procedure_and_steps", { field });
  const procedure = await pickProcedure(tx, caller, reference);
  if (procedure.id === task.procedure_id) return undefined;
  const steps = await readSteps(tx, caller, task.id);
  const done = steps.find(({ done_at }) => done_at !== null);
  if (done === undefined) return procedure;
  const { position: step, label } = done;
  throw new AppError("invalid_transition", "procedure_of_done", { field, step, label });
}

/** Compares the procedure, with its version as a column. */
export function compareProcedure(
  comparison: Comparison,
  task: TaskRecord,
  after: Pick<ProcedureCopy, "id" | "name" | "version"> | null | undefined,
): void {
  const before = toNamed(task.procedure_id, task.procedure);
  if (after === undefined || after?.id === before?.id) return;
  const link = { idField: "procedure_id", nameField: "procedure", before, after };
  compareLink(comparison, "task_updated", link);
  comparison.columns.push(["procedure_version", after?.version ?? null]);
}
