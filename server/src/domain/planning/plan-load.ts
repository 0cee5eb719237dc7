import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { visiblePlaces } from "../access/visibility.js";
import { customPlan } from "../sql/custom-plan.js";
import { createParameters } from "../sql/parameters.js";
import { resolveFilters, toConditions, type TaskFilters } from "../tasks/task-filters.js";

/** How much is due in one span of the plan. */
export interface Load {
  tasks: number;
  /** Of those whose time is estimated. */
  minutes: number;
  /** Those whose time is not. */
  unestimated: number;
}

export interface PersonLoad {
  /** Null is what nobody is responsible for. */
  id: string | null;
  name: string | null;
  /** What is due before the first span, and in each. */
  spans: Load[];
  total: Load;
}

const nothing: Load = { tasks: 0, minutes: 0, unestimated: 0 };

interface Row extends Load {
  id: string | null;
  name: string | null;
  span: number;
}

/**
 * How much open work each person has in spans that begin on given days, from the same filters as the list of
 * tasks: what nobody has first, then who has most.
 */
export async function findLoad(
  db: EntityManager,
  caller: Caller,
  filters: TaskFilters,
  starts: readonly string[],
): Promise<PersonLoad[]> {
  const resolved = await resolveFilters(db, caller, filters);
  const parameters = createParameters(caller.organizationId);
  const spans = `${parameters.add(starts)}::date[]`;
  const where = toConditions(caller, resolved, parameters).join(" AND ");
  const eachPlace = visiblePlaces(caller, parameters, "t", { separately: true });
  const rows: Row[] = await db.query(
    `${customPlan}SELECT due.assigned_to_user_id AS id, u.name, due.span, due.tasks, due.minutes, due.unestimated
     FROM (SELECT t.assigned_to_user_id, width_bucket(t.due_date, ${spans}) AS span,
         count(*)::int AS tasks, coalesce(sum(t.estimated_minutes), 0)::int AS minutes,
         (count(*) FILTER (WHERE t.estimated_minutes IS NULL))::int AS unestimated
       FROM (${eachPlace(
         (place) => `SELECT t.assigned_to_user_id, t.due_date, t.estimated_minutes
           FROM maintenance_tasks t WHERE ${where} AND t.due_date IS NOT NULL AND ${place}`,
       )}) t
       GROUP BY 1, 2) due
     LEFT JOIN users u ON u.id = due.assigned_to_user_id`,
    parameters.values,
  );
  const people = new Map<string | null, PersonLoad>();
  for (const { id, name, span, ...load } of rows) {
    const person = people.get(id) ?? emptyLoad(id, name, starts.length);
    people.set(id, person);
    person.spans[span] = load;
    person.total = sumLoads([person.total, load]);
  }
  return [...people.values()].toSorted(
    (left, right) =>
      Number(left.id !== null) - Number(right.id !== null) ||
      right.total.minutes - left.total.minutes ||
      right.total.tasks - left.total.tasks ||
      (left.name ?? "").localeCompare(right.name ?? ""),
  );
}

function emptyLoad(id: string | null, name: string | null, spans: number): PersonLoad {
  return { id, name, spans: Array.from({ length: spans + 1 }, () => nothing), total: nothing };
}

export function sumLoads(loads: readonly Load[]): Load {
  return loads.reduce(
    (total, { tasks, minutes, unestimated }) => ({
      tasks: total.tasks + tasks,
      minutes: total.minutes + minutes,
      unestimated: total.unestimated + unestimated,
    }),
    nothing,
  );
}
