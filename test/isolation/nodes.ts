import type { InsertStmt, Node } from "@pgsql/types";

export function toNames(nodes: Node[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => {
    if ("String" in node) return node.String.sval ?? "";
    return "ColumnDef" in node ? (node.ColumnDef.colname ?? "") : [];
  });
}

export function isEquals(name: Node[] | undefined): boolean {
  return toNames(name).join(".") === "=";
}

/** True if every inserted row has a value or parameter at this position. */
export function isGiven({ selectStmt }: InsertStmt, place: number): boolean {
  if (place < 0 || selectStmt === undefined || !("SelectStmt" in selectStmt)) return false;
  const { valuesLists, targetList } = selectStmt.SelectStmt;
  const rows = valuesLists?.map((list) => ("List" in list ? (list.List.items ?? []) : []));
  if (JSON.stringify(targetList ?? []).includes("A_Star")) return false;
  return (rows ?? [targetList ?? []]).every((row) => {
    const given = row[place];
    const value = given && "ResTarget" in given ? given.ResTarget.val : given;
    const isNull = value && "A_Const" in value && value.A_Const.isnull === true;
    return value !== undefined && !("SetToDefault" in value) && isNull !== true;
  });
}

export function kindOf(node: Node): string {
  return Object.keys(node)[0] ?? "";
}
