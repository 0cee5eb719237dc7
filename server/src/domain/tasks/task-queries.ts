import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { visiblePlaces, visibleTaskSql } from "../access/visibility.js";
import type { CursorCodec, Position } from "../shared/cursors.js";
import {
  dayKey,
  rowsAfterCursorSql,
  type FirstRows,
  type ListedTable,
  nextCursor,
  orderBy,
  pageOf,
  positionOf,
  timeKey,
  type Order,
  type PageRequest,
} from "../shared/keyset.js";
import { partialMatch } from "../shared/partial-match.js";
import { toPage } from "../shared/page-rows.js";
import { countAndFind, countedSql, toTotal, type Total } from "../shared/totals.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { quote } from "../shared/quote.js";
import {
  areCompleted,
  isAboutCompletion,
  isAskedFor,
  isOverdueByUrgency,
  firstConditions,
  resolveFilters,
  toConditions,
  type ResolvedFilters,
  type TaskFilters,
} from "./task-filters.js";
import {
  taskRowColumns,
  taskRowJoins,
  toTaskRow,
  type StoredTaskRow,
  type TaskRow,
} from "./task-rows.js";
import { toTaskNumber } from "../shared/task-references.js";
import { isFinished } from "./task-states.js";
import {
  byUrgency,
  dueFirst,
  firstByUrgency,
  firstLatestDue,
  readPosition,
  type UrgencySql,
} from "./urgency.js";

export type TaskSort = "urgency" | "due_date" | "-due_date" | "-completed_at" | "-updated_at";

export interface TaskListing extends TaskFilters {
  sort: TaskSort;
  limit: number;
  cursor?: string | undefined;
}

export interface TaskPage extends Total {
  tasks: TaskRow[];
  /** Overdue tasks in all pages. The real number is higher if it is a minimum. */
  overdue_count: number;
  overdue_is_minimum?: true;
  next_cursor?: string;
  did_you_mean?: string[];
}

const listed: ListedTable = {
  table: "maintenance_tasks",
  alias: "t",
  isVisible: (caller, parameters) => visibleTaskSql(caller, parameters, "t"),
};

const completion = timeKey("t.completed_at");

const orders: Record<Exclude<TaskSort, "urgency">, Order> = {
  due_date: { keys: [dueFirst], direction: "ASC" },
  "-due_date": { keys: [dayKey("t.due_date", "-infinity")], direction: "DESC" },
  "-completed_at": {
    keys: [
      {
        ...completion,
        expression: `coalesce(${completion.expression}, '-infinity'::timestamptz)`,
        text: `coalesce(${completion.text}, '-infinity')`,
      },
    ],
    direction: "DESC",
  },
  "-updated_at": { keys: [timeKey("t.updated_at")], direction: "DESC" },
};

/** For completed tasks: all have a completion time, and none is urgent. */
const lastCompletedFirst: Order = { keys: [completion], direction: "DESC" };

/** Undefined for urgency, which uses the day of the first page. */
function orderOf(sort: TaskSort, filters: TaskFilters): Order | undefined {
  const isByTime = sort === "urgency" || sort === "-completed_at";
  if (isByTime && areCompleted(filters)) return lastCompletedFirst;
  return sort === "urgency" ? undefined : orders[sort];
}

/** ORDER BY terms, most urgent first. `day` is a parameter. */
export function orderByUrgency(day: string): string {
  return orderBy(byUrgency(day), listed);
}

export async function listTasks(
  db: Tx,
  caller: Caller,
  listing: TaskListing,
  cursors: CursorCodec,
): Promise<TaskPage> {
  const { sort, limit, cursor, ...filters } = listing;
  const scope = { organizationId: caller.organizationId, list: "tasks", sort, filters };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const resolved = await resolveFilters(db, caller, filters);
  const order = orderOf(sort, filters);
  // Tasks completed in a few days may all come late in another order.
  const comesLate = isAboutCompletion(resolved) && order !== lastCompletedFirst;
  const countsFirst = resolved.query !== undefined || comesLate;
  const { rows, counts } = await countAndFind(
    { countsFirst, limit, after },
    () => countTasks(db, caller, resolved),
    (way) => findRows(db, caller, resolved, { order, limit, after, way, countsFirst }),
    toCounts,
  );
  const page = toPage(rows, limit, (row) => toTaskRow(row, resolved.today));
  const meant = counts.total_count === 0 ? await suggestTasks(db, caller, resolved) : [];
  return {
    tasks: page.rows,
    ...counts,
    ...nextCursor(cursors, scope, page.last),
    ...(meant.length > 0 && { did_you_mean: meant }),
  };
}

