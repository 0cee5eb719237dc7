import { isRecord, toRecord } from "../../common/json.js";
import { headerName, isHeaderValue } from "../../common/text.js";

/** An argument of a tool that is repeated in a header (`x-mcp-header` of revision 2026-07-28). */
interface ParameterHeader {
  header: string;
  /** Property names from the arguments down to the value. */
  path: readonly string[];
}

export interface ParameterHeaders {
  /** False when the schema breaks the rules: clients must hide such a tool. */
  valid: boolean;
  headers: readonly ParameterHeader[];
}

const allowedTypes = new Set<unknown>(["string", "integer", "boolean"]);
/** Below these a declaration cannot be told from the schema alone to apply, so it is forbidden. */
const conditional = [
  ...["items", "prefixItems", "contains", "additionalProperties", "unevaluatedProperties"],
  ...["unevaluatedItems", "propertyNames", "oneOf", "anyOf", "allOf", "not", "if", "then", "else"],
];
const conditionalMaps = ["patternProperties", "dependentSchemas", "$defs", "definitions"];

/** A declaration that lies deeper counts as forbidden. */
const maxDepth = 100;

/** Finds all declarations of an input schema; one forbidden declaration voids them all. */
export function findParameterHeaders(inputSchema: unknown): ParameterHeaders {
  const headers: ParameterHeader[] = [];
  const names = new Set<string>();
  let valid = true;
  const open: { schema: unknown; path: readonly string[] | undefined }[] = [
    { schema: inputSchema, path: [] },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { schema, path } = next;
    if (!isRecord(schema)) continue;
    const header = schema["x-mcp-header"];
    if (header !== undefined) {
      if (!isAllowed(header, path, names)) return { valid: false, headers: [] };
      // A declaration on a "number" is forbidden too, but servers check its header all the same.
      if (schema["type"] === "number") valid = false;
      else if (!allowedTypes.has(schema["type"])) return { valid: false, headers: [] };
      names.add(header.toLowerCase());
      headers.push({ header: `Mcp-Param-${header}`, path: path ?? [] });
    }
    const mayDeclare = path !== undefined && path.length < maxDepth;
    for (const [name, schemaOf] of entriesOf(schema["properties"])) {
      open.push({ schema: schemaOf, path: mayDeclare ? [...path, name] : undefined });
    }
    for (const below of conditionalSchemas(schema)) open.push({ schema: below, path: undefined });
  }
  return { valid, headers };
}

/** Values that are absent, null, or no plain value get no header. */
export function toParameterHeaders(
  headers: readonly ParameterHeader[],
  args: unknown,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const { header, path } of headers) {
    const text = toText(valueAt(args, path));
    if (text !== undefined) result[header] = toHeaderValue(text);
  }
  return result;
}

function isAllowed(
  header: unknown,
  path: readonly string[] | undefined,
  names: ReadonlySet<string>,
): header is string {
  if (path === undefined || path.length === 0) return false;
  return typeof header === "string" && headerName.test(header) && !names.has(header.toLowerCase());
}

function conditionalSchemas(schema: Record<string, unknown>): unknown[] {
  const single = conditional.flatMap((keyword) => schema[keyword] ?? []);
  const named = conditionalMaps.flatMap((keyword) =>
    entriesOf(schema[keyword]).map(([, below]) => below),
  );
  return [...single, ...named];
}

function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(toRecord(value));
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number") return undefined;
  // Larger integers have lost digits already.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

const prefix = "=?base64?";
const suffix = "?=";

/** A text as MCP writes it into a header: as it is where that is unambiguous, else in base64. */
export function toHeaderValue(text: string): string {
  const looksEncoded = text.startsWith(prefix) && text.endsWith(suffix);
  if (isHeaderValue(text) && !looksEncoded) return text;
  return prefix + Buffer.from(text, "utf8").toString("base64") + suffix;
}
