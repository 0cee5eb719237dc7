import { createHmac } from "node:crypto";
import type { Era } from "../../server/src/mcp/answer.js";
import {
  answerRequest as productAnswers,
  type AnswerRequest,
} from "../../server/src/mcp/methods.js";
import { isObject } from "../../server/src/mcp/normalize.js";
import { RpcError, rpcCodes } from "../../server/src/mcp/rpc.js";
import type { CallContext } from "../../server/src/mcp/run.js";
import { resultMeta } from "../../server/src/mcp/server-info.js";
import { prompts } from "./fixture-prompts.js";
import { readFixture, resourceList, resourceTemplateList } from "./fixture-resources.js";
import { tools, type Answer, type FixtureCall } from "./fixture-tools.js";

/*
 * Replaces the product's tools, resources and prompts by the suite's. Everything before them is the
 * product's: token check, limits, revisions, headers, streams, progress and questions.
 */

const cache = { ttlMs: 5000, cacheScope: "private" };

const lists: Partial<Record<string, object>> = {
  "tools/list": {
    tools: tools.map(({ name, inputSchema = { type: "object" } }) => ({
      ...{ name, description: `The suite's ${name}.`, inputSchema },
    })),
  },
  "prompts/list": {
    prompts: prompts.map(({ name, arguments: names = [] }) => ({
      name,
      description: `The suite's ${name}.`,
      arguments: names.map((argument) => ({ name: argument, required: true })),
    })),
  },
  "resources/list": resourceList,
  "resources/templates/list": resourceTemplateList,
};

export const answerFixture: AnswerRequest = async (era, request, context, stream) => {
  const { method } = request;
  const params = toObject(request.params);
  const list = lists[method];
  if (list !== undefined) return toResult(era, { ...list, ...cache });
  if (method === "resources/read") return toResult(era, read(era, params["uri"]));
  if (method === "tools/call" || method === "prompts/get") {
    const call = toCall(era, params, context, (name, told) => {
      stream?.send(JSON.stringify({ jsonrpc: "2.0", method: name, params: told }));
    });
    return answerItem(era, await find(method, params["name"]).answer(call));
  }
  if (method === "completion/complete") {
    return toResult(era, { completion: { values: ["paris", "park"], total: 2, hasMore: false } });
  }
  if (era === "legacy" && olderMethods.has(method)) return "{}";
  const answered = await productAnswers(era, request, context);
  return method === "initialize" ? withOlderCapabilities(answered as string) : answered;
};

function read(era: Era, uri: unknown): object {
  const found = readFixture(uri);
  if (found !== undefined) return { contents: [found], ...cache };
  const notFound = era === "modern" ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  throw new RpcError("Resource not found", notFound, { data: { uri } });
}

function find(method: "tools/call" | "prompts/get", name: unknown): Item {
  const items: readonly Item[] = method === "tools/call" ? tools : prompts;
  const item = items.find((one) => one.name === name);
  if (item === undefined)
    throw new RpcError("Invalid params: unknown name", rpcCodes.invalidParams);
  return item;
}

interface Item {
  name: string;
  answer: (call: FixtureCall) => Answer | Promise<Answer>;
}

/** Methods of the handshake revisions that the product doesn't implement. */
const olderMethods = new Set(["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]);

function withOlderCapabilities(text: string): string {
  const result = JSON.parse(text) as { capabilities: object };
  const capabilities = { ...result.capabilities, logging: {}, resources: { subscribe: true } };
  return JSON.stringify({ ...result, capabilities });
}

function toResult(era: Era, result: object): string {
  if (era === "legacy") return JSON.stringify(result);
  return JSON.stringify({ resultType: "complete", ...result, _meta: resultMeta });
}

function answerItem(era: Era, answer: Answer) {
  if (!("ask" in answer)) return toResult(era, answer);
  const { ask: inputRequests, state } = answer;
  const requestState = signed(state);
  if (era === "legacy") return { asked: { inputRequests, requestState } };
  return JSON.stringify({
    ...{ resultType: "input_required", inputRequests, requestState, _meta: resultMeta },
  });
}

function signed(state: string): string {
  const proof = createHmac("sha256", "of the fixture").update(state).digest("base64url");
  return `${state}:${proof}`;
}

function toCall(
  era: Era,
  params: Record<string, unknown>,
  { person }: CallContext,
  notify: FixtureCall["notify"],
): FixtureCall {
  const { requestState, inputResponses } = era === "legacy" ? (person ?? {}) : params;
  const meta = toObject(params["_meta"]);
  return {
    arguments: toObject(params["arguments"]),
    responses: toObject(inputResponses),
    state: readState(requestState),
    meta,
    capabilities: toObject(meta["io.modelcontextprotocol/clientCapabilities"]),
    notify,
  };
}

function readState(given: unknown): string {
  if (given === undefined) return "";
  const [state = ""] = typeof given === "string" ? given.split(":", 1) : [];
  if (signed(state) === given) return state;
  throw new RpcError("Invalid params: requestState is not ours", rpcCodes.invalidParams);
}

function toObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
