import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { idKindOf } from "./ids.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { getPerson } from "./person-references.js";
import { getWorkspace } from "./workspace-references.js";

const none = "none";

/** The id of the workspace that a list is filtered by, or "none" for what is in no workspace. */
export async function toWorkspaceFilter(
  db: Tx,
  caller: Caller,
  reference: string,
): Promise<string> {
  return reference.toLowerCase() === none ? none : (await getWorkspace(db, caller, reference)).id;
}

/** The id of the person whose work a list is filtered by, or "none" for what nobody has. */
export async function toAssigneeFilter(
  db: Tx,
  caller: Caller,
  reference: string,
  isShown: IsShown,
): Promise<string> {
  return reference.toLowerCase() === none ? none : toPersonFilter(db, caller, reference, isShown);
}

/** From which rows, that the caller sees, is $2 the id of a person: the text after SELECT 1. */
export type IsShown = (parameters: Parameters) => string;

/** Whoever a visible row names can be asked for, even after leaving or from another workspace. */
export async function toPersonFilter(
  db: Tx,
  caller: Caller,
  reference: string,
  isShown: IsShown,
  field?: string,
): Promise<string> {
  if (idKindOf(reference) === "user") {
    const parameters = createParameters(caller.organizationId, reference);
    const rows = await db.query(`SELECT 1 ${isShown(parameters)} LIMIT 1`, parameters.values);
    if (rows.length > 0) return reference;
  }
  return (await getPerson(db, caller, reference, field)).id;
}

/** The condition on `column`, which holds what one of these filters is about. */
export function matches(column: string, filter: string, { add }: Parameters): string {
  return filter === none ? `${column} IS NULL` : `${column} = ${add(filter)}`;
}

/** The condition that `column` has a value, or one of several. */
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
