import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { plannedFields, type StepDefinition } from "../../db/entities/tasks.js";
import type { Given } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import { getAssignee } from "../shared/assignees.js";
import { lockAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import type { Warning } from "../shared/warnings.js";
import { omit } from "../shared/omit.js";
import { projectNextDue, type RepeatRule } from "./next-due-date.js";
import { rejectNonePlaceholder } from "../shared/none-placeholder.js";
import { workspaceRefOf, requireRoleIn, type WorkspaceRef } from "../access/roles.js";
import { toTaskSummary, type TaskSummary } from "./task-answers.js";
import { cleanFields, startFields } from "../shared/clean-fields.js";
import { cleanChecklist, type GivenStep } from "./checklist-steps.js";
import { withStepMeters } from "./task-checklists.js";
import { pickProcedure, type ProcedureCopy } from "./procedures.js";
import { createPlan, toRule, type Recurrence } from "./task-plans.js";
import { refuseRetired } from "./task-update-rules.js";
import { withMeter, type MeteredRule } from "./usage-rules.js";
import { storeNewTask, type TaskStart } from "./task-store.js";
import { findDuplicateTitleWarning, findOverdueWarning } from "./task-warnings.js";
import { getWorkspace } from "../shared/workspace-references.js";

/** The type defaults to corrective for an asset that is out of service, otherwise to preventive. */
export interface NewTask extends Given<typeof plannedFields> {
  /** Exactly one of asset_id and workspace_id. */
  asset_id?: string | undefined;
  workspace_id?: string | undefined;
  title: string;
  recurrence?: Recurrence | undefined;
  checklist?: (string | GivenStep)[] | undefined;
  /** Id or name of the procedure to copy steps from, instead of `checklist`. */
  procedure?: string | undefined;
}

export interface CreatedTask {
  task: Omit<TaskSummary, "progress"> & {
    /** Set for work on a place. Work on an asset is in the asset's workspace. */
    workspace_id?: string;
    workspace_name?: string;
  };
  next_due_date: string | null;
  warnings: Warning[];
}

interface Site {
  asset: { id: string; name: string; state: AssetState } | null;
  place: WorkspaceRef;
}

export async function createTask(tx: Tx, caller: Caller, given: NewTask): Promise<CreatedTask> {
  const checked = await checkNewTask(tx, caller, given);
  const { fields, metered, site, assigneeId, checklist, procedure } = checked;
  const { due_date: dueDate } = fields;
  const today = todayOf(caller);
  const warnings = [
    ...findOverdueWarning(dueDate, today),
    ...(await findDuplicateTitleWarning(tx, caller, fields.title, site)),
  ];
  const plan = metered && {
    id: await createPlan(tx, caller, metered.rule),
    occurrence: 1,
    dueUsage: metered.dueUsage,
  };
  const { id, number } = await storeNewTask(tx, caller, {
    fields,
    assetId: site.asset?.id ?? null,
    workspaceId: site.place?.id ?? null,
    assigneeId,
    checklist,
    procedure,
    plan,
  });
  return {
    task: toNewSummary(caller, { id, task_number: number, ...fields }, { site, today }),
    next_due_date: nextDueAfter(metered?.rule, dueDate, today),
    warnings,
  };
}

interface CheckedTask {
  fields: StartFields;
  metered: MeteredRule | undefined;
  checklist: StepDefinition[];
  procedure: ProcedureCopy | undefined;
  site: Site;
  assigneeId: string | null;
}

/** Validates a new task by all rules. Stores nothing. `known` is the asset, if already found. */
export async function checkNewTask(
  tx: Tx,
  caller: Caller,
  given: NewTask,
  known?: AssetRecord,
): Promise<CheckedTask> {
  rejectNonePlaceholder({ assigned_to_user_id: given.assigned_to_user_id }, "leave out");
  rejectNonePlaceholder({ workspace_id: given.workspace_id }, "name site");
  const cleaned = cleanFields(plannedFields, given);
  const dueDate = given.due_date ?? null;
  const { recurrence } = given;
  const rule = recurrence && toRule(recurrence, dueDate);
  const { checklist: steps, procedure } = await findSteps(tx, caller, given);
  const site =
    known === undefined
      ? await findSite(tx, caller, given)
      : { asset: known, place: workspaceRefOf(known) };
  const assigneeId = await findAssigneeId(tx, caller, given, site.place);
  await requireRoleIn(tx, caller, site.place, "member", "add tasks");
  if (site.asset !== null) refuseRetired(site.asset);
  const assetId = site.asset?.id ?? null;
  const areOfProcedure = procedure !== undefined;
  const checklist = await withStepMeters(tx, caller, steps, assetId, { areOfProcedure });
  const metered = rule && (await withMeter(tx, caller, rule, recurrence, assetId));
  const fields = withDefaults(cleaned, given.title, site);
  return { fields, metered, checklist, procedure, site, assigneeId };
}

async function findSteps(
  tx: Tx,
  caller: Caller,
  { checklist = [], procedure: reference }: NewTask,
): Promise<Pick<CheckedTask, "checklist" | "procedure">> {
  if (reference === undefined) {
    return { checklist: cleanChecklist(checklist), procedure: undefined };
  }
  if (checklist.length > 0) {
    throw new AppError("validation_failed", "procedure_and_steps", { field: "procedure" });
  }
  const procedure = await pickProcedure(tx, caller, reference);
  return { checklist: procedure.steps, procedure };
}

type StartFields = TaskStart["fields"];

function withDefaults(cleaned: Partial<StartFields>, title: string, { asset }: Site): StartFields {
  const type = asset?.state === "out_of_service" ? "corrective" : "preventive";
  return { ...startFields(plannedFields), type, title, ...cleaned };
}

function toNewSummary(
  caller: Caller,
  task: Pick<StartFields, "title" | "due_date"> & { id: string; task_number: number },
  { site, today }: { site: Site; today: string },
): CreatedTask["task"] {
  const asset = { asset_id: site.asset?.id ?? null, asset_name: site.asset?.name ?? null };
  const start = { state: "scheduled", hidden: false, version: 1 } as const;
  const place = site.asset === null ? site.place : null;
  return {
    ...omit(toTaskSummary(caller, { ...task, ...asset, ...start }, today), "progress"),
    ...(place !== null && { workspace_id: place.id, workspace_name: place.name }),
  };
}

async function findAssigneeId(
  tx: Tx,
  caller: Caller,
  { assigned_to_user_id: reference }: NewTask,
  place: WorkspaceRef,
): Promise<string | null> {
  return reference === undefined ? null : (await getAssignee(tx, caller, reference, place)).id;
}

async function findSite(tx: Tx, caller: Caller, given: NewTask): Promise<Site> {
  const { asset_id, workspace_id } = given;
  if ((asset_id === undefined) === (workspace_id === undefined)) {
    const details = { field: "asset_id", given: asset_id === undefined ? "none" : "both" } as const;
    throw new AppError("validation_failed", "task_without_site", details);
  }
  if (asset_id !== undefined) {
    const asset = await lockAssetRecord(tx, caller, asset_id);
    return { asset, place: workspaceRefOf(asset) };
  }
  if (given.requires_downtime === true) {
    throw new AppError("validation_failed", "no_downtime_of_place", { field: "requires_downtime" });
  }
  return {
    asset: null,
    place: await getWorkspace(tx, caller, workspace_id ?? "", "workspace_id", { lock: true }),
  };
}

function nextDueAfter(
  rule: RepeatRule | undefined,
  dueDate: string | null,
  today: string,
): string | null {
  return rule === undefined || dueDate === null ? null : projectNextDue(rule, dueDate, today);
}
