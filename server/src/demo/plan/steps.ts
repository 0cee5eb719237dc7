import type { AssetState } from "../../db/entities/assets.js";
import type { AssetUpdate } from "../../domain/assets/asset-updates.js";
import type { StateChange } from "../../domain/assets/change-asset-state.js";
import type { NewAsset } from "../../domain/assets/create-asset.js";
import type { TaskUpdate } from "../../domain/tasks/task-updates.js";
import type { NewTask } from "../../domain/tasks/create-task.js";
import { people, sampleDays, type Person } from "../data/northgate.js";
import { dayMs, hourMs } from "./calendar.js";
import type { Random } from "./random.js";

/**
 * What somebody does. Wherever an id belongs there is a key of the plan, or the name of a
 * workspace: ids are not known before the replay. "next" is the key of the occurrence that the end
 * of a repeating task makes.
 */
export type Step =
  | { do: "create_asset"; asset: string; fields: NewAsset }
  | { do: "update_asset"; asset: string; fields: AssetUpdate }
  | { do: "set_state"; asset: string; fields: StateChange }
  | { do: "create_task"; task: string; fields: NewTask }
  | { do: "update_task"; task: string; fields: TaskUpdate; next?: string | undefined };

export interface Action {
  at: number;
  actor: string;
  step: Step;
  source: "mcp" | "web" | "import";
  /** The higher, the more the finished work cost. */
  costRank?: number;
}

export interface PlannedAsset {
  key: string;
  /** As the asset is on the day of reference, the van of the stories aside. */
  fields: NewAsset;
  created: number;
  /** Its state on the day of reference. */
  end: AssetState;
  /** When it came into that state, if something keeps it from its use. */
  downSince?: number;
  /** Something changes its state: by chance nothing else shall. */
  isStatePlanned: boolean;
}

/** What is planned so far. */
export interface Plan {
  random: Random;
  asOf: string;
  /** When the first assets are brought in. */
  start: number;
  /** The evening before the day of reference: everything has happened by then. */
  end: number;
  assets: PlannedAsset[];
  actions: Action[];
}

export function createPlan(random: Random, asOf: string): Plan {
  const end = Date.parse(asOf) - 2 * hourMs;
  const start = end - sampleDays * dayMs + 10 * hourMs;
  return { random, asOf, start, end, assets: [], actions: [] };
}

/** Adds what is done in a workspace; by whom and by which way is left to chance if not given. */
export function act(
  plan: Plan,
  at: number,
  workspace: string | undefined,
  step: Step,
  given: Partial<Omit<Action, "at" | "step">> = {},
): void {
  const { random } = plan;
  const isImport = given.actor === undefined && isRoutine(step) && random.chance(0.28);
  const byPerson = random.chance(0.67) ? "mcp" : "web";
  plan.actions.push({
    at,
    actor: isImport ? "dara" : pickWorker(plan, workspace, at),
    source: isImport ? "import" : byPerson,
    step,
    ...given,
  });
}

/** What another system may have told. */
function isRoutine(step: Step): boolean {
  if (step.do !== "update_asset" || step.fields.workspace_id !== undefined) return false;
  return step.fields.condition !== undefined || step.fields.location !== undefined;
}

/** Somebody who works in a workspace at a time, else an admin of the organization. */
function pickWorker(plan: Plan, workspace: string | undefined, at: number): string {
  const workers = findWorkers(plan, workspace, at);
  if (workers.length > 0 && plan.random.chance(0.75)) return plan.random.pick(workers);
  const admins = people.filter(({ role }) => role !== "member");
  return plan.random.pick(admins.filter((person) => isThere(plan, person, at))).key;
}

/** Somebody to do or hold something from then on who is still there on the day of reference. */
export function pickAssignee(
  plan: Plan,
  workspace: string | undefined,
  at: number,
): string | undefined {
  const now = findWorkers(plan, workspace, plan.end);
  const workers = findWorkers(plan, workspace, at).filter((key) => now.includes(key));
  return workers.length > 0 ? plan.random.pick(workers) : undefined;
}

