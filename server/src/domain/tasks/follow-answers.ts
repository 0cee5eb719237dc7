import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { TaskChecklistItem } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { storeAssetChange } from "../assets/asset-differences.js";
import { readAssetRecord } from "../assets/asset-record.js";
import { storeAssetState } from "../assets/store-asset-state.js";
import { workspaceRefOf } from "../access/roles.js";
import { findMeters, pickMeter } from "../meters/meters.js";
import { recordReadings, type GivenReading } from "../meters/record-readings.js";
import { toTaskNumber } from "../shared/task-references.js";
import type { Warning } from "../shared/warnings.js";
import { findStop, isFailed, type Step } from "./checklist-steps.js";
import type { StepsChange } from "./task-checklists.js";
import type { TaskRecord } from "./task-record.js";
import { storeNewTask } from "./task-store.js";

interface Followed {
  warnings: Warning[];
  assetState?: AssetState;
}

/**
 * Applies the rules of newly answered steps of a locked task: readings of meters, and for failed
 * answers a warning, a follow-up task and the asset's state.
 */
export async function followAnswers(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  { before, after, origins = before }: StepsChange,
): Promise<Followed> {
  const earlier = ({ position }: Step) => origins[position - 1];
  const answered = after.filter(
    (step) => step.answer !== null && step.answer !== earlier(step)?.answer,
  );
  const failed = answered.filter(isFailed);
  const isNew = (step: Step) => !isFailed(earlier(step) ?? { ...step, answer: null });
  const warnings = await recordMeters(tx, caller, task, answered);
  for (const step of failed) {
    const { position: number, label, answer, unit, min } = step;
    warnings.push({ key: "step_failed", number, label, answer: answer ?? "", unit, min });
    if (step.follow_up === null || step.follow_up_task_id !== null) continue;
    const task_number = await addFollowUp(tx, caller, task, step);
    warnings.push({ key: "follow_up_added", task_number, title: step.follow_up });
  }
  const isDown = await takeOutOfService(tx, caller, task, failed.filter(isNew));
  return { warnings, ...(isDown && { assetState: "out_of_service" }) };
}

async function recordMeters(
  tx: Tx,
  caller: Caller,
  { asset_id: assetId }: TaskRecord,
  answered: readonly Step[],
): Promise<Warning[]> {
  const measured = answered.filter(({ meter }) => meter !== null);
  if (measured.length === 0 || assetId === null) return [];
  const meters = await findMeters(tx, caller, assetId);
  const missing: Warning[] = [];
  const readings: GivenReading[] = [];
  for (const { meter, answer, done_at } of measured) {
    const found = pickMeter(meters, meter ?? "", "checklist");
    if (found === undefined) missing.push({ key: "step_without_meter", name: meter ?? "" });
    else readings.push({ meter: found.id, value: Number(answer), readAt: done_at ?? undefined });
  }
  const asset = await readAssetRecord(tx, caller, assetId);
  const recorded = await recordReadings(tx, caller, asset, readings);
  const difference = { fields: {}, place: workspaceRefOf(asset), readings: recorded };
  if (recorded.changes.length > 0) await storeAssetChange(tx, caller, asset, difference, undefined);
  return [...missing, ...recorded.warnings];
}

/** Adds a corrective task for today that no one is assigned to yet. Returns its number. */
async function addFollowUp(tx: Tx, caller: Caller, task: TaskRecord, step: Step): Promise<string> {
  const { id, number } = await storeNewTask(tx, caller, {
    fields: {
      title: step.follow_up ?? "",
      description: `${toTaskNumber(task.task_number)}: ${step.label}`,
      type: "corrective",
      priority: step.follow_up_priority ?? "high",
      due_date: todayOf(caller),
      estimated_minutes: null,
      requires_downtime: false,
    },
    assetId: task.asset_id,
    workspaceId: task.workspace_id,
    assigneeId: null,
    checklist: [],
    bySystem: true,
  });
  const { position } = step;
  const where = { organization_id: caller.organizationId, task_id: task.id, position };
  await tx.update(TaskChecklistItem, where, { follow_up_task_id: id });
  return toTaskNumber(number);
}

/** Applies the rule of a failed step, if one has it. Returns false if nothing changed. */
export async function takeOutOfService(
  tx: Tx,
  caller: Caller,
  task: TaskRecord,
  failed: readonly Step[],
): Promise<boolean> {
  const step = findStop(failed);
  if (step === undefined || task.asset_id === null) return false;
  const asset = await readAssetRecord(tx, caller, task.asset_id);
  const state = "out_of_service";
  if (asset.state === state) return false;
  const note = `${toTaskNumber(task.task_number)}: ${step.label}`;
  await storeAssetState(tx, caller, asset, { state, note });
  return true;
}
