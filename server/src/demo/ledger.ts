import type { Tx } from "../db/database.js";
import type { AssetState, DeletionReason } from "../db/entities/assets.js";
import type { HistoryEventType, HistorySource } from "../db/entities/history.js";
import type { TaskState, TaskType } from "../db/entities/tasks.js";
import { toChange } from "../domain/history/differences.js";
import type { Change } from "../domain/history/record-events.js";
import { toTimestamp } from "../domain/shared/dates.js";
import { createId, createToken } from "../domain/shared/ids.js";
import { omit } from "../domain/shared/omit.js";
import { snapshotColumns } from "../domain/tasks/task-snapshots.js";
import type { Say } from "./data/tables.js";
import { answeredSteps } from "./data/work.js";

/** Called after each step with the number of stored rows. */
export type OnProgress = (done: number, all: number) => void | Promise<void>;

/** Runs work in a separate transaction, or in the transaction that contains everything. */
export type InTransaction = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

type Row = Record<string, unknown>;

/** In the order in which rows refer to each other. */
const tables = [
  ...["asset_categories", "assets", "meters", "meter_readings", "maintenance_plans"],
  ...["procedures", "procedure_versions"],
  ...["maintenance_tasks", "task_links", "task_checklist_items", "asset_state_periods"],
  ...["problem_reports", "rounds", "round_findings", "comments", "history_events"],
] as const;

export interface Author {
  id: string | null;
  name: string;
  source: HistorySource;
  client?: { id: string; name: string } | undefined;
  /** Of a contractor, for whom the person who shared the task is the author. */
  taskLinkId?: string;
}

export interface AssetRow extends Row {
  id: string;
  name: string;
  state: AssetState;
  workspace_id: string | null;
  version: number;
}

export interface TaskRow extends Row {
  id: string;
  title: string;
  type: TaskType;
  state: TaskState;
  asset_id: string | null;
  workspace_id: string | null;
  version: number;
}

const isDown = (state: AssetState) => state === "in_maintenance" || state === "out_of_service";

/**
 * Collects the finished rows of a sample, action by action in order of time, with the history that
 * the tools' functions would write. A test compares both.
 */
export class Ledger {
  readonly rows: Record<string, Row[]> = Object.fromEntries(tables.map((table) => [table, []]));
  readonly #periods = new Map<string, Row>();
  readonly #plans = new Map<unknown, Row>();
  readonly #steps = new Map<string, Row[]>();
  readonly #touched = new WeakMap<Row, string>();
  readonly #prefix: string;
  readonly #say: Say;
  #at = new Date(0);
  #request = "";
  author: Author = { id: null, name: "", source: "system" };

  constructor(inventoryPrefix: string, say: Say) {
    this.#prefix = inventoryPrefix;
    this.#say = say;
  }

  /** Begins a person's action. Everything until the next one belongs to it. */
  begin(at: number, author: Author): this {
    this.#at = new Date(at);
    this.#request = `req_${createToken()}`;
    this.author = author;
    return this;
  }

  add<Added extends Row>(table: (typeof tables)[number], row: Added): Added {
    this.rows[table]?.push(row);
    return row;
  }

  countOf(table: string): number {
    return this.rows[table]?.length ?? 0;
  }

