import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { quote } from "../domain/shared/quote.js";
import { toolCalls } from "../metrics.js";
import type { ToolAnswer } from "./answers.js";
import { callTool, type CallContext } from "./call-tool.js";
import { complete } from "./completions.js";
import { readPersonInput, type InputRequired } from "./confirmation.js";
import { findNearest, findNearestByWords } from "./nearest.js";
import { isObject } from "./normalize.js";
import { allTools, registeredTools } from "./registry.js";
import { getPrompt, promptList } from "./prompts.js";
import { readResource, resourceList, resourceTemplateList } from "./resources.js";
import { RpcError, rpcCodes, type JsonText } from "./rpc.js";
import {
  capabilities,
  instructions,
  modernVersion,
  resultMeta,
  serverInfo,
} from "./server-info.js";
import { findView } from "./views/views.js";
import { omit } from "../domain/shared/omit.js";
import { toListedSchema, type JsonSchema } from "./json-schema.js";

/** How long a client may keep the list: it changes with a new release only. */
const listTtlMs = 300_000;

const tools = [...registeredTools.values()].map(({ tool, inputSchema, outputSchema }) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: toListedSchema(inputSchema),
  outputSchema: listedOutput(outputSchema),
  annotations: tool.annotations,
  ...(tool.view !== undefined && { _meta: { ui: { resourceUri: tool.view } } }),
}));

/** Results of tools/list, ready-made; only the id of the request is put in front. */
export const toolListResult = {
  legacy: Buffer.from(JSON.stringify({ tools })),
  modern: Buffer.from(
    JSON.stringify({
      resultType: "complete",
      tools,
      ttlMs: listTtlMs,
      cacheScope: "public",
      _meta: resultMeta,
    }),
  ),
};

export type Era = keyof typeof toolListResult;

export interface RpcRequest {
  method: string;
  params?: unknown;
}

const metaText = JSON.stringify(resultMeta);

const discovery = JSON.stringify({
  resultType: "complete",
  supportedVersions: [modernVersion],
  capabilities,
  instructions,
  ttlMs: listTtlMs,
  cacheScope: "public",
  _meta: resultMeta,
});

const [prefix, suffix] = ['{"resultType":"complete",', `,"_meta":${metaText}}`];

/** How long a client may keep what it has read; it is for the person alone. */
const readCache = { ttlMs: 5000, cacheScope: "private" };

/** For what changes with a new release only. */
const listCache = { ...readCache, ttlMs: listTtlMs };

/** A result as the era has it: modern ones say that they are complete and who made them. */
function toResult(era: Era, result: object, cache: object = {}): string {
  if (era === "legacy") return JSON.stringify(result);
  return prefix + JSON.stringify({ ...result, ...cache }).slice(1, -1) + suffix;
}

/** Lists that are the same for everybody, ready-made. */
const lists = new Map(
  Object.entries({
    "resources/list": resourceList,
    "resources/templates/list": resourceTemplateList,
    "prompts/list": promptList,
  }).map(([method, list]) => {
    const modern = toResult("modern", list, listCache);
    const ofEra = { legacy: toResult("legacy", list), modern };
    return [method, ofEra] as const;
  }),
);

/** What a client with a handshake is to be asked before the request is answered. */
export interface Asking {
  asked: InputRequired;
}

/** Answers one request with its result. */
export async function answerRequest(
  era: Era,
  request: RpcRequest,
  context: CallContext,
): Promise<JsonText | Asking> {
  const { method, params } = request;
  if (method === "tools/call") return answerCall(era, params, context);
  const list = method === "tools/list" ? toolListResult : lists.get(method);
  if (list !== undefined) {
    refuseCursor(params);
    return list[era];
  }
  if (method === "resources/read") return answerRead(era, params, context);
  if (method === "prompts/get") return toResult(era, getPrompt(params));
  if (method === "completion/complete") return toResult(era, await complete(params, context));
  const other = era === "modern" ? modernResult(request) : legacyResult(request);
  if (other !== undefined) return other;
  throw new RpcError("Method not found", rpcCodes.methodNotFound, {
    status: era === "modern" ? 404 : 200,
  });
}

async function answerRead(era: Era, params: unknown, context: CallContext): Promise<string> {
  const view = isObject(params) ? findView(params["uri"]) : undefined;
  if (view !== undefined) return toResult(era, view, listCache);
  const notFound = era === "modern" ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  return toResult(era, await readResource(params, context, notFound), readCache);
}

async function answerCall(
  era: Era,
  params: unknown,
  context: CallContext,
): Promise<JsonText | Asking> {
  const answer = await answerToolCall(era, params, context);
  const { inputRequired: asked } = answer;
  return asked !== undefined && era === "legacy" ? { asked } : toolResultText(era, answer);
}

