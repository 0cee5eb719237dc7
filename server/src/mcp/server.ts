import {
  classifyInboundRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
  type InboundClassificationOutcome,
  type InboundModernRoute,
} from "@modelcontextprotocol/server";
import { toRefusal } from "../db/query-errors.js";
import type { Admission } from "../traffic/caller-limit.js";
import { toRateLimitFailure, toToolResult, type Era } from "./answer.js";
import type { Asking } from "./call.js";
import { supportsElicitation, type PersonInput } from "./confirmation.js";
import type { Exchange } from "./exchange.js";
import { isObject } from "./normalize.js";
import { describeRefusalForAssistants } from "./refusals-for-assistants.js";
import {
  errorText,
  resultText,
  RpcError,
  rpcCodes,
  toText,
  type JsonText,
  type MessageText,
  type RpcAnswer,
  type RpcId,
  type RpcRequest,
} from "./rpc.js";
import { firstWithForms, modernVersion } from "./server-info.js";
import { openProgress } from "./stream.js";

type RequestMessage = RpcRequest & { id: string | number };

/** Only revision 2025-03-26 has batches. It is also the one without a header. */
const batchVersion = "2025-03-26";
const maxBatched = 20;
/** Limit for all responses of a batch. The last one may exceed it. */
const maxBatchBytes = 1_048_576;

/** Serves revision 2026-07-28 and every 2025 revision. Each request is independent. */
export async function serve(exchange: Exchange): Promise<RpcAnswer> {
  try {
    const { outcome, tolerated } = classify(exchange);
    if (outcome.kind === "reject") {
      const { message, code, httpStatus: status, data } = outcome;
      throw new RpcError(message, code, { status, data });
    }
    if (outcome.kind === "modern") return await serveModern(exchange, outcome, tolerated);
    checkLegacyVersion(exchange.headers.version);
    return outcome.reason === "batch" ? await serveBatch(exchange) : await serveLegacy(exchange);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    // Clients that see their id treat this error as the end of the call and don't start a new
    // session.
    const isOfSession = error.code === rpcCodes.sessionNotFound;
    return errorAnswer(isOfSession ? null : idOf(exchange.body), error);
  }
}

function errorAnswer(id: RpcId, error: RpcError): RpcAnswer {
  return { status: error.status, body: errorText(id, error), headers: error.headers };
}

/**
 * Some hosted clients send their negotiated 2025 revision in the header and 2026-07-28 in the body.
 * The body then decides.
 */
function classify({ body, headers, strictHeaders, onTolerated }: Exchange): {
  outcome: InboundClassificationOutcome;
  tolerated: boolean;
} {
  const request = {
    httpMethod: "POST",
    body,
    ...(headers.method !== undefined && { mcpMethodHeader: headers.method }),
    ...(headers.name !== undefined && { mcpNameHeader: headers.name }),
  };
  const { version } = headers;
  if (isPlainCall(body, version)) return { outcome: plainCall, tolerated: false };
  const outcome = classifyInboundRequest({
    ...request,
    ...(version !== undefined && { protocolVersionHeader: version }),
  });
  const differs =
    outcome.kind === "reject" &&
    (outcome.cell === "header-body-version-mismatch" ||
      outcome.cell === "notification-header-body-version-mismatch");
  if (!differs || strictHeaders || version === undefined) return { outcome, tolerated: false };
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return { outcome, tolerated: false };
  onTolerated(`MCP-Protocol-Version header ${version} with a body of ${modernVersion}`);
  return { outcome: classifyInboundRequest(request), tolerated: true };
}

const plainCall: InboundClassificationOutcome = { kind: "legacy", reason: "no-claim" };
const partsOfRequest = new Set(["jsonrpc", "id", "method", "params"]);

/**
 * Fast path for the usual request after a handshake. The SDK would classify it equally, after
 * trying a schema for each other message kind.
 */
function isPlainCall(body: unknown, version: string | undefined): boolean {
  if (!isObject(body) || (version !== undefined && version >= modernVersion)) return false;
  const { jsonrpc, id, method, params = {} } = body;
  return (
    jsonrpc === "2.0" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    (method === "tools/call" || method === "tools/list") &&
    isObject(params) &&
    params["_meta"] === undefined &&
    Object.keys(body).every((part) => partsOfRequest.has(part))
  );
}

