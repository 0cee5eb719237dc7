import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { createParameters } from "../../db/parameters.js";
import type { PastEvent } from "./past-changes.js";
import type { Subject } from "./outcomes.js";
import { addsCommentSql } from "./undo-comments.js";
import { selectedSql, type Selection } from "./selections.js";

interface FoundSubject extends Omit<Subject, "events"> {
  /** Sort key. Records with greater keys are undone later. */
  position: string;
  /** The sequence of the first event to undo. */
  first: string;
}

/**
 * Returns the next records affected by the selected events. New tasks come first because nothing
 * waits for them, then assets, which tasks depend on, then other tasks. Within each group, the last
 * changed comes first, before the changes it builds on.
 */
export async function findSubjects(
  db: Tx,
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

/** Yields each record with the part of its history that the undo needs. */
export async function* withEvents(
  db: Tx,
  caller: Caller,
  selection: Selection,
  found: readonly FoundSubject[],
): AsyncGenerator<Subject> {
  for (const subject of found) {
    const { kind, id, isCreated } = subject;
    yield { kind, id, isCreated, events: await readEvents(db, caller, selection, subject) };
  }
}

export async function countSubjects(db: Tx, caller: Caller, selection: Selection): Promise<number> {
  const parameters = createParameters(caller.organizationId);
  const selected = selectedSql(selection, parameters, "e");
  const row = await db.maybe<{ count: number }>(
    `SELECT count(*)::int AS count FROM (${subjectsSql(selected)}) s`,
    parameters.values,
  );
  return row?.count ?? 0;
}

/** Selects each asset or task with its sort key. Notes belong to the history and stay, except comments. */
function subjectsSql(selected: string): string {
  const isOfTask = "(e.type LIKE 'task\\_%' OR e.type = 'note_added' AND e.task_id IS NOT NULL)";
  return `SELECT x.kind, x.id, x.is_created, x.first,
      CASE WHEN x.kind = 'asset' THEN '2' WHEN x.is_created THEN '1' ELSE '3' END
        || lpad((${String(2n ** 63n - 1n)} - x.first)::text, 19, '0') AS position
    FROM (SELECT CASE WHEN ${isOfTask} THEN 'task' ELSE 'asset' END AS kind,
        CASE WHEN ${isOfTask} THEN e.task_id ELSE e.asset_id END AS id,
        bool_or(e.type IN ('asset_created', 'task_created')) AS is_created,
        min(e.sequence) AS first
      FROM history_events e
      WHERE e.organization_id = $1 AND (e.type <> 'note_added' OR ${addsCommentSql("e")})
        AND ${selected}
      GROUP BY 1, 2) x`;
}

/**
 * Reads only the events that matter, because a record may have any number of changes. For each
 * field: its first selected change, the last by others, the next one, and the last. For the record:
 * the first event by others, and the first that stores the task's former state. An asset's events
 * include those of its tasks, because work on an asset builds on it.
 */
async function readEvents(
  db: Tx,
  caller: Caller,
  selection: Selection,
  { kind, id, isCreated, first }: FoundSubject,
): Promise<PastEvent[]> {
  const parameters = createParameters(caller.organizationId, id, first);
  // Earlier changes by this undo don't count as changes by others.
  const isOther =
    caller.changeSetId === undefined
      ? "TRUE"
      : `e.change_set_id IS DISTINCT FROM ${parameters.add(caller.changeSetId)}`;
  const isOfAsset = "starts_with(e.type, 'asset_')";
  return db.query(
    `WITH own AS (
       SELECT e.sequence, e.type, e.changes, e.before, e.actor_name AS actor,
         e.source = 'system' AS "isBySystem", (${selectedSql(selection, parameters, "e")}) IS TRUE AS selected
       FROM history_events e
       WHERE e.organization_id = $1 AND e.${kind}_id = $2 AND e.sequence >= $3::bigint AND ${isOther}
         ${kind === "task" ? `AND NOT ${isOfAsset}` : ""}
     ), fields AS (
       SELECT e.sequence, e.selected, c.field,
         max(e.sequence) FILTER (WHERE NOT e.selected) OVER (PARTITION BY c.field) AS last_other
       FROM own e CROSS JOIN LATERAL (
         SELECT CASE WHEN starts_with(c ->> 'field', 'meter: ') THEN 'meters' ELSE c ->> 'field' END AS field
         FROM jsonb_array_elements(e.changes) c
         UNION SELECT 'usage' FROM jsonb_array_elements(e.changes) c
         WHERE c ->> 'field' IN ('recurrence', 'due_usage', 'asset_id')) c
       ${kind === "asset" ? `WHERE ${isOfAsset}` : ""}
     ), needed AS (
       SELECT unnest(ARRAY[min(sequence) FILTER (WHERE selected), last_other,
         min(sequence) FILTER (WHERE sequence > last_other), max(sequence)]) AS sequence
       FROM fields GROUP BY field, last_other
       UNION ALL SELECT min(sequence) FROM own WHERE NOT selected
       UNION ALL SELECT min(sequence) FROM own
         WHERE ${String(isCreated && kind === "task")} AND before -> 'task' IS NOT NULL
     )
     SELECT type, changes, before, actor, "isBySystem", selected AS "isSelected" FROM own
     WHERE sequence IN (SELECT sequence FROM needed) ORDER BY sequence`,
    parameters.values,
  );
}
