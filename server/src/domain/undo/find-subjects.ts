import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { createParameters, type Parameters } from "../sql/parameters.js";
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
): Promise<FoundSubject[]> {
  const parameters = createParameters(caller.organizationId);
  const selected = selectedSql(selection, parameters, "e");
  return db.query(
    `SELECT s.kind, s.id, s.is_created AS "isCreated", s.position, s.first::text AS first
     FROM (${subjectsSql(selected)}) s
     WHERE s.position > ${parameters.add(after ?? "")} COLLATE "C"
     ORDER BY s.position COLLATE "C" LIMIT ${parameters.add(limit)}`,
    parameters.values,
  );
}

/** So many events are held at once; those of one record are read together in any case. */
const eventsAtOnce = 2000;

/** The same with what happened to them, a few at a time: some have a long history. */
export async function* withEvents(
  db: EntityManager,
  caller: Caller,
  selection: Selection,
  found: readonly FoundSubject[],
): AsyncGenerator<Subject> {
  const counts = await countEvents(db, caller, found);
  for (const few of inFew(found, ({ id }) => counts.get(id) ?? 0)) {
    const events = await readEvents(db, caller, selection, few);
    for (const { kind, id, isCreated } of few) {
      const own = events.filter((event) => event.subject === id);
      yield { kind, id, isCreated, events: own };
    }
  }
}

function inFew(
  found: readonly FoundSubject[],
  countOf: (subject: FoundSubject) => number,
): FoundSubject[][] {
  const few: FoundSubject[][] = [];
  let room = 0;
  for (const subject of found) {
    if (few.length === 0 || countOf(subject) > room) {
      few.push([]);
      room = eventsAtOnce;
    }
    few.at(-1)?.push(subject);
    room -= countOf(subject);
  }
  return few;
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

async function readEvents(
  db: EntityManager,
  caller: Caller,
  selection: Selection,
  subjects: readonly FoundSubject[],
): Promise<SubjectEvent[]> {
  return ofEachKind(subjects, caller, (events, parameters) =>
    db.query(
      `SELECT s.id AS subject, e.type, e.changes, e.before, e.actor_name AS actor,
         (${selectedSql(selection, parameters, "e")}) IS TRUE AS "isSelected"
       ${events} ORDER BY e.sequence`,
      parameters.values,
    ),
  );
}

/** How many events that would read, by the id of the record. */
async function countEvents(
  db: EntityManager,
  caller: Caller,
  subjects: readonly FoundSubject[],
): Promise<Map<string, number>> {
  const rows = await ofEachKind<{ id: string; count: number }>(
    subjects,
    caller,
    (events, parameters) =>
      db.query(`SELECT s.id, count(*)::int AS count ${events} GROUP BY s.id`, parameters.values),
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Of an asset also what happened to its tasks: whoever works on it has built on it. */
async function ofEachKind<Row>(
  subjects: readonly FoundSubject[],
  caller: Caller,
  read: (events: string, parameters: Parameters) => Promise<Row[]>,
): Promise<Row[]> {
  let rows: Row[] = [];
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
    const events = `FROM history_events e
       JOIN unnest($2::text[], $3::bigint[]) AS s (id, first) ON e.${kind}_id = s.id
       WHERE e.organization_id = $1 AND e.sequence >= s.first AND ${isOther}
         ${kind === "task" ? "AND e.type NOT LIKE 'asset\\_%'" : ""}`;
    // Some have more than fit into the arguments of a call.
    rows = rows.concat(await read(events, parameters));
  }
  return rows;
}