export function toolResultText(
  era: Era,
  { texts, more = [], structured, isError, inputRequired }: ToolAnswer,
): string {
  if (inputRequired !== undefined) {
    return JSON.stringify({ resultType: "input_required", ...inputRequired, _meta: resultMeta });
  }
  const content = JSON.stringify([...texts.map((text) => ({ type: "text", text })), ...more]);
  const failed = isError ? ',"isError":true' : "";
  const result = `"content":${content},"structuredContent":${structured}${failed}`;
  if (era === "legacy") return `{${result}}`;
  return prefix + result + suffix;
}

function modernResult({ method }: RpcRequest): string | undefined {
  return method === "server/discover" ? discovery : undefined;
}

function legacyResult({ method, params }: RpcRequest): string | undefined {
  if (method === "ping") return "{}";
  return method === "initialize" ? initialize(params) : undefined;
}

/** The client's revision when it is one of ours, else the newest that has a handshake. */
function initialize(params: unknown): string {
  const asked = isObject(params) ? params["protocolVersion"] : undefined;
  if (typeof asked !== "string") {
    throw new RpcError("Invalid params: protocolVersion is missing", rpcCodes.invalidParams);
  }
  const known = SUPPORTED_PROTOCOL_VERSIONS.includes(asked);
  return JSON.stringify({
    protocolVersion: known ? asked : LATEST_PROTOCOL_VERSION,
    capabilities,
    serverInfo,
    instructions,
  });
}

function answerToolCall(era: Era, params: unknown, context: CallContext): Promise<ToolAnswer> {
  if (!isObject(params) || typeof params["name"] !== "string") {
    throw new RpcError("Invalid params: name is missing", rpcCodes.invalidParams);
  }
  const { name } = params;
  const registered = registeredTools.get(name);
  if (registered === undefined) throw unknownTool(name);
  const given = params["arguments"] ?? {};
  if (!isObject(given)) {
    throw new RpcError("Invalid params: arguments must be an object", rpcCodes.invalidParams);
  }
  if (era === "legacy") return callTool(registered, given, context);
  return callTool(registered, given, { ...context, person: readPersonInput(params) });
}

const ofAsset = "[_-]?(assets?|equipment)$";
const ofTask = "[_-]?(maintenance[_-]?)?(tasks?|work[_-]?orders?)$";

/** Names that other services have for what one of our tools does among other things. */
const insteadOfTools: readonly (readonly [name: RegExp, instead: string])[] = [
  [
    new RegExp(`^(delete|remove|retire|archive|dispose)${ofAsset}`, "i"),
    'To retire an asset, use update_asset_state with state "deleted".',
  ],
  [
    new RegExp(`^restore${ofAsset}`, "i"),
    'To restore an asset, use update_asset_state with state "available".',
  ],
  [new RegExp(`^(move|assign)${ofAsset}`, "i"), "Use update_asset for it."],
  [
    new RegExp(`^(delete|remove|cancel|skip)${ofTask}`, "i"),
    'Use update_maintenance_task with state "cancelled".',
  ],
  [
    new RegExp(`^(complete|finish|close)${ofTask}`, "i"),
    'Use update_maintenance_task with state "completed".',
  ],
  [
    new RegExp(`^(assign|reassign|start|reschedule|reopen)${ofTask}`, "i"),
    "Use update_maintenance_task for it.",
  ],
];

/** What cannot be undone is never suggested. */
function unknownTool(name: string): RpcError {
  toolCalls.inc({ tool: "unknown", outcome: "unknown_tool" });
  const harmless = allTools.filter(({ scope }) => scope !== "mcp_destructive");
  const names = harmless.map((tool) => tool.name);
  const nearest = findNearest(name, names) ?? findNearestByWords(name, names);
  const near = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  const instead = insteadOfTools.find(([pattern]) => pattern.test(name));
  const hint = instead === undefined ? near : ` ${instead[1]}`;
  return new RpcError(`Unknown tool ${quote(name)}.${hint}`, rpcCodes.invalidParams);
}

/** The list has one page, so no cursor can be ours. */
function refuseCursor(params: unknown): void {
  if (isObject(params) && typeof params["cursor"] === "string") {
    throw new RpcError("Invalid params: unknown cursor", rpcCodes.invalidParams);
  }
}

/**
 * Clients of SDK 1.x hold results against this schema even when they are errors, and then throw
 * away what the error says. So the list demands nothing at the top; results have it all the same.
 */
function listedOutput(schema: JsonSchema): JsonSchema {
  return omit(schema, "required");
}