  addCategory(name: string): string {
    return this.add("asset_categories", { id: createId("category"), name, created_at: this.#at })
      .id;
  }

  addAsset(fields: Row & Pick<AssetRow, "name" | "state" | "workspace_id">): AssetRow {
    const next = this.rows["assets"]?.filter(({ nth }) => nth !== undefined).length ?? 0;
    const isNumbered = fields["inventory_number"] === undefined;
    const made = { created_by: this.author.id, created_at: this.#at, updated_at: this.#at };
    const asset = this.add("assets", {
      inventory_number: `${this.#prefix}-${String(next + 1).padStart(6, "0")}`,
      ...{ id: createId("asset"), qr_token: createToken(), version: 1, ...made },
      ...{ state_changed_at: this.#at, tags: [], criticality: "medium" },
      ...fields,
      ...(isNumbered && { nth: next + 1 }),
    });
    this.#openPeriod(asset, fields.state);
    this.#record("asset_created", asset, null);
    return asset;
  }

  /** `task` is the work that takes the asset out of use or returns it. */
  setState(
    asset: AssetRow,
    state: AssetState,
    { note, reason, task }: { note?: string; reason?: DeletionReason; task?: TaskRow } = {},
  ): void {
    const from = asset.state;
    const isRetired = state === "deleted";
    const before = from === "deleted" && { state_before_deletion: asset["state_before_deletion"] };
    const former = asset["deletion_reason"];
    Object.assign(asset, {
      ...{ state, state_changed_at: this.#at, deleted_at: isRetired ? this.#at : null },
      ...{ deletion_reason: reason ?? null, state_before_deletion: isRetired ? from : null },
    });
    this.#touch(asset);
    Object.assign(this.#periods.get(asset.id) ?? {}, { ended_at: this.#at });
    this.#openPeriod(asset, state, from, task);
    const changes = [
      { field: "state", from, to: state },
      toChange("deletion_reason", former, reason),
    ];
    const restored = from === "deleted" ? "asset_restored" : "asset_state_changed";
    this.#record(isRetired ? "asset_deleted" : restored, asset, task ?? null, {
      changes: changes.filter((change) => "from" in change || "to" in change),
      note,
      ...(before && { before }),
      ...(task && { source: "system" }),
    });
  }

  #openPeriod(asset: AssetRow, state: AssetState, from?: AssetState, task?: TaskRow): void {
    const isBroken = [state, from].includes("out_of_service") || task?.type === "corrective";
    const kind = isDown(state) ? (isBroken ? "unplanned" : "planned") : null;
    const row = { asset_id: asset.id, state, started_at: this.#at, ended_at: null };
    const period = { ...row, downtime_kind: kind, task_id: (isDown(state) && task?.id) || null };
    this.#periods.set(asset.id, this.add("asset_state_periods", period));
  }

  /** Changes columns of an asset. References also have the name in `changes`. */
  changeAsset(
    asset: AssetRow,
    type: HistoryEventType,
    columns: Row,
    { note, changes }: { note?: string | undefined; changes?: Change[] } = {},
  ): void {
    const own = Object.entries(columns).map(([key, to]) => toChange(key, asset[key], to));
    Object.assign(asset, columns);
    this.#touch(asset);
    this.#record(type, asset, null, { changes: [...own, ...(changes ?? [])], note });
  }

  addPlan(rule: Row): string {
    const id = createId("plan");
    const made = { created_by: this.author.id, created_at: this.#at, active: true };
    this.#plans.set(id, this.add("maintenance_plans", { id, ...rule, ...made }));
    return id;
  }

  /** Adds a task with its steps. The next occurrence of repeating work is made by the system. */
  addTask(
    fields: Row & Pick<TaskRow, "title" | "type" | "asset_id" | "workspace_id">,
    { steps = [], bySystem = false }: { steps?: readonly string[]; bySystem?: boolean } = {},
  ): TaskRow {
    const made = { created_by: this.author.id, created_at: this.#at, updated_at: this.#at };
    const task: TaskRow = this.add("maintenance_tasks", {
      ...{ id: createId("task"), task_number: this.countOf("maintenance_tasks") + 1, version: 1 },
      ...{ priority: "medium", state: "scheduled", requires_downtime: false, hidden: false },
      ...{ criticality: "medium", ...made, ...fields },
    });
    const items = steps.map((label, index) => {
      const place = { task_id: task.id, position: index + 1 };
      return this.add<Row>("task_checklist_items", { ...place, ...toStep(label) });
    });
    this.#steps.set(task.id, items);
    this.#record("task_created", null, task, bySystem ? { source: "system" } : {});
    return task;
  }

  /** Moves a task to a state, with what is recorded of it, and its asset where it needs that. */
  moveTask(
    task: TaskRow,
    state: TaskState,
    {
      asset,
      note,
      record = {},
      photo,
    }: { asset?: AssetRow | undefined; note?: string; record?: Row; photo?: string } = {},
  ): void {
    const isDone = state === "completed";
    const all = isDone ? (this.#steps.get(task.id) ?? []) : [];
    const steps = all.filter(({ kind }) => kind !== "photo" || photo !== undefined);
    const answers = steps.map((step) => this.#toAnswer(task, step, photo));
    const numbers = steps.filter(isCheck).map((one) => one["position"]);
    const before = { task: this.#snapshot(task), ...(steps.length > 0 && { steps: [] }) };
    const changes = [
      toChange("state", task.state, state),
      toChange("completed_at", null, isDone ? toTimestamp(this.#at) : null),
      ...Object.entries(record).map(([key, to]) => toChange(key, task[key], to)),
      toChange("checklist_done", [], numbers),
      ...steps.flatMap((one, index) =>
        isCheck(one) ? [] : this.#toAnswerChange(one, answers[index]),
      ),
    ].filter((change) => "to" in change);
    Object.assign(task, record, { state });
    this.#stamp(task);
    for (const [index, step] of steps.entries()) {
      Object.assign(step, { done_at: this.#at, done_by: this.author.id, answer: answers[index] });
    }
    this.#touch(task);
    const types = { completed: "task_completed", cancelled: "task_cancelled" } as const;
    const type =
      state === "completed" || state === "cancelled" ? types[state] : "task_state_changed";
    this.#record(type, null, task, { changes, note, before });
    if (asset !== undefined && task["requires_downtime"] === true) this.#followWork(task, asset);
  }

  #toAnswer(task: TaskRow, step: Row, photo: string | undefined): string | null {
    const { kind, label } = step;
    if (kind === "check") return null;
    if (kind === "signature") return this.author.name;
    return kind === "photo" ? (photo ?? null) : usualAnswer(task, String(label));
  }

  #toAnswerChange({ label, kind }: Row, answer: string | null | undefined): Change {
    const field = `step: ${this.#say(String(label))}`;
    const at = kind === "signature" ? toTimestamp(this.#at) : answer;
    return toChange(field, null, kind === "number" ? Number(answer) : at);
  }

  /** Sets the times that come with a task's new state. */
  #stamp(task: TaskRow): void {
    const [at, by] = [this.#at, this.author.id];
    if (task.state === "in_progress") task["started_at"] ??= at;
    if (task.state === "cancelled") task["cancelled_at"] = at;
    if (task.state === "completed") Object.assign(task, { completed_at: at, completed_by: by });
  }

  /** Takes the asset out of use while the work lasts. */
  #followWork(task: TaskRow, asset: AssetRow): void {
    const former = task["asset_state_before"] as AssetState | null | undefined;
    if (task.state === "in_progress" && asset.state !== "in_maintenance") {
      task["asset_state_before"] = asset.state;
      this.setState(asset, "in_maintenance", { task });
    } else if (former && ["completed", "cancelled"].includes(task.state)) {
      task["asset_state_before"] = null;
      if (asset.state === "in_maintenance") this.setState(asset, former, { task });
    }
  }

  /** Makes work due on a day, because its meter reached its usage. */
  bringForward(task: TaskRow, due_date: string, note: string): void {
    const before = { task: this.#snapshot(task) };
    const changes = [toChange("due_date", task["due_date"], due_date)];
    Object.assign(task, { due_date });
    this.#touch(task);
    this.#record("task_updated", null, task, { changes, note, before, source: "system" });
  }

  /** Columns that an undo restores beyond the changes. */
  #snapshot(task: TaskRow): Row {
    const plan = this.#plans.get(task["plan_id"]) ?? {};
    const all: Row = { ...plan, ...task, plan_active: plan["active"] };
    return Object.fromEntries(snapshotColumns.map((column) => [column, all[column] ?? null]));
  }

  /** A note, or new files, which leave the version as it is. */
  note(subject: { asset?: AssetRow; task?: TaskRow }, note?: string, files?: string): void {
    const { asset = null, task = null } = subject;
    const type = task === null ? "asset_updated" : "task_updated";
    const changes = [{ field: "files", to: [files] }];
    if (files === undefined) this.#record("note_added", asset, task, { note });
    else this.#record(type, asset, task, { changes });
  }

  /** A change around a task, which leaves its version as it is. */
  noteChange(task: TaskRow, change: Change): void {
    this.#record("task_updated", null, task, { changes: [change] });
  }

  /** A comment on a task, or on an asset. */
  comment(subject: { asset?: AssetRow; task?: TaskRow }, text: string): void {
    const { asset = null, task = null } = subject;
    const { id: created_by, client, taskLinkId: task_link_id } = this.author;
    const by = task_link_id ? { task_link_id } : { client_name: client?.name ?? null, created_by };
    const { id } = this.add("comments", {
      ...{ id: createId("comment"), asset_id: asset?.id ?? null, task_id: task?.id ?? null, text },
      ...{ ...by, created_at: this.#at },
    });
    const changes = [{ field: "comment", to: id }];
    this.#record("note_added", asset, task, { changes, note: text });
  }

  /** One action makes one new version. */
  #touch(row: AssetRow | TaskRow): void {
    if (this.#touched.get(row) === this.#request) return;
    this.#touched.set(row, this.#request);
    row.version += 1;
    row["updated_at"] = this.#at;
  }

  #record(
    type: HistoryEventType,
    asset: AssetRow | null,
    task: TaskRow | null,
    event: {
      changes?: Change[];
      note?: string | undefined;
      before?: Row;
      source?: HistorySource;
    } = {},
  ): void {
    const { id, name, source, client = { id: null, name: null } } = this.author;
    const { asset_id = null, workspace_id = null } =
      asset === null ? (task ?? {}) : { ...asset, asset_id: asset.id };
    this.add("history_events", {
      ...{ id: createId("event"), type, occurred_at: this.#at, recorded_at: this.#at, changes: [] },
      ...{ asset_id, workspace_id, task_id: task === null ? null : task.id },
      ...{ actor_user_id: id, actor_name: name, source, request_id: this.#request },
      ...{ client_id: client.id, client_name: client.name, ...event },
    });
  }

  /** Stores all rows in order, some hundred at once. Recount their figures afterwards. */
  async store(inTransaction: InTransaction, organizationId: string, onProgress: OnProgress) {
    const all = tables.reduce((sum, table) => sum + this.countOf(table), 0);
    let done = 0;
    for (const table of tables) {
      const rows = this.rows[table] ?? [];
      for (let start = 0; start < rows.length; start += rowsAtOnce) {
        const some = rows.slice(start, start + rowsAtOnce);
        await inTransaction(async (tx) => {
          await tx.query("SET LOCAL fettle.recounts = 'on'");
          await insertRows(tx, table, organizationId, some, this.#say);
        });
        done += some.length;
        await onProgress(done, all);
      }
    }
    await inTransaction((tx) =>
      tx.query(
        `UPDATE organizations SET next_task_number = $2, next_inventory_seq = $3 WHERE id = $1`,
        [
          ...[organizationId, this.countOf("maintenance_tasks") + 1],
          1 + (this.rows["assets"] ?? []).filter(({ nth }) => nth !== undefined).length,
        ],
      ),
    );
  }
}

/** A step as a task or a procedure has it. */
export function toStep(label: string): Row {
  const rules = omit(answeredSteps[label] ?? { usual: [] }, "usual");
  const plain = { label, kind: "check", required: false, out_of_service: false, ...rules };
  return { ...plain, ...("follow_up" in rules && { follow_up_priority: "high" }) };
}

function isCheck({ kind }: Row): boolean {
  return kind === "check";
}

function usualAnswer(task: TaskRow, label: string): string {
  const usual = answeredSteps[label]?.usual ?? [];
  return usual[Number(task["task_number"]) % usual.length] ?? "";
}

const rowsAtOnce = 400;
/** Values of the story about an asset that aren't columns. */
const notStored = ["nth", "category"];

/** Inserts rows of a table in one statement. Rows may lack columns that are then empty. */
export async function insertRows(
  tx: Tx,
  table: string,
  organizationId: string,
  rows: Row[],
  say: Say = (text) => text,
) {
  const keys = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = [...keys].filter((key) => !notStored.includes(key)).join(", ");
  await tx.query(
    `INSERT INTO ${table} (organization_id, ${columns})
     SELECT $1, ${columns} FROM jsonb_populate_recordset(NULL::${table}, $2::jsonb)`,
    [
      organizationId,
      JSON.stringify(rows, (_, value: unknown) => (typeof value === "string" ? say(value) : value)),
    ],
  );
}
