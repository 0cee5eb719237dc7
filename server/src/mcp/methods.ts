import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { toResult, type Era } from "./answer.js";
import { call, type Asking } from "./call.js";
import { complete } from "./completions.js";
import { toListedOutput, toListedSchema } from "./json-schema.js";
import { isObject } from "./normalize.js";
import { getPrompt, promptList } from "./prompts.js";
import { registeredTools } from "./registry.js";
import { readResource, resourceList, resourceTemplateList } from "./resources.js";
import { RpcError, rpcCodes, type JsonText, type RpcRequest } from "./rpc.js";
import type { CallContext } from "./run.js";
import {
  capabilities,
  instructions,
  modernVersion,
  resultMeta,
  serverInfo,
} from "./server-info.js";
import type { AnswerStream } from "./stream.js";
import { findView } from "./views/views.js";

/** How long a client may cache the list: it changes only with a new release. */
const listTtlMs = 300_000;

const tools = [...registeredTools.values()].map(({ tool, inputSchema, outputSchema }) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: toListedSchema(inputSchema),
  outputSchema: toListedOutput(outputSchema),
  annotations: tool.annotations,
  ...(tool.view !== undefined && { _meta: { ui: { resourceUri: tool.view } } }),
}));

/** Serialized results of tools/list. Only the request's id is added. */
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

const discovery = JSON.stringify({
  resultType: "complete",
  supportedVersions: [modernVersion],
  capabilities,
  instructions,
  ttlMs: listTtlMs,
  cacheScope: "public",
  _meta: resultMeta,
});

/** How long a client may cache read data. It is private to the person. */
const readCache = { ttlMs: 5000, cacheScope: "private" };

/** For data that changes only with a new release. */
const listCache = { ...readCache, ttlMs: listTtlMs };

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

/** Answers a request like `answerRequest`. Tests inject the conformance suite's implementation. */
export type AnswerRequest = (
  ...request: [...Parameters<typeof answerRequest>, stream: AnswerStream | undefined]
) => ReturnType<typeof answerRequest>;

export async function answerRequest(
  era: Era,
  request: RpcRequest,
  context: CallContext,
): Promise<JsonText | Asking> {
  const { method, params } = request;
  if (method === "tools/call") return call(era, params, context);
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

function modernResult({ method }: RpcRequest): string | undefined {
  return method === "server/discover" ? discovery : undefined;
}

function legacyResult({ method, params }: RpcRequest): string | undefined {
  if (method === "ping") return "{}";
  return method === "initialize" ? initialize(params) : undefined;
}

/** The client's revision if supported, otherwise the newest with a handshake. */
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

/** The list has one page, so any cursor is invalid. */
function refuseCursor(params: unknown): void {
  if (isObject(params) && typeof params["cursor"] === "string") {
    throw new RpcError("Invalid params: unknown cursor", rpcCodes.invalidParams);
  }
}
