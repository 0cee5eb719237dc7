import { deparseSync } from "pgsql-parser";
import type { Node } from "@pgsql/types";
import type { Database } from "../../server/src/db/database.js";
import type { Query } from "../support/recorded-statements.js";
import { check, parse, without } from "./recorded.js";

/** A read with one condition removed. */
export interface Mutant {
  text: string;
  /** True if the check refuses it. */
  isNoticed: boolean;
  /** True if it returns other rows than the original, with any of the values it was sent with. */
  isLeaking: boolean;
}

type Choose = (statement: Node, text: string) => Node[];

export const ofOrganization: Choose = (statement, text) =>
  check(statement, { text, from: "" }).conditions;

export const ofVisibility: Choose = (statement) => {
  const found: Node[] = [];
  findConditions(statement, (condition) => {
    if (isAboutWorkspaces(condition)) found.push(condition);
  });
  return found.filter((outer) => !found.some((inner) => inner !== outer && contains(outer, inner)));
};

/**
 * Removes each chosen condition from each read and repeats it with the original values. Also
 * repeats it with hidden ids in place of others, as if earlier checks had passed them.
 */
export async function tryMutants(
  db: Database,
  sent: Query[],
  choose: Choose,
  hidden: Map<unknown, string>,
): Promise<Mutant[]> {
  const mutants = new Map<string, Mutant>();
  const swap = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(swap) : (hidden.get(value) ?? value);
  const swapped = sent.map(({ text, values }) => ({ text, values: values.map(swap) }));
  for (const { text, values } of [...sent, ...swapped]) {
    const [statement] = await parse(text);
    if (statement === undefined || !("SelectStmt" in statement)) continue;
    if (JSON.stringify(statement).includes("LockingClause")) continue;
    const read = async (sql: string) => JSON.stringify(await db.query(sql, values));
    for (const condition of choose(statement, text)) {
      const { mutated, isNoticed } = without([condition], () => ({
        mutated: deparseSync(statement),
        isNoticed: check(statement, { text, from: "" }).problems.length > 0,
      }));
      const known = mutants.get(mutated);
      const isLeaking = known?.isLeaking === true || (await read(text)) !== (await read(mutated));
      mutants.set(mutated, { text: mutated, isNoticed, isLeaking });
    }
  }
  return [...mutants.values()];
}

/** Reports each mandatory condition of the statement and its subqueries. */
function findConditions(value: unknown, tell: (condition: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  const { whereClause, quals } = value as { whereClause?: Node; quals?: Node };
  for (const clause of [whereClause, quals]) if (clause !== undefined) tellEach(clause, tell);
  for (const each of Object.values(value)) findConditions(each, tell);
}

function tellEach(clause: Node, tell: (condition: Node) => void): void {
  if (!("BoolExpr" in clause) || clause.BoolExpr.boolop !== "AND_EXPR") tell(clause);
  else for (const each of clause.BoolExpr.args ?? []) tellEach(each, tell);
}

function isAboutWorkspaces(condition: Node): boolean {
  return JSON.stringify(condition).includes('"relname":"workspace_members"');
}

function contains(outer: unknown, inner: Node): boolean {
  if (typeof outer !== "object" || outer === null) return false;
  return Object.values(outer).some((each) => each === inner || contains(each, inner));
}
