import type { Tx } from "../../db/database.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { hasReferences, visibleTextSql } from "./redact-changes.js";
import { looksLikeTaskNumber, parseTaskNumber } from "../shared/task-references.js";
import { toSearched } from "../shared/word-match.js";
import type { Parameters } from "../../db/parameters.js";

export interface QueryMatch {
  query: string;
  /**
   * Only for who may not see everything: what every matching event has among all of its words,
   * hidden ones included. Null when the query only says what not to find.
   */
  cover: string | null;
}

export async function readQuery(db: Tx, caller: Caller, query: string): Promise<QueryMatch> {
  if (isOrganizationAdmin(caller)) return { query, cover: null };
  // Without "not" and without the order of words a match stays one when words are added.
  const row = await db.maybe<{ cover: string }>(
    `SELECT regexp_replace(querytree(websearch_to_tsquery('simple', fettle_fold($1))), '<(-|\\d+)>', '&', 'g')
       AS cover`,
    [toSearched(query)],
  );
  const cover = row?.cover ?? "";
  return { query, cover: cover === "T" || cover === "" ? null : cover };
}

/** With more places than these, words find events sooner without them. */
const fewPlaces = 20;

/** Whether the caller sees some places, and not few of them. */
export async function seesManyPlaces(db: Tx, caller: Caller): Promise<boolean> {
  if (isOrganizationAdmin(caller)) return false;
  const rows = await db.query(
    `SELECT FROM workspace_members WHERE organization_id = $1 AND user_id = $2
     OFFSET ${fewPlaces} LIMIT 1`,
    [caller.organizationId, caller.userId],
  );
  return rows.length > 0;
}

/**
 * The condition that an event, the alias of a history_events row, has the words. Who may not see
 * everything searches events that refer to places or parents by their visible words only, so that
 * neither rows nor counts tell a hidden name; the index narrows them down first.
 */
export function matchesQuery(
  caller: Caller,
  { query, cover }: QueryMatch,
  parameters: Parameters,
  event: string,
): string {
  const wanted = `websearch_to_tsquery('simple', fettle_fold(${parameters.add(toSearched(query))}))`;
  const found = `${event}.search @@ ${wanted}`;
  const ofTask = isOfTask(query, parameters, event);
  if (isOrganizationAdmin(caller)) return `(${found}${ofTask})`;
  const referring = hasReferences(event);
  const near = cover === null ? "" : `${event}.search @@ ${parameters.add(cover)}::tsquery AND `;
  return `((${found} AND NOT ${referring})
    OR (${near}${referring} AND ${visibleTextSql(caller, parameters, event)} @@ ${wanted})${ofTask})`;
}

/** Events do not hold the number of their task, which people look for. */
function isOfTask(query: string, { add }: Parameters, event: string): string {
  const number = looksLikeTaskNumber(query) ? parseTaskNumber(query) : null;
  if (number === null) return "";
  return ` OR ${event}.task_id = (SELECT k.id FROM maintenance_tasks k
    WHERE k.organization_id = $1 AND k.task_number = ${add(number)}::bigint)`;
}
