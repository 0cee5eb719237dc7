import type {
  DeleteStmt,
  InsertStmt,
  JoinExpr,
  Node,
  RangeVar,
  SelectStmt,
  UpdateStmt,
  WithClause,
} from "@pgsql/types";
import { isEquals, isGiven, kindOf, toNames } from "./nodes.js";
import {
  add,
  anyColumn,
  columnsOf,
  findColumn,
  findQuery,
  join,
  once,
  open,
  rename,
  type Columns,
  type Relation,
  type Scope,
  type Term,
  type Terms,
} from "./scopes.js";
import type { Table } from "./tenant-schema.js";

/** A naming column or outside value by which a row is looked up. */
export interface Lookup {
  table: string;
  column: string;
}

export interface Checked {
  /** Empty if every row that the statement reads or writes belongs to an organization it names. */
  problems: string[];
  /** The conditions on the organization column, to be removed one by one. */
  conditions: Node[];
}

interface Equality {
  left: () => Terms;
  right: () => Terms;
  /** The relations that the equality filters. An outer join keeps all rows of its other side. */
  binds: Relation[];
  node: Node;
}

/**
 * Checks that each table with organizations is bound to one: its organization column equals a value
 * or the column of a bound table. An id identifies a row only within its organization. Only
 * mandatory conditions count. Unknown syntax is a problem.
 */
