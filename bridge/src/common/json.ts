/** Maximum nesting of arrays and objects. Deeper recursion crashes our program or a host's. */
const maxDepth = 1000;
/** Maximum count of arrays, objects and elements. Each takes many times the memory of its text. */
const maxValues = 8 * 1024 * 1024;

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns undefined for invalid or too complex JSON. */
export function parseJson(text: string): unknown {
  if (isTooComplex(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns true if a text is nested too deeply or has too many values. */
export function isTooComplex(text: string): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = findStringEnd(text, at);
        break;
      case openBracket:
      case openBrace:
        depth += 1;
        values += 1;
        break;
      case comma:
        values += 1;
        break;
      case closeBracket:
      case closeBrace:
        depth -= 1;
    }
    if (depth > maxDepth || values > maxValues) return true;
  }
  return false;
}

/** The position of the closing quote, or past the end of the text if there is none. */
function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an empty record for any other value. */
export function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Returns an empty string for any other value. Converting an object to a string can throw. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
