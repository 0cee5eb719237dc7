const mostRows = 3;
const mostCharacters = 76;
const mostDepth = 3;

/** Formats a response for people: indented, with long lists and texts cut. */
export function describeAnswer(answer: Record<string, unknown>): string {
  return describeEntries(answer, 1).join("\n");
}

function describeEntries(value: object, depth: number): string[] {
  const indent = "  ".repeat(depth);
  return entriesOf(value).flatMap(([name, part]) => {
    if (name === "next_cursor") return [];
    if (Array.isArray(part)) return describeList(name, part, depth);
    if (typeof part !== "object" || part === null) return [`${indent}${name}: ${inOneLine(part)}`];
    if (depth >= mostDepth || isFlat(part)) return [`${indent}${name}: ${inOneLine(part)}`];
    return [`${indent}${name}:`, ...describeEntries(part, depth + 1)];
  });
}

function describeList(name: string, items: readonly unknown[], depth: number): string[] {
  const indent = "  ".repeat(depth);
  const shown = items.slice(0, mostRows).map((item) => `${indent}  - ${inOneLine(item)}`);
  const rest = items.length - shown.length;
  return [`${indent}${name}:`, ...shown, ...(rest > 0 ? [`${indent}  … ${rest} more`] : [])];
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value);
}

/** Objects of short values are printed on one line. */
function isFlat(value: object): boolean {
  const parts: unknown[] = Object.values(value);
  return (
    parts.every((part) => typeof part !== "object" || part === null) &&
    inOneLine(value).length < mostCharacters
  );
}

function inOneLine(value: unknown): string {
  const text =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? entriesOf(value)
          .filter(([name]) => name !== "id" && !name.endsWith("_id"))
          .map(([name, part]) => `${name} ${inOneLine(part)}`)
          .join(", ")
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
  const characters = Array.from(text.replace(/\s+/g, " "));
  if (characters.length <= 2 * mostCharacters) return characters.join("");
  return characters.slice(0, 2 * mostCharacters - 1).join("") + "…";
}
