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
 * A person's action. Ids are keys of the plan or workspace names, because real ids aren't known
 * before the replay. "next" is the key of the occurrence that the end of a recurring task creates.
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
  /** A higher rank means a higher cost of the finished work. */
  costRank?: number;
}

export interface PlannedAsset {
  key: string;
  /** The asset's fields on the reference day, except for the van of the stories. */
  fields: NewAsset;
  created: number;
  /** State on the reference day. */
  end: AssetState;
  /** When the asset entered that state, if the state prevents its use. */
  downSince?: number;
  /** True if a plan changes the state, so no random change must. */
  isStatePlanned: boolean;
}

export interface Plan {
  random: Random;
  asOf: string;
  /** When the first assets arrive. */
  start: number;
  /** The evening before the reference day, by which everything has happened. */
  end: number;
  assets: PlannedAsset[];
  actions: Action[];
}

export function createPlan(random: Random, asOf: string): Plan {
  const end = Date.parse(asOf) - 2 * hourMs;
  const start = end - sampleDays * dayMs + 10 * hourMs;
  return { random, asOf, start, end, assets: [], actions: [] };
}

/** Adds an action in a workspace. Picks actor and source at random if not given. */
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

/** True if another system could have reported the change. */
function isRoutine(step: Step): boolean {
  if (step.do !== "update_asset" || step.fields.workspace_id !== undefined) return false;
  return step.fields.condition !== undefined || step.fields.location !== undefined;
}

/** Returns a person who works in the workspace at that time, or an admin of the organization. */
function pickWorker(plan: Plan, workspace: string | undefined, at: number): string {
  const workers = findWorkers(plan, workspace, at);
  if (workers.length > 0 && plan.random.chance(0.75)) return plan.random.pick(workers);
  const admins = people.filter(({ role }) => role !== "member");
  return plan.random.pick(admins.filter((person) => isThere(plan, person, at))).key;
}

/** Returns an assignee who still works there on the reference day. */
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

/** Returns true if the asset is of the kind and isn't a child asset. */
export function isOfKind({ fields }: PlannedAsset, category: string): boolean {
  return fields.category === category && fields.parent_asset_id === undefined;
}

/** The asset's state while nothing prevents its use. */
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

/** Plans or reports work, usually with an immediate assignment. */
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

/** The assignee acts while they work there, otherwise a person of the workspace. */
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

/** Completes a task. Starts it some hours before if it needs downtime, and often otherwise. */
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
