import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../sql/parameters.js";
import type { PastEvent } from "./past-changes.js";
import type { Subject } from "./outcomes.js";
import { selectedSql, type Selection } from "./selections.js";

interface FoundSubject extends Omit<Subject, "events"> {
  /** The place in the order of all: what comes after it is undone later. */
  position: string;
  /** The sequence of the first event that is undone. */
  first: string;
}

/**
 * The next records that the selected events are about: new tasks, which others do not wait for, then
 * assets, which tasks follow, then the other tasks.
 */
export async function findSubjects(
  db: EntityManager,
  caller: Caller,
  selection: Selection,
  { after, limit }: { after: string | null; limit: number },
): Promise<(Subject & { position: string })[]> {
  const parameters = createParameters(caller.organizationId);
  const selected = selectedSql(selection, parameters, "e");
  const found: FoundSubject[] = await db.query(
    `SELECT s.kind, s.id, s.is_created AS "isCreated", s.position, s.first::text AS first
     FROM (${subjectsSql(selected)}) s
     WHERE s.position > ${parameters.add(after ?? "")} COLLATE "C"
     ORDER BY s.position COLLATE "C" LIMIT ${parameters.add(limit)}`,
    parameters.values,
  );
  const events = await readEvents(db, caller, selection, found);
  return found.map(({ kind, id, isCreated, position }) => ({
    ...{ kind, id, isCreated, position },
    events: events.filter((event) => event.subject === id),
  }));
}

/** How many records there are in all. */
export async function countSubjects(
  db: EntityManager,
  caller: Caller,
  selection: Selection,
): Promise<number> {
  const parameters = createParameters(caller.organizationId);
  const selected = selectedSql(selection, parameters, "e");
  const rows: { count: number }[] = await db.query(
    `SELECT count(*)::int AS count FROM (${subjectsSql(selected)}) s`,
    parameters.values,
  );
  return rows[0]?.count ?? 0;
}

/** Each asset or task with its place; notes are lines of the history and stay. */
function subjectsSql(selected: string): string {
  const isOfTask = "e.type LIKE 'task\\_%'";
  return `SELECT x.kind, x.id, x.is_created, x.first,
      CASE WHEN x.kind = 'asset' THEN '2' WHEN x.is_created THEN '1' ELSE '3' END || x.id AS position
    FROM (SELECT CASE WHEN ${isOfTask} THEN 'task' ELSE 'asset' END AS kind,
        CASE WHEN ${isOfTask} THEN e.task_id ELSE e.asset_id END AS id,
        bool_or(e.type IN ('asset_created', 'task_created')) AS is_created,
        min(e.sequence) AS first
      FROM history_events e
      WHERE e.organization_id = $1 AND e.type <> 'note_added' AND ${selected}
      GROUP BY 1, 2) x`;
}

type SubjectEvent = PastEvent & { subject: string };

/** Of an asset also what happened to its tasks: whoever works on it has built on it. */
async function readEvents(
  db: EntityManager,
  caller: Caller,
  selection: Selection,
  subjects: readonly FoundSubject[],
): Promise<SubjectEvent[]> {
  const events: SubjectEvent[] = [];
  for (const kind of ["asset", "task"] as const) {
    const own = subjects.filter((subject) => subject.kind === kind);
    if (own.length === 0) continue;
    const parameters = createParameters(
      caller.organizationId,
      own.map(({ id }) => id),
      own.map(({ first }) => first),
    );
    // What the undo itself did before is nothing that came in between.
    const isOther =
      caller.changeSetId === undefined
        ? "TRUE"
        : `e.change_set_id IS DISTINCT FROM ${parameters.add(caller.changeSetId)}`;
    const rows: SubjectEvent[] = await db.query(
      `SELECT s.id AS subject, e.type, e.changes, e.before, e.actor_name AS actor,
         (${selectedSql(selection, parameters, "e")}) IS TRUE AS "isSelected"
       FROM history_events e
       JOIN unnest($2::text[], $3::bigint[]) AS s (id, first) ON e.${kind}_id = s.id
       WHERE e.organization_id = $1 AND e.sequence >= s.first AND ${isOther}
         ${kind === "task" ? "AND e.type NOT LIKE 'asset\\_%'" : ""}
       ORDER BY e.sequence`,
      parameters.values,
    );
    events.push(...rows);
  }
  return events;
}
