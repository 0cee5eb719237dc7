type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Text;

/** Parses a text table: one row per line, with `|` between the cells of the named columns. */
export function readTable<const Columns extends string>(
  columns: Columns,
  text: string,
): Record<Words<Columns>, string>[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const cells = line.split("|").map((cell) => cell.trim());
      const entries = columns.split(" ").map((column, index) => [column, cells[index] ?? ""]);
      return Object.fromEntries(entries) as Record<Words<Columns>, string>;
    });
}

/** Parses a cell like "Lifts: 2; Boilers: 1". */
export function readPairs(cell: string): [string, string][] {
  return readList(cell).map((pair) => {
    const [name = "", value = ""] = pair.split(": ");
    return [name, value];
  });
}

/** Parses a cell like "Roof; Plant room 1". */
export function readList(cell: string): string[] {
  return cell === "" ? [] : cell.split("; ");
}

/** Parses a cell like "900-2100". */
export function readRange(cell: string): [least: number, most: number] {
  const [least = 0, most = 0] = cell.split("-").map(Number);
  return [least, most];
}
