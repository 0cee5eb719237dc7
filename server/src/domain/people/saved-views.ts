import type { Tx } from "../../db/database.js";
import { SavedView, type ViewedList } from "../../db/entities/people.js";
import type { Caller } from "../access/caller.js";
import { cleanText } from "../shared/text.js";

export interface View {
  name: string;
  /** The query of the list's address. */
  query: string;
}

/** The caller's own views of a list, by name. */
export async function findSavedViews(tx: Tx, caller: Caller, list: ViewedList): Promise<View[]> {
  return tx.query<View>(
    `SELECT name::text AS name, query FROM saved_views
     WHERE organization_id = $1 AND user_id = $2 AND list = $3 ORDER BY name`,
    [caller.organizationId, caller.userId, list],
  );
}

/** Replaces a view with the same name. */
export async function saveView(tx: Tx, caller: Caller, list: ViewedList, view: View) {
  const name = cleanText(view.name, { field: "name", max: 60 });
  const query = view.query.slice(0, 2000);
  await tx.query(
    `INSERT INTO saved_views (organization_id, user_id, list, name, query)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT saved_views_pkey DO UPDATE SET query = excluded.query`,
    [caller.organizationId, caller.userId, list, name, query],
  );
}

export async function deleteView(tx: Tx, caller: Caller, list: ViewedList, name: string) {
  const { organizationId: organization_id, userId: user_id } = caller;
  await tx.delete(SavedView, { organization_id, user_id, list, name });
}
