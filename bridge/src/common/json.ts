/** Lists and objects within one another: beyond it recursion, ours or a host's, ends a program. */
const maxDepth = 1000;
/** Lists, objects and elements: each takes many times the memory that its text does. */
const maxValues = 8 * 1024 * 1024;

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Undefined for what is no JSON, and for what is too complex. */
export function parseJson(text: string): unknown {
  if (isTooComplex(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a text is nested too deep, or has too many values, to be taken from anybody. */
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

/** The place of the closing quote; beyond the text where there is none. */
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

/** An empty one for everything else. */
export function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** An empty one for everything else; objects can say of themselves that they become no text. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
