import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { findCapacities, type Capacity } from "../people/capacity.js";
import { visiblePlaces } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { resolveFilters, toConditions, type TaskFilters } from "./task-filters.js";

export interface Load {
  tasks: number;
  /** Of tasks with an estimate. */
  minutes: number;
  unestimated: number;
}

export interface PersonLoad {
  /** Null for unassigned tasks. */
  id: string | null;
  name: string | null;
  /** Work due before the first span, then in each span. */
  spans: Load[];
  total: Load;
  /** Undefined for former members. */
  capacity?: Capacity | undefined;
}

export interface PlanLoad {
  people: PersonLoad[];
  unassigned: PersonLoad | undefined;
  /** Number of people with work, including those not listed. */
  count: number;
  all: Pick<PersonLoad, "spans" | "total">;
}

/** With fewer people who have work, others who are free are listed too. */
export const fewPeople = 8;

/** A longer list is slow to build and hard to read. */
export const maxPeople = 100;

const nothing: Load = { tasks: 0, minutes: 0, unestimated: 0 };

interface Row extends Load {
  place: number | null;
  id: string | null;
  name: string | null;
  span: number;
  count: number;
}

/**
 * Open work per person in spans that begin on given days, with the filters of the task list, and
 * the people's capacity until the last due date. The people with the most work come first. The
 * database ranks and sums, for any number of people.
 */
export async function findLoad(
  db: Tx,
  caller: Caller,
  filters: TaskFilters & { due_to: string },
  starts: readonly string[],
): Promise<PlanLoad> {
  const resolved = await resolveFilters(db, caller, filters);
  const parameters = createParameters(caller.organizationId);
  const spans = `${parameters.add(starts)}::date[]`;
  const where = toConditions(caller, resolved, parameters).join(" AND ");
  const eachPlace = visiblePlaces(caller, parameters, "t", { separately: true });
  const sums = "sum(tasks)::int AS tasks, sum(minutes)::int AS minutes";
  const rows = await db.query<Row>(
    `WITH due AS MATERIALIZED (
       SELECT t.assigned_to_user_id AS id, width_bucket(t.due_date, ${spans}) AS span,
         count(*)::int AS tasks, coalesce(sum(t.estimated_minutes), 0)::int AS minutes,
         (count(*) FILTER (WHERE t.estimated_minutes IS NULL))::int AS unestimated
       FROM (${eachPlace(
         (place) => `SELECT t.assigned_to_user_id, t.due_date, t.estimated_minutes
           FROM maintenance_tasks t WHERE ${where} AND t.due_date IS NOT NULL AND ${place}`,
       )}) t
       GROUP BY 1, 2),
     people AS (SELECT id, ${sums} FROM due GROUP BY 1),
     shown AS (
       SELECT p.id, u.name, row_number() OVER (
         ORDER BY p.id IS NOT NULL, p.minutes DESC, p.tasks DESC, u.name, p.id)::int AS place
       FROM people p LEFT JOIN users u ON u.id = p.id ORDER BY place LIMIT ${maxPeople})
     SELECT s.place, s.id, s.name, d.span, d.tasks, d.minutes, d.unestimated, 0 AS count
     FROM shown s JOIN due d ON coalesce(d.id, '') = coalesce(s.id, '')
     UNION ALL
     SELECT NULL, NULL, NULL, span, ${sums}, sum(unestimated)::int,
       (SELECT count(id)::int FROM people) FROM due GROUP BY span
     ORDER BY place`,
    parameters.values,
    { replan: caller.organizationId },
  );
  const people = new Map<number, PersonLoad>();
  const all = emptyLoad(null, null, starts.length);
  for (const { place, id, name, span, tasks, minutes, unestimated } of rows) {
    const person = place === null ? all : (people.get(place) ?? emptyLoad(id, name, starts.length));
    if (place !== null) people.set(place, person);
    const load = { tasks, minutes, unestimated };
    person.spans[span] = load;
    person.total = sumLoads([person.total, load]);
  }
  const found = [...people.values()];
  const ofPeople = found.filter(({ id }) => id !== null);
  const capacities = await findCapacities(db, caller, {
    ids: ofPeople.flatMap(({ id }) => id ?? []),
    from: starts[0] ?? filters.due_to,
    to: filters.due_to,
    atLeast: resolved.assigned_to_user_id === undefined ? fewPeople : 0,
    workspaceId: resolved.workspace_id,
  });
  for (const capacity of capacities) {
    const { id, name } = capacity;
    const person = ofPeople.find((one) => one.id === id);
    if (person !== undefined) person.capacity = capacity;
    else ofPeople.push({ ...emptyLoad(id, name, starts.length), capacity });
  }
  return {
    people: ofPeople,
    unassigned: found.find(({ id }) => id === null),
    count: rows.at(-1)?.count ?? 0,
    all,
  };
}

function emptyLoad(id: string | null, name: string | null, spans: number): PersonLoad {
  return { id, name, spans: Array.from({ length: spans + 1 }, () => nothing), total: nothing };
}

export const noLoad: PlanLoad = {
  people: [],
  unassigned: undefined,
  count: 0,
  all: emptyLoad(null, null, 0),
};

function sumLoads(loads: readonly Load[]): Load {
  return loads.reduce(
    (total, { tasks, minutes, unestimated }) => ({
      tasks: total.tasks + tasks,
      minutes: total.minutes + minutes,
      unestimated: total.unestimated + unestimated,
    }),
    nothing,
  );
}
