import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { todayOf } from "../../domain/access/clock.js";
import type { CursorCodec } from "../../domain/shared/cursors.js";
import { listTasks, type TaskPage } from "../../domain/tasks/task-queries.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";

export interface OwnTasks {
  /** Due by today, or begun without a due date. */
  today: readonly TaskRow[];
  /** Begun tasks come first. */
  next: readonly TaskRow[];
  total: number;
}

const ownAtMost = 20;
const nextAtMost = 5;

/** The caller's most urgent open tasks. */
export function listOwnTasks(db: Tx, caller: Caller, cursors: CursorCodec): Promise<TaskPage> {
  const mine = { state: "open", assigned_to_user_id: caller.userId, sort: "urgency" } as const;
  return listTasks(db, caller, { ...mine, limit: ownAtMost }, cursors);
}

/** Splits a person's open tasks into those of today and the next ones. */
export function arrangeOwn(
  { tasks, total_count }: Pick<TaskPage, "tasks" | "total_count">,
  today: string,
): OwnTasks {
  const isBegun = ({ state, progress }: TaskRow) => (progress ?? state) === "in_progress";
  const isNow = (task: TaskRow) =>
    task.due_date === null ? isBegun(task) : task.due_date <= today;
  const now = tasks.filter(isNow);
  const next = tasks
    .filter((task) => !isNow(task))
    .toSorted((one, other) => Number(isBegun(other)) - Number(isBegun(one)))
    .slice(0, nextAtMost);
  return { today: now, next, total: total_count };
}

/** Tasks without a place come last. */
export function byPlace(one: TaskRow, other: TaskRow): number {
  const [first, second] = [one.workspace_name, other.workspace_name];
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  return first.localeCompare(second, undefined, { numeric: true });
}

/** The caller's next task in the order of the home page. Work in the same place comes first. */
export async function findNextOwn(
  db: Tx,
  caller: Caller,
  cursors: CursorCodec,
  place: string | null,
): Promise<TaskRow | undefined> {
  const own = arrangeOwn(await listOwnTasks(db, caller, cursors), todayOf(caller));
  const isHere = ({ workspace_id }: TaskRow) => workspace_id === place;
  const [today, next] = [own.today.toSorted(byPlace), own.next];
  return today.find(isHere) ?? today[0] ?? next.find(isHere) ?? next[0];
}
