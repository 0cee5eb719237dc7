import { toRecord } from "../../common/json.js";
import type { ParameterHeaders } from "./parameter-headers.js";
import { findParameterHeaders, toParameterHeaders } from "./parameter-headers.js";

/** What is known about the server's tools, from every list of them that passed by. */
export interface ToolCatalog {
  /** Takes in one page of a `tools/list` result; later pages add to it. */
  add: (listResult: unknown) => void;
  /** The same with a list of an earlier run. What a tool may do now, it cannot tell. */
  addCached: (listResult: unknown) => void;
  isListed: (name: string) => boolean;
  /** Undefined for a tool that the server has not listed in this run. */
  isReadOnly: (name: string) => boolean | undefined;
  /** Calling it twice does no more than calling it once. */
  isSafeToRepeat: (name: string) => boolean;
  /**
   * The list without the tools that are not to be seen: with `--read-only` those that may change
   * something, in the modern era those whose header declarations are invalid. The same object when
   * nothing had to go.
   */
  filter: (listResult: unknown, era: Era) => unknown;
  /** `Mcp-Param-…` headers of a call; modern era only. */
  headersFor: (name: string, args: unknown) => Record<string, string>;
}

/** "modern" is revision 2026-07-28 and later: no `initialize`, every request for itself. */
export type Era = "legacy" | "modern";

interface Tool {
  readOnly: boolean | undefined;
  idempotent: boolean | undefined;
  parameters: ParameterHeaders;
}

/** Listed alone while nobody is signed in, so that a person can start it from the conversation. */
export const signInTool = {
  name: "sign_in",
  title: "Sign in",
  description:
    "Signs the person in to the server of this connection; its own tools are listed afterwards. " +
    "Opens the sign-in page in their browser, or answers with the address to open.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const;

/** The same while the server cannot be reached, so that a person is told why. */
export const connectionProblemTool = {
  name: "connection_problem",
  title: "Connection problem",
  description:
    "The server of this connection cannot be reached, so its tools are not listed yet. Tells what is " +
    "wrong and what the person can do about it; the tools appear when it is mended.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const;

export function createToolCatalog({ readOnly }: { readOnly: boolean }): ToolCatalog {
  const known = new Map<string, Tool>();
  const isVisible = (tool: Tool, era: Era) =>
    (tool.readOnly === true || !readOnly) && (tool.parameters.valid || era === "legacy");
  return {
    add: (listResult) => {
      for (const [name, tool] of namedToolsOf(listResult)) known.set(name, tool);
    },
    addCached: (listResult) => {
      for (const [name, { parameters }] of namedToolsOf(listResult)) {
        if (known.has(name)) continue;
        known.set(name, { readOnly: undefined, idempotent: undefined, parameters });
      }
    },
    isListed: (name) => known.has(name),
    isReadOnly: (name) => known.get(name)?.readOnly,
    isSafeToRepeat: (name) => {
      const { readOnly: onlyReads, idempotent } = known.get(name) ?? {};
      return onlyReads === true || idempotent === true;
    },
    filter: (listResult, era) => {
      const all = toolsOf(listResult);
      const visible = all.filter((entry) => isVisible(toTool(entry), era));
      return visible.length === all.length
        ? listResult
        : { ...(listResult as object), tools: visible };
    },
    headersFor: (name, args) => toParameterHeaders(known.get(name)?.parameters.headers ?? [], args),
  };
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