/** Tasks that match fewer of the words, with the other filters unchanged. */
async function suggestTasks(
  db: Tx,
  caller: Caller,
  { query, ...filters }: ResolvedFilters,
): Promise<string[]> {
  if (query === undefined) return [];
  const parameters = createParameters(caller.organizationId);
  const conditions = toConditions(caller, filters, parameters);
  conditions.push(visibleTaskSql(caller, parameters, "t"));
  const fewer = partialMatch(query, parameters, "t");
  if (fewer === undefined) return [];
  const rows = await db.query<{ task_number: number; title: string }>(
    `SELECT t.task_number::int AS task_number, t.title FROM maintenance_tasks t
     WHERE ${conditions.join(" AND ")} AND ${fewer.condition}
     ORDER BY ${fewer.order}, ${orderByUrgency(parameters.add(filters.today))} LIMIT 3`,
    parameters.values,
    { replan: caller.organizationId },
  );
  return rows.map((row) => `${toTaskNumber(row.task_number)} (${quote(row.title)})`);
}

/** Undefined means by urgency. */
type TaskPageRequest = Omit<PageRequest, "order"> & {
  order: Order | undefined;
  countsFirst: boolean;
};

interface Counted {
  counted: number;
  overdue: number;
}

async function findRows(
  db: Tx,
  caller: Caller,
  filters: ResolvedFilters,
  { order: given, limit, after, way, countsFirst }: TaskPageRequest,
): Promise<(StoredTaskRow & Counted & { position: string })[]> {
  const parameters = createParameters(caller.organizationId);
  const last = given === undefined && after !== undefined ? readPosition(after) : undefined;
  const order = given ?? byUrgency(parameters.add(last?.day ?? filters.today));
  const sorted = `ORDER BY ${orderBy(order, listed)}`;
  const inGroups = given === undefined && way !== "collect";
  const isAfter =
    after === undefined || inGroups
      ? "TRUE"
      : await rowsAfterCursorSql(db, caller, listed, { order, after, parameters });
  const page = {
    where: [...toConditions(caller, filters, parameters), isAfter],
    whereOfAll: () => [...firstConditions(filters, parameters), isAfter],
    sorted,
    most: parameters.add(limit + 1),
    first:
      way === "collect"
        ? undefined
        : toFirstRows(parameters, given, { sorted, last, after, ...isAskedFor(filters) }),
  };
  const separately = way === "walk" && inGroups;
  const eachPlace = visiblePlaces(caller, parameters, "t", { separately });
  // Cuts the page first. Without an index for its order, all rows would be joined before sorting.
  return db.query(
    `SELECT ${taskRowColumns}, ${positionOf(order)} AS position
       ${countsFirst ? "" : `, ${countsSql(caller, filters, parameters)}`}
     FROM ${pageOf(listed, page, way, eachPlace)}
     ${taskRowJoins} ${sorted}`,
    parameters.values,
    { replan: caller.organizationId },
  );
}

/** For orders that no single index has. */
function toFirstRows(
  parameters: Parameters,
  order: Order | undefined,
  page: UrgencySql & { after: Position | undefined },
): FirstRows | undefined {
  if (order === undefined) return firstByUrgency(parameters, page);
  return order === orders["-due_date"] ? firstLatestDue(parameters, page) : undefined;
}

async function countTasks(
  db: Tx,
  caller: Caller,
  filters: ResolvedFilters,
): Promise<Omit<TaskPage, "tasks">> {
  const parameters = createParameters(caller.organizationId);
  const row = await db.maybe<Counted>(
    `SELECT ${countsSql(caller, filters, parameters)}`,
    parameters.values,
    { replan: caller.organizationId },
  );
  return toCounts(row);
}

function toCounts(row?: Counted): Omit<TaskPage, "tasks"> {
  const late = toTotal(row?.overdue);
  return {
    ...toTotal(row?.counted),
    overdue_count: late.total_count,
    ...(late.total_is_minimum && { overdue_is_minimum: true }),
  };
}

/** Two counts. Each reads only the index that fits it. */
function countsSql(caller: Caller, filters: ResolvedFilters, parameters: Parameters): string {
  const where = toConditions(caller, filters, parameters).join(" AND ");
  const today = parameters.add(filters.today);
  // The index column before the due date.
  const isEither =
    filters.state === "all" && (filters.due_from ?? filters.due_to) !== undefined
      ? `${isFinished} = ANY ('{f,t}')`
      : "TRUE";
  const isEnded = areCompleted(filters) || filters.state === "cancelled";
  const isLate = `${isEnded ? "FALSE" : "TRUE"} AND ${isOverdueByUrgency(filters, today)}`;
  const separately = filters.query === undefined;
  const eachPlace = visiblePlaces(caller, parameters, "t", { separately });
  const counted = (condition: string) =>
    countedSql(
      eachPlace(
        (place) => `SELECT FROM maintenance_tasks t WHERE ${where} AND ${condition} AND ${place}`,
      ),
    );
  return `${counted(isEither)} AS counted, ${counted(isLate)} AS overdue`;
}