async function serveModern(
  exchange: Exchange,
  { message, messageKind, classification }: InboundModernRoute,
  tolerated: boolean,
): Promise<RpcAnswer> {
  const requested = classification.revision ?? "unknown";
  if (requested !== modernVersion) {
    const error = new UnsupportedProtocolVersionError({ supported: [modernVersion], requested });
    throw new RpcError(error.message, error.code, { status: 400, data: error.data });
  }
  if (messageKind === "notification") return acknowledge(exchange);
  // This revision cancels a request by closing the connection, earlier ones by a notification.
  exchange.endWithReader();
  checkMirrorHeaders(exchange.headers, message, { presence: !tolerated });
  return { status: 200, body: await answer(exchange, "modern", message) };
}

async function serveLegacy(exchange: Exchange): Promise<RpcAnswer> {
  const { body } = exchange;
  if (!isObject(body)) return acknowledge(exchange);
  if (!isRequest(body)) {
    const { method, params } = body;
    if (method === "notifications/cancelled" && isObject(params)) {
      exchange.cancel(params["requestId"]);
    }
    return acknowledge(exchange, method === undefined ? body : undefined);
  }
  const answered = { status: 200, body: await answer(exchange, "legacy", body) };
  if (body.method !== "initialize") return answered;
  const sessionId = exchange.issueSession(clientSupportsElicitation(body.params));
  return { ...answered, headers: { "mcp-session-id": sessionId } };
}

async function serveBatch(exchange: Exchange): Promise<RpcAnswer> {
  const messages = exchange.body as unknown[];
  if ((exchange.headers.version ?? batchVersion) !== batchVersion) {
    throw badRequest(`Bad Request: only revision ${batchVersion} has JSON-RPC batches`);
  }
  if (messages.length > maxBatched) {
    throw badRequest(`Bad Request: a batch has at most ${maxBatched} messages`);
  }
  const alone = {
    ...exchange,
    stream: undefined,
    canAsk: false,
    enter: () => () => undefined,
  };
  const answers: string[] = [];
  let bytes = 0;
  let hasRoom = true;
  // Sequential, because the order may matter to the author.
  for (const message of messages) {
    if (!isRequest(message)) continue;
    const text = await (hasRoom ? answerBatched(alone, message) : refuseBatched(message));
    answers.push(text);
    bytes += Buffer.byteLength(text);
    hasRoom = hasRoom && bytes < maxBatchBytes && exchange.hold(bytes);
  }
  if (answers.length === 0) return { status: 202 };
  return { status: 200, body: `[${answers.join(",")}]` };
}

async function answerBatched(exchange: Exchange, message: RequestMessage): Promise<string> {
  try {
    if (message.method === "initialize") {
      throw badRequest("Bad Request: initialize cannot be in a batch");
    }
    return toText(await answer(exchange, "legacy", message));
  } catch (error) {
    return errorText(message.id, toMessageError(error));
  }
}

/** An error of one message doesn't affect the previous ones. */
function toMessageError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const refusal = toRefusal(error);
  if (refusal === undefined) throw error;
  return new RpcError(describeRefusalForAssistants(refusal), rpcCodes.refused);
}

/** Does nothing whose response would be dropped. */
function refuseBatched({ id, method }: RequestMessage): string {
  const text =
    "The answers to this batch are too long. Nothing was done for this message. Send it in its own request.";
  if (method === "tools/call") return toText(resultText(id, refuseCall("legacy", text, 1)));
  return errorText(id, new RpcError(text, rpcCodes.refused));
}

/** The shape was validated when the body was classified. */
function isRequest(message: unknown): message is RequestMessage {
  return isObject(message) && typeof message["method"] === "string" && "id" in message;
}

/**
 * Notifications and posted responses, which get no response. A rejected notification is dropped. A
 * rejected response can be sent again.
 */
async function acknowledge(
  exchange: Exchange,
  response?: Record<string, unknown>,
): Promise<RpcAnswer> {
  const admission = await exchange.admit();
  if (admission.kind === "ok") {
    try {
      if (response !== undefined) await exchange.takeResponse(response);
    } finally {
      admission.leave();
    }
  } else if (admission.kind === "flood" || response !== undefined) {
    throw tooManyRequests(admission);
  }
  return { status: 202 };
}

/** How often one request may ask its person. More questions count as not answered. */
const maxQuestions = 5;

/**
 * Answers one request in its turn. A client with a handshake is asked on the stream, and the call
 * then continues with the response.
 */
