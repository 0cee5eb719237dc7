import { isRecord, toRecord } from "../../common/json.js";
import { headerName, isHeaderValue } from "../../common/text.js";
import type { Message } from "../exchange.js";

/** A tool argument that is repeated in a header (`x-mcp-header` of revision 2026-07-28). */
interface ParameterHeader {
  header: string;
  /** Property names from the arguments down to the value. */
  path: readonly string[];
}

interface ParameterHeaders {
  /** False if the schema breaks the rules. Clients must hide such a tool. */
  valid: boolean;
  headers: readonly ParameterHeader[];
}

const allowedTypes = new Set<unknown>(["string", "integer", "boolean", "number"]);
/** Keywords that contain data. Properties have a path and are walked separately. */
const withoutSchemas = new Set(["const", "default", "enum", "examples", "properties"]);

interface Declaration {
  schema: Record<string, unknown>;
  /** Undefined if the schema doesn't show that the property applies. */
  path: readonly string[] | undefined;
}

function* findDeclarations(schema: unknown, path: Declaration["path"]): Generator<Declaration> {
  if (Array.isArray(schema)) for (const below of schema) yield* findDeclarations(below, undefined);
  if (!isRecord(schema)) return;
  if (schema["x-mcp-header"] !== undefined) yield { schema, path };
  for (const [name, below] of Object.entries(toRecord(schema["properties"]))) {
    yield* findDeclarations(below, path && [...path, name]);
  }
  for (const [keyword, below] of Object.entries(schema)) {
    if (!withoutSchemas.has(keyword)) yield* findDeclarations(below, undefined);
  }
}

/** One forbidden declaration invalidates all. */
function findParameterHeaders(inputSchema: unknown): ParameterHeaders {
  const headers: ParameterHeader[] = [];
  const names = new Set<string>();
  let valid = true;
  for (const { schema, path } of findDeclarations(inputSchema, [])) {
    const { type, "x-mcp-header": header } = schema;
    if (!isAllowed(header, path, names) || !allowedTypes.has(type)) {
      return { valid: false, headers: [] };
    }
    // A declaration on a "number" is forbidden too, but servers still check its header.
    if (type === "number") valid = false;
    names.add(header.toLowerCase());
    headers.push({ header: `Mcp-Param-${header}`, path: path ?? [] });
  }
  return { valid, headers };
}

function isAllowed(
  header: unknown,
  path: readonly string[] | undefined,
  names: ReadonlySet<string>,
): header is string {
  if (path === undefined || path.length === 0) return false;
  return typeof header === "string" && headerName.test(header) && !names.has(header.toLowerCase());
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number") return undefined;
  // Larger integers have already lost digits.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

const prefix = "=?base64?";
const suffix = "?=";

/** Encodes a text for an MCP header: unchanged if unambiguous, otherwise in base64. */
function toHeaderValue(text: string): string {
  const looksEncoded = text.startsWith(prefix) && text.endsWith(suffix);
  if (isHeaderValue(text) && !looksEncoded) return text;
  return prefix + Buffer.from(text, "utf8").toString("base64") + suffix;
}

/** "modern" is revision 2026-07-28 and later: no `initialize`, and stateless requests. */
export type Era = "legacy" | "modern";

interface Tool {
  readOnly: boolean | undefined;
  idempotent: boolean | undefined;
  parameters: ParameterHeaders;
}

const placeholder = {
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const;

/**
 * The only listed tool while no one is signed in, so a person can sign in from the conversation.
 */
export const signInTool = {
  name: "sign_in",
  title: "Sign in",
  description:
    "Signs the person in to the server of this connection; its own tools are listed afterwards. " +
    "Opens the sign-in page in their browser, or answers with the address to open.",
  ...placeholder,
} as const;

/** The only listed tool while the server is unreachable. It explains why. */
export const connectionProblemTool = {
  name: "connection_problem",
  title: "Connection problem",
  description:
    "The server of this connection cannot be reached, so its tools are not listed yet. Tells what is " +
    "wrong and what the person can do about it; the tools appear when it is mended.",
  ...placeholder,
} as const;

export class ToolCatalog {
  readonly #readOnly: boolean;
  readonly #known = new Map<string, Tool>();

  constructor({ readOnly }: { readOnly: boolean }) {
    this.#readOnly = readOnly;
  }

  /** Adds one page of a `tools/list` result. */
  add(listResult: unknown): void {
    for (const [name, tool] of namedToolsOf(listResult)) this.#known.set(name, tool);
  }

  /**
   * Adds a list from an earlier run. It doesn't prove that a tool is still read-only or safe to
   * retry.
   */
  addCached(listResult: unknown): void {
    for (const [name, { parameters }] of namedToolsOf(listResult)) {
      if (this.#known.has(name)) continue;
      this.#known.set(name, { readOnly: undefined, idempotent: undefined, parameters });
    }
  }

  isListed(name: string): boolean {
    return this.#known.has(name);
  }

  isReadOnly(name: string): boolean | undefined {
    return this.#known.get(name)?.readOnly;
  }

  isSafeToRepeat(name: string): boolean {
    const { readOnly, idempotent } = this.#known.get(name) ?? {};
    return readOnly === true || idempotent === true;
  }

  /**
   * Removes tools hidden by --read-only and, in the modern era, invalid tools. Returns the input if
   * nothing is removed.
   */
  filter(listResult: unknown, era: Era): unknown {
    const all = toolsOf(listResult);
    const tools = all.filter((entry) => {
      const { readOnly, parameters } = toTool(entry);
      return (readOnly === true || !this.#readOnly) && (parameters.valid || era === "legacy");
    });
    return tools.length === all.length ? listResult : { ...(listResult as object), tools };
  }

  /** `Mcp-Param-…` headers of a call, modern era only. Skips non-primitive values. */
  headersFor(name: string, args: unknown): Record<string, string> {
    const result: Record<string, string> = {};
    for (const { header, path } of this.#known.get(name)?.parameters.headers ?? []) {
      const own = (value: unknown, key: string) =>
        isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      const text = toText(path.reduce(own, args));
      if (text !== undefined) result[header] = toHeaderValue(text);
    }
    return result;
  }
}

function toTool(entry: unknown): Tool {
  const { annotations, inputSchema } = toRecord(entry);
  const { readOnlyHint, idempotentHint } = toRecord(annotations);
  return {
    readOnly: readOnlyHint === true,
    idempotent: idempotentHint === true,
    parameters: findParameterHeaders(inputSchema),
  };
}

function namedToolsOf(listResult: unknown): [string, Tool][] {
  return toolsOf(listResult).flatMap((entry): [string, Tool][] => {
    const { name } = toRecord(entry);
    return typeof name === "string" ? [[name, toTool(entry)]] : [];
  });
}

function toolsOf(listResult: unknown): unknown[] {
  const { tools } = toRecord(listResult);
  return Array.isArray(tools) ? tools : [];
}

const namedBy = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** Headers that repeat parts of a message with its own version, as revision 2026-07-28 requires. */
export function toModernHeaders(
  { method, params }: Message,
  version: string,
  tools: ToolCatalog,
): Record<string, string> {
  const headers: Record<string, string> = { "mcp-protocol-version": toHeaderValue(version) };
  if (typeof method !== "string") return headers;
  headers["mcp-method"] = toHeaderValue(method);
  const given = toRecord(params);
  const name = given[namedBy.get(method) ?? ""];
  if (typeof name !== "string") return headers;
  headers["mcp-name"] = toHeaderValue(name);
  return method === "tools/call"
    ? { ...headers, ...tools.headersFor(name, given["arguments"]) }
    : headers;
}
