import type { Tx } from "../../db/database.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { hasReferences, visibleTextSql } from "./redact-changes.js";
import { looksLikeTaskNumber, parseTaskNumber } from "../shared/task-references.js";
import { toSearched } from "../shared/word-match.js";
import type { Parameters } from "../../db/parameters.js";

export interface QueryMatch {
  query: string;
  /**
   * Only for callers who may not see everything: a query on all words, including hidden ones, that
   * every matching event satisfies. Null if the query only excludes words.
   */
  cover: string | null;
}

export async function readQuery(db: Tx, caller: Caller, query: string): Promise<QueryMatch> {
  if (isOrganizationAdmin(caller)) return { query, cover: null };
  // Without "not" and word order, a match remains a match when words are added.
  const row = await db.maybe<{ cover: string }>(
    `SELECT regexp_replace(querytree(websearch_to_tsquery('simple', fettle_fold($1))), '<(-|\\d+)>', '&', 'g')
       AS cover`,
    [toSearched(query)],
  );
  const cover = row?.cover ?? "";
  return { query, cover: cover === "T" || cover === "" ? null : cover };
}

/** With more workspaces than this, word search is faster without them. */
const fewPlaces = 20;

/** Returns true if the caller sees only some workspaces, and more than `fewPlaces`. */
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
 * SQL condition: `event`, the alias of a history_events row, matches the words. For restricted
 * callers, events that refer to workspaces or parents match by visible words only. Neither rows nor
 * counts then reveal a hidden name. The index narrows these events first.
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

/** Events don't contain their task's number, but people search for it. */
function isOfTask(query: string, { add }: Parameters, event: string): string {
  const number = looksLikeTaskNumber(query) ? parseTaskNumber(query) : null;
  if (number === null) return "";
  return ` OR ${event}.task_id = (SELECT k.id FROM maintenance_tasks k
    WHERE k.organization_id = $1 AND k.task_number = ${add(number)}::bigint)`;
}