async function answer(exchange: Exchange, era: Era, message: RequestMessage): Promise<MessageText> {
  const leaveFlight = exchange.enter(message.id);
  const progress = openProgress(exchange.stream, message.params);
  const report = progress?.report ?? (() => undefined);
  let person: PersonInput = { canAsk: era === "legacy" && exchange.canAsk };
  try {
    for (let count = 0; count <= maxQuestions; count += 1) {
      const answered = await withAdmission(exchange, era, message, { report, person });
      if (!isAsking(answered)) return resultText(message.id, answered);
      const { requestState } = answered.asked;
      // Holds no slot while the person decides.
      const inputResponses = await exchange.ask(answered.asked);
      person = { canAsk: inputResponses !== undefined, requestState, inputResponses };
    }
  } finally {
    progress?.close();
    leaveFlight();
  }
  throw new RpcError(
    "The person didn't answer the questions about this call. Nothing was changed.",
    rpcCodes.refused,
  );
}

function isAsking(answered: JsonText | Asking): answered is Asking {
  return typeof answered === "object" && "asked" in answered;
}

async function withAdmission(
  exchange: Exchange,
  era: Era,
  message: RequestMessage,
  own: Parameters<Exchange["openContext"]>[0],
): Promise<JsonText | Asking> {
  const admission = await exchange.admit();
  if (admission.kind === "ok") {
    try {
      const context = await exchange.openContext(own);
      return await exchange.answerRequest(era, message, context, exchange.stream);
    } finally {
      admission.leave();
    }
  }
  if (admission.kind === "flood" || message.method !== "tools/call") {
    throw tooManyRequests(admission);
  }
  return refuseCall(era, tooManyText(admission), admission.seconds);
}

/** Revisions before 2025-06-18 have no forms, whatever the client declares. */
function clientSupportsElicitation(params: unknown): boolean {
  if (!isObject(params)) return false;
  const { protocolVersion, capabilities } = params;
  return String(protocolVersion) >= firstWithForms && supportsElicitation(capabilities);
}

function refuseCall(era: Era, text: string, seconds: number): JsonText {
  return toToolResult(era, toRateLimitFailure(text, seconds));
}

type Refused = Exclude<Admission, { kind: "ok" }>;

function tooManyRequests(refused: Refused): RpcError {
  return new RpcError(tooManyText(refused), rpcCodes.refused, {
    status: 429,
    headers: { "retry-after": String(refused.seconds) },
  });
}

function tooManyText({ reason, seconds }: Refused): string {
  const what = reason === "rate" ? "requests" : "requests at the same time";
  return `Too many ${what}: try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** The header may be missing or any known revision, because no session could contradict it. */
function checkLegacyVersion(version: string | undefined): void {
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  const supported = [modernVersion, ...SUPPORTED_PROTOCOL_VERSIONS];
  throw new RpcError(
    `Bad Request: unsupported protocol version (supported: ${supported.join(", ")})`,
    rpcCodes.refused,
    { status: 400 },
  );
}

function badRequest(message: string): RpcError {
  return new RpcError(message, rpcCodes.invalidRequest, { status: 400 });
}

function idOf(body: unknown): RpcId {
  if (!isObject(body) || typeof body["method"] !== "string") return null;
  const id = body["id"];
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/**
 * Checks that the SDK's classification omits: the headers must be present, and Mcp-Name must match
 * the tool, prompt or resource address. Version and method are already compared.
 */
function checkMirrorHeaders(
  headers: Exchange["headers"],
  message: { method: string; params?: unknown },
  { presence }: { presence: boolean },
): void {
  if (presence && headers.version === undefined) throw missing("MCP-Protocol-Version");
  if (presence && headers.method === undefined) throw missing("Mcp-Method");
  const named = namedParameters.get(message.method);
  if (named === undefined) return;
  const name = textOf(message.params, named);
  if (headers.name === undefined) {
    if (presence && name !== undefined) throw missing("Mcp-Name");
    return;
  }
  const decoded = decode(headers.name);
  if (decoded === undefined) throw mismatch("the Mcp-Name header has an invalid Base64 value");
  if (name !== undefined && decoded !== name) {
    throw mismatch(`params.${named} and the Mcp-Name header are different`);
  }
}

/** The parameter that Mcp-Name mirrors, by method. */
const namedParameters = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

function textOf(params: unknown, name: string): string | undefined {
  const value = isObject(params) ? params[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Values that are invalid in headers are encoded as `=?base64?…?=`. */
function decode(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return undefined;
  return Buffer.from(encoded, "base64").toString();
}

function missing(header: string): RpcError {
  return mismatch(`the required ${header} header is absent`);
}

function mismatch(what: string): RpcError {
  return new RpcError(
    `Bad Request: the request headers and body disagree: ${what}.`,
    rpcCodes.headerMismatch,
    { status: 400 },
  );
}
