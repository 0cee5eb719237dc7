import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { idKindOf } from "./ids.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { getPerson } from "./person-references.js";
import { getWorkspace } from "./workspace-references.js";

const none = "none";

/** Resolves a workspace filter to an id. "none" means without a workspace. */
export async function toWorkspaceFilter(
  db: Tx,
  caller: Caller,
  reference: string,
): Promise<string> {
  return reference.toLowerCase() === none ? none : (await getWorkspace(db, caller, reference)).id;
}

/** Resolves an assignee filter to an id. "none" means unassigned. */
export async function toAssigneeFilter(
  db: Tx,
  caller: Caller,
  reference: string,
  isShown: IsShown,
): Promise<string> {
  return reference.toLowerCase() === none ? none : toPersonFilter(db, caller, reference, isShown);
}

/** SQL after SELECT 1 that finds rows visible to the caller with $2 as a person's id. */
export type IsShown = (parameters: Parameters) => string;

/** Accepts any person named in a visible row, even after leaving or from another workspace. */
export async function toPersonFilter(
  db: Tx,
  caller: Caller,
  reference: string,
  isShown: IsShown,
  field?: string,
): Promise<string> {
  if (reference === caller.userId) return reference;
  if (idKindOf(reference) === "user") {
    const parameters = createParameters(caller.organizationId, reference);
    const rows = await db.query(`SELECT 1 ${isShown(parameters)} LIMIT 1`, parameters.values);
    if (rows.length > 0) return reference;
  }
  return (await getPerson(db, caller, reference, field)).id;
}

/** SQL condition: `column` matches a workspace or person filter. */
export function matches(column: string, filter: string, { add }: Parameters): string {
  return filter === none ? `${column} IS NULL` : `${column} = ${add(filter)}`;
}

export function isOneOf(
  column: string,
  value: string | readonly string[],
  { add }: Parameters,
): string {
  const values = [value].flat();
  const [only] = values;
  return values.length === 1
    ? `${column} = ${add(only)}`
    : `${column} = ANY (${add(values)}::text[])`;
}