export function checkStatement(
  statement: Node,
  tables: Map<string, Table>,
  isAllowed: (lookup: Lookup) => boolean = () => false,
): Checked {
  const problems: string[] = [];
  const equalities: Equality[] = [];
  const stored: Relation[] = [];
  /** Visited tables and queries. Any other in the statement was missed. */
  const seen = new Set<unknown>();
  const results = new Map<unknown, Columns>();

  function query(node: Node | undefined, parent?: Scope): Columns {
    if (node === undefined) return new Map();
    if ("SelectStmt" in node) return select(node.SelectStmt, parent);
    if ("InsertStmt" in node) return insert(node.InsertStmt, open(parent));
    if ("UpdateStmt" in node) return update(node.UpdateStmt, open(parent));
    if ("DeleteStmt" in node) return remove(node.DeleteStmt, open(parent));
    if ("LockStmt" in node)
      for (const item of node.LockStmt.relations ?? []) seen.add(Object.values(item)[0]);
    else if (!harmless.some((kind) => kind in node))
      problems.push(`not understood: ${kindOf(node)}`);
    return new Map();
  }

  function select(part: SelectStmt, parent?: Scope): Columns {
    seen.add(part);
    const scope = open(parent);
    if (part.larg !== undefined && part.rarg !== undefined) {
      const { larg, rarg } = part;
      const named = withQueries(part.withClause, scope);
      const left = select(larg, named);
      const columns = either(left, () => select(rarg, named));
      expressions([part.sortClause, part.limitCount, part.limitOffset], scope);
      results.set(part, columns);
      return columns;
    }
    withQueries(part.withClause, scope);
    from(part.fromClause, scope);
    conditions(part.whereClause, scope);
    expressions(
      { ...part, withClause: undefined, fromClause: undefined, lockingClause: undefined },
      scope,
    );
    const columns = outputs(part.targetList, scope);
    results.set(part, columns);
    return columns;
  }

  function insert(part: InsertStmt, scope: Scope): Columns {
    withQueries(part.withClause, scope);
    const target = addTable(part.relation, scope);
    query(part.selectStmt, scope);
    const { table } = target;
    const place = (part.cols ?? []).findIndex(
      (column) => "ResTarget" in column && column.ResTarget.name === table?.organization,
    );
    target.isBound = table?.isOrganizationOptional === true || isGiven(part, place);
    if (table?.organization !== undefined && !target.isBound)
      problems.push(`${target.alias} gets a row without an organization`);
    scope.relations.push({ ...target, alias: "excluded", isBound: true });
    onConflict(part, target);
    expressions([part.onConflictClause, part.returningClause], scope);
    return outputs(part.returningClause?.exprs, scope);
  }

  /** The conflicting row must belong to the row's organization. */
  function onConflict({ onConflictClause: conflict }: InsertStmt, target: Relation): void {
    const { table } = target;
    if (conflict?.action !== "ONCONFLICT_UPDATE" || table?.organization === undefined) return;
    const { conname = "", indexElems = [] } = conflict.infer ?? {};
    const key =
      table.keys.get(conname) ??
      indexElems.map((each) => ("IndexElem" in each ? each.IndexElem.name : ""));
    if (!key.includes(table.organization))
      problems.push(`${target.alias} is updated by a key that has no organization`);
    refuseMove(conflict.targetList, target);
  }

  function update(part: UpdateStmt, scope: Scope): Columns {
    const { withClause, relation, targetList, fromClause, whereClause, returningClause } = part;
    withQueries(withClause, scope);
    const target = addTable(relation, scope);
    from(fromClause, scope);
    conditions(whereClause, scope);
    refuseMove(targetList, target);
    expressions([targetList, whereClause, returningClause], scope);
    return outputs(returningClause?.exprs, scope);
  }

  function remove(part: DeleteStmt, scope: Scope): Columns {
    const { withClause, relation, usingClause, whereClause, returningClause } = part;
    withQueries(withClause, scope);
    addTable(relation, scope);
    from(usingClause, scope);
    conditions(whereClause, scope);
    expressions([whereClause, returningClause], scope);
    return outputs(returningClause?.exprs, scope);
  }

  /** Resolves WITH queries first. Only a recursive one can refer to itself. */
  function withQueries(clause: WithClause | undefined, scope: Scope): Scope {
    for (const node of clause?.ctes ?? []) {
      if (!("CommonTableExpr" in node)) continue;
      const { ctename = "", aliascolnames, ctequery } = node.CommonTableExpr;
      const names = toNames(aliascolnames);
      const itself: Columns = new Map();
      if (clause?.recursive === true) scope.queries.set(ctename, itself);
      own.push({ columns: itself, names });
      const columns = query(ctequery, scope);
      own.pop();
      rename(columns, names).forEach((term, name) => itself.set(name, term));
      scope.queries.set(ctename, itself);
    }
    return scope;
  }
  const own: { columns: Columns; names: string[] }[] = [];

  /** Merges the columns of UNION and similar, named by the first query. */
  function either(left: Columns, getRight: () => Columns): Columns {
    const itself = own.at(-1);
    // The first part of a recursive query names the columns that the second part reads.
    rename(left, itself?.names ?? []).forEach((term, name) => itself?.columns.set(name, term));
    const found = getRight();
    if (left.has(anyColumn) || found.has(anyColumn)) return new Map();
    const right = [...found.values()];
    return new Map(
      [...left].map(([name, term], index) => {
        const other = right[index] ?? (() => undefined);
        return [name, once(() => join(term(), other()))];
      }),
    );
  }

  function from(items: Node[] | undefined, scope: Scope): void {
    for (const item of items ?? []) fromItem(item, scope);
  }

  /** Adds the relations of a FROM item and returns them. */
  function fromItem(item: Node, scope: Scope): Relation[] {
    if ("RangeVar" in item) return [addTable(item.RangeVar, scope)];
    if ("JoinExpr" in item) return joined(item.JoinExpr, scope);
    if ("RangeSubselect" in item) {
      const { subquery, alias } = item.RangeSubselect;
      return [add(scope, alias, rename(query(subquery, scope), toNames(alias?.colnames)))];
    }
    if ("RangeFunction" in item) {
      const { functions, alias, coldeflist } = item.RangeFunction;
      expressions([functions], scope);
      const named = [...toNames(alias?.colnames), ...toNames(coldeflist)];
      const names = [alias?.aliasname ?? "", ...(named.length > 0 ? named : [anyColumn])];
      return [add(scope, alias, new Map(names.map((name) => [name, () => undefined])))];
    }
    problems.push(`not understood in FROM: ${kindOf(item)}`);
    return [];
  }

  function joined(part: JoinExpr, scope: Scope): Relation[] {
    const left = part.larg === undefined ? [] : fromItem(part.larg, scope);
    const right = part.rarg === undefined ? [] : fromItem(part.rarg, scope);
    const all = [...left, ...right];
    const optional = { JOIN_INNER: all, JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] };
    const isPlain = part.jointype === "JOIN_INNER" || part.jointype === "JOIN_LEFT";
    // USING then merges into the left side's column, which is the one that is found.
    const isUsing = part.usingClause !== undefined && !isPlain;
    if (part.isNatural === true || part.alias !== undefined || isUsing)
      problems.push("not understood: the columns of a join");
    conditions(part.quals, scope, optional[part.jointype as keyof typeof optional]);
    expressions([part.quals], scope);
    return all;
  }

  function addTable(part: RangeVar = {}, scope: Scope): Relation {
    seen.add(part);
    const { relname: name = "", alias = { aliasname: name }, schemaname } = part;
    const named = schemaname === undefined ? findQuery(scope, name) : undefined;
    if (named !== undefined) return add(scope, alias, named);
    const table = tables.get(name);
    const relation = add(scope, alias);
    if (table !== undefined) stored.push(Object.assign(relation, { table }));
    else if (schemaname !== "information_schema" && !name.startsWith("pg_"))
      problems.push(`unknown table: ${name}`);
    return relation;
  }

  function conditions(node: Node | undefined, scope: Scope, binds = scope.relations): void {
    if (node === undefined) return;
    if ("BoolExpr" in node && node.BoolExpr.boolop === "AND_EXPR")
      for (const each of node.BoolExpr.args ?? []) conditions(each, scope, binds);
    const equal = "A_Expr" in node || "SubLink" in node ? sidesOf(node, scope) : undefined;
    if (equal !== undefined) equalities.push({ ...equal, binds, node });
  }

  /** Returns the sides of a comparison with a value, a list or a subquery. */
  function sidesOf(node: Node, scope: Scope): Pick<Equality, "left" | "right"> | undefined {
    if ("SubLink" in node && node.SubLink.subLinkType === "ANY_SUBLINK") {
      const { testexpr, operName, subselect } = node.SubLink;
      if (operName !== undefined && !isEquals(operName)) return undefined;
      return { left: () => terms(testexpr, scope), right: () => firstColumn(subselect) };
    }
    if (!("A_Expr" in node) || !isEquals(node.A_Expr.name)) return undefined;
    const { kind, lexpr, rexpr } = node.A_Expr;
    const left = () => terms(lexpr, scope);
    if (kind === "AEXPR_OP") return { left, right: () => terms(rexpr, scope) };
    const isOneOf = kind === "AEXPR_OP_ANY" || kind === "AEXPR_IN";
    return isOneOf ? { left, right: () => values(rexpr, scope) } : undefined;
  }

  /** Visits queries within expressions. */
  function expressions(value: unknown, scope: Scope): void {
    if (typeof value !== "object" || value === null) return;
    if ("SelectStmt" in value) {
      const { SelectStmt } = value as { SelectStmt: SelectStmt };
      if (!seen.has(SelectStmt)) select(SelectStmt, scope);
      return;
    }
    for (const each of Object.values(value)) expressions(each, scope);
  }

  function terms(node: Node | undefined, scope: Scope): Terms {
    if (node === undefined) return undefined;
    if ("ParamRef" in node) return ["value"];
    if ("A_Const" in node) return node.A_Const.isnull === true ? undefined : ["value"];
    if ("TypeCast" in node) {
      const cast = terms(node.TypeCast.arg, scope);
      return cast?.every((term) => term === "value") === true ? cast : undefined;
    }
    if ("SubLink" in node && node.SubLink.subLinkType === "EXPR_SUBLINK")
      return firstColumn(node.SubLink.subselect);
    return "ColumnRef" in node ? findColumn(toNames(node.ColumnRef.fields), scope) : undefined;
  }

  /** Terms of a list or array of outside values. */
  function values(node: Node | undefined, scope: Scope): Terms {
    const items = node && "List" in node ? (node.List.items ?? []) : [node];
    const found = items.map((item) => terms(item, scope));
    return found.every((each) => each?.every((term) => term === "value")) ? ["value"] : undefined;
  }

  function firstColumn(node: Node | undefined): Terms {
    const columns = node && "SelectStmt" in node ? results.get(node.SelectStmt) : undefined;
    return columns?.values().next().value?.();
  }

  function outputs(targets: Node[] | undefined, scope: Scope): Columns {
    const columns: Columns = new Map();
    for (const [index, target] of (targets ?? []).entries()) {
      if (!("ResTarget" in target)) continue;
      const { name, val } = target.ResTarget;
      const fields = val && "ColumnRef" in val ? (val.ColumnRef.fields ?? []) : [];
      const [alias] = toNames(fields);
      if (fields.some((field) => "A_Star" in field)) {
        // This order differs from the database's, on which UNION and renaming depend.
        columns.set(anyColumn, () => undefined);
        for (const relation of scope.relations.filter(
          (each) => (alias ?? each.alias) === each.alias,
        ))
          columnsOf(relation).forEach((term, column) => columns.set(column, term));
      } else {
        const plain = name ?? toNames(fields).at(-1) ?? `?${index}`;
        const term = once(() => terms(val, scope));
        columns.set(columns.has(plain) ? `${plain}?${index}` : plain, term);
      }
    }
    return columns;
  }

  function bind(): void {
    const isDone = equalities.every(({ left, right, binds }) =>
      [
        [left(), right()],
        [right(), left()],
      ].every(([one, other]) => {
        const term = one?.length === 1 ? one[0] : undefined;
        if (term === undefined || term === "value" || term.relation.isBound) return true;
        if (!binds.includes(term.relation) || other === undefined || other.length === 0)
          return true;
        // In a recursive query, a row derived from the previous row is bound if the previous one
        // is.
        const isBefore = (each: Term) => each !== "value" && each.relation === term.relation;
        term.relation.isBound =
          other.some((each) => isSame(term, each)) &&
          other.every((each) => isBefore(each) || isSame(term, each));
        return !term.relation.isBound;
      }),
    );
    if (!isDone) bind();
  }

  function isSame(term: Exclude<Term, "value">, other: Term): boolean {
    const { relation, column } = term;
    const { table } = relation;
    if (table === undefined) return false;
    if (other === "value")
      return column === table.organization || isAllowed({ table: table.name, column });
    const thing = table.names.get(column);
    return (
      other.relation.isBound &&
      thing !== undefined &&
      thing === other.relation.table?.names.get(other.column)
    );
  }

  function refuseMove(targets: Node[] | undefined, { table, alias }: Relation): void {
    const isMove = (node: Node) =>
      "ResTarget" in node && node.ResTarget.name === table?.organization;
    if (table?.organization !== undefined && targets?.some(isMove) === true)
      problems.push(`${alias} is moved to another organization`);
  }

  function findOverlooked(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    if ("LockingClause" in value) return;
    if ("relname" in value && !seen.has(value)) problems.push("overlooked: a table");
    if ("SelectStmt" in value && !seen.has(value.SelectStmt)) problems.push("overlooked: a query");
    for (const each of Object.values(value)) findOverlooked(each);
  }

  query(statement);
  bind();
  findOverlooked(statement);
  for (const { alias, table, isBound } of stored)
    if (table?.organization !== undefined && !isBound)
      problems.push(`${table.name} ${alias} is not bound to an organization`);
  const isOfOrganization = (found: Terms) =>
    found?.some((term) => term !== "value" && term.relation.table?.organization === term.column);
  const named = equalities.filter(
    ({ left, right }) => isOfOrganization(left()) === true || isOfOrganization(right()) === true,
  );
  return { problems: [...new Set(problems)], conditions: named.map(({ node }) => node) };
}

/** Statements that name no table. */
const harmless = ["TransactionStmt", "VariableSetStmt", "VariableShowStmt"];
