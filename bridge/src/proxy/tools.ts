import { toRecord } from "./message.js";
import { findParameterHeaders, toParameterHeaders } from "./parameter-headers.js";
import type { ParameterHeaders } from "./parameter-headers.js";

/** What is known about the server's tools, from every list of them that passed by. */
export interface ToolBook {
  /** Takes in one page of a `tools/list` result; later pages add to it. */
  learn: (listResult: unknown) => void;
  /** Undefined for a tool that was never listed. */
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
  readOnly: boolean;
  idempotent: boolean;
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

export function createToolBook({ readOnly }: { readOnly: boolean }): ToolBook {
  const known = new Map<string, Tool>();
  const isVisible = (tool: Tool, era: Era) =>
    (tool.readOnly || !readOnly) && (tool.parameters.valid || era === "legacy");
  return {
    learn: (listResult) => {
      for (const entry of toolsOf(listResult)) {
        const name = nameOf(entry);
        if (name !== undefined) known.set(name, toTool(entry));
      }
    },
    isReadOnly: (name) => known.get(name)?.readOnly,
    isSafeToRepeat: (name) => {
      const tool = known.get(name);
      return tool !== undefined && (tool.readOnly || tool.idempotent);
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

function nameOf(entry: unknown): string | undefined {
  const { name } = toRecord(entry);
  return typeof name === "string" ? name : undefined;
}

function toolsOf(listResult: unknown): unknown[] {
  const { tools } = toRecord(listResult);
  return Array.isArray(tools) ? tools : [];
}
