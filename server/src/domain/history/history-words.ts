import type { EntityManager } from "typeorm";
import { isOrganizationAdmin, type Caller } from "../caller.js";
import { hasReferences, visibleWords } from "./hidden-changes.js";
import type { Parameters } from "../parameters.js";

export interface Words {
  query: string;
  /**
   * Only for who may not see everything: what every matching event has among all of its words,
   * hidden ones included. Null when the query only says what not to find.
   */
  cover: string | null;
}

export async function readWords(db: EntityManager, caller: Caller, query: string): Promise<Words> {
  if (isOrganizationAdmin(caller)) return { query, cover: null };
  // Without "not" and without the order of words a match stays one when words are added.
  const rows: { cover: string }[] = await db.query(
    `SELECT regexp_replace(querytree(websearch_to_tsquery('simple', $1)), '<(-|\\d+)>', '&', 'g')
       AS cover`,
    [query],
  );
  const cover = rows[0]?.cover ?? "";
  return { query, cover: cover === "T" || cover === "" ? null : cover };
}

/**
 * The condition that an event, the alias of a history_events row, has the words. Who may not see
 * everything searches events that refer to places or parents by their visible words only, so that
 * neither rows nor counts tell a hidden name; the index narrows them down first.
 */
export function hasWords(
  caller: Caller,
  { query, cover }: Words,
  parameters: Parameters,
  event: string,
): string {
  const wanted = `websearch_to_tsquery('simple', ${parameters.add(query)})`;
  const found = `${event}.search @@ ${wanted}`;
  if (isOrganizationAdmin(caller)) return found;
  const referring = hasReferences(event);
  const near = cover === null ? "" : `${event}.search @@ ${parameters.add(cover)}::tsquery AND `;
  return `((${found} AND NOT ${referring})
    OR (${near}${referring} AND ${visibleWords(caller, parameters, event)} @@ ${wanted}))`;
}
