type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Text;

/** The German of the tables' texts. */
const german = new Map<string, string>();

export type SampleLanguage = "de" | "en";
/** Translates a text of the tables. */
export type Say = (text: string) => string;

export function toSay(language: SampleLanguage): Say {
  return (text) => (language === "de" ? german.get(text) : undefined) ?? text;
}

/** Keeps the English of texts like "Roof ~ Dach" in a list, and notes their German. */
function readTexts(cell: string): string {
  const parts = cell.trim().split(/(; | \/ | @ )/);
  const texts = parts.map((part) => {
    const [english = "", translation] = part.split(" ~ ");
    if (translation !== undefined) german.set(english, translation);
    return english;
  });
  return texts.join("");
}

/** Parses a text table: one row per line, with `|` between the cells of the named columns. */
export function readTable<const Columns extends string>(
  columns: Columns,
  text: string,
): Record<Words<Columns>, string>[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const cells = line.split("|").map(readTexts);
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