function findWorkers(plan: Plan, workspace: string | undefined, at: number): string[] {
  const worksThere = ({ workspaces }: Person) =>
    workspaces.some(([name, role]) => name === workspace && role !== "viewer");
  return people
    .filter((person) => worksThere(person) && isThere(plan, person, at))
    .map(({ key }) => key);
}

function isThere({ end }: Plan, { joined, lastActive }: Person, at: number): boolean {
  return lastActive !== null && at >= end - joined * dayMs && at <= end - lastActive * dayMs;
}

/** Whether an asset is of a kind, and not a part of one that is. */
export function isOfKind({ fields }: PlannedAsset, category: string): boolean {
  return fields.category === category && fields.parent_asset_id === undefined;
}

/** The state that an asset has when nothing keeps it from its use. */
export function usualState({ end }: PlannedAsset): "available" | "in_use" | "stored" {
  return end === "available" || end === "stored" ? end : "in_use";
}

export function setState(plan: Plan, asset: PlannedAsset, at: number, fields: StateChange): void {
  act(plan, at, asset.fields.workspace_id, { do: "set_state", asset: asset.key, fields });
}

export interface Task {
  key: string;
  asset: PlannedAsset;
  fields: NewTask;
}

/** Somebody plans or reports work; mostly it is assigned at once. */
export function createTask(
  plan: Plan,
  asset: PlannedAsset,
  at: number,
  given: Omit<NewTask, "asset_id" | "assigned_to_user_id">,
): Task {
  const { random } = plan;
  const { workspace_id } = asset.fields;
  const fields: NewTask = {
    asset_id: asset.key,
    ...(random.chance(0.6) && { estimated_minutes: random.between(1, 16) * 15 }),
    ...given,
    assigned_to_user_id: random.chance(0.75) ? pickAssignee(plan, workspace_id, at) : undefined,
  };
  const key = `task ${plan.actions.length}`;
  act(plan, at, workspace_id, { do: "create_task", task: key, fields });
  return { key, asset, fields };
}

/** By who was told to, while they work there; else by somebody of the place. */
export function updateTask(
  plan: Plan,
  { key: task, asset, fields: { assigned_to_user_id: assignee = "" } }: Task,
  at: number,
  fields: TaskUpdate,
  { next, ...rank }: { costRank?: number; next?: string | undefined } = {},
): void {
  const { workspace_id } = asset.fields;
  const isThere = findWorkers(plan, workspace_id, at).includes(assignee);
  const given = { ...rank, ...(isThere && { actor: assignee }) };
  act(plan, at, workspace_id, { do: "update_task", task, fields, next }, given);
}

/** Done at a time; begun some hours before, as downtime needs and others often tell. */
export function completeTask(plan: Plan, task: Task, at: number, next?: string): void {
  const { random } = plan;
  const { asset, fields } = task;
  const begun = at - random.between(1, 5) * hourMs;
  const isDown = fields.requires_downtime === true;
  if (isDown || random.chance(0.45)) updateTask(plan, task, begun, { state: "in_progress" });
  const isRepair = fields.type === "corrective";
  const update: TaskUpdate = {
    state: "completed",
    checklist_done: fields.checklist?.map((_, index) => index + 1),
    ...(isRepair && {
      failure_cause: random.pick(["wear", "wear", "operation", "external", "unknown"]),
      activity: random.pick(["repair", "replace", "adjust"]),
      downtime_minutes: Math.round((at - begun) / 60_000),
    }),
    ...(random.chance(0.5) && { actual_minutes: random.between(2, 48) * 5 }),
  };
  const price = Math.log10(asset.fields.purchase_cost ?? 1) / 4;
  const costRank = 0.8 * random.next() + price + (isRepair ? 0.2 : 0);
  updateTask(plan, task, at, update, { costRank, next });
}
