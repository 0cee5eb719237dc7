import {
  classifyInboundRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
  type InboundClassificationOutcome,
  type InboundModernRoute,
} from "@modelcontextprotocol/server";
import { toRefusal } from "../db/query-errors.js";
import {
  acknowledge,
  answer,
  hasForms,
  isRequest,
  refuseCall,
  takeUnanswered,
  type RequestMessage,
} from "./answer-call.js";
import type { HttpCall } from "./http-call.js";
import { isObject } from "./normalize.js";
import { describeRefusalForAssistants } from "./refusals-for-assistants.js";
import {
  errorText,
  resultText,
  RpcError,
  rpcCodes,
  type JsonText,
  type RpcAnswer,
  type RpcId,
} from "./rpc.js";
import { modernVersion } from "./server-info.js";
import { checkMirrorHeaders } from "./standard-headers.js";

/** Batches exist in revision 2025-03-26 only, which is also the one without a header. */
const batchVersion = "2025-03-26";
const maxBatched = 20;
/** What the answers of a batch have together; one more may go past it. */
const maxBatchBytes = 1_048_576;

/** Serves revision 2026-07-28 and every 2025 revision, each request by itself. */
export async function dispatch(exchange: HttpCall): Promise<RpcAnswer> {
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
    // Clients that see their id take it for the end of the call, and begin no new session.
    const isOfSession = error.code === rpcCodes.sessionNotFound;
    return errorAnswer(isOfSession ? null : idOf(exchange.body), error);
  }
}

function errorAnswer(id: RpcId, error: RpcError): RpcAnswer {
  return { status: error.status, body: errorText(id, error), headers: error.headers };
}

/**
 * Some hosted clients name the 2025 revision they negotiated in the header and 2026-07-28 in the
 * body. The body decides then.
 */
function classify({ body, headers, strictHeaders, onTolerated }: HttpCall): {
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

async function serveModern(
  exchange: HttpCall,
  { message, messageKind, classification }: InboundModernRoute,
  tolerated: boolean,
): Promise<RpcAnswer> {
  const requested = classification.revision ?? "unknown";
  if (requested !== modernVersion) {
    const error = new UnsupportedProtocolVersionError({ supported: [modernVersion], requested });
    throw new RpcError(error.message, error.code, { status: 400, data: error.data });
  }
  if (messageKind === "notification") return acknowledge(exchange);
  // This revision cancels a request by closing the connection; the earlier ones by a notification.
  exchange.endWithReader();
  checkMirrorHeaders(exchange.headers, message, { presence: !tolerated });
  return { status: 200, body: await answer(exchange, "modern", message) };
}

async function serveLegacy(exchange: HttpCall): Promise<RpcAnswer> {
  const { body } = exchange;
  if (!isRequest(body)) return takeUnanswered(exchange, body);
  const answered = { status: 200, body: await answer(exchange, "legacy", body) };
  if (body.method !== "initialize") return answered;
  const sessionId = exchange.issueSession(hasForms(body.params));
  return { ...answered, headers: { "mcp-session-id": sessionId } };
}

async function serveBatch(exchange: HttpCall): Promise<RpcAnswer> {
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
  const answers: JsonText[] = [];
  let bytes = 0;
  let hasRoom = true;
  // One after the other, as their order may matter to whoever wrote them.
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

async function answerBatched(exchange: HttpCall, message: RequestMessage): Promise<JsonText> {
  try {
    if (message.method === "initialize") {
      throw badRequest("Bad Request: initialize cannot be in a batch");
    }
    return await answer(exchange, "legacy", message);
  } catch (error) {
    return errorText(message.id, toMessageError(error));
  }
}

/** What keeps one message from being served says nothing about those before it. */
function toMessageError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const refusal = toRefusal(error);
  if (refusal === undefined) throw error;
  return new RpcError(describeRefusalForAssistants(refusal), rpcCodes.refused);
}

/** Nothing is done whose answer would not be kept. */
function refuseBatched({ id, method }: RequestMessage): JsonText {
  const text =
    "The answers to this batch are too long together. Nothing was done for this message: send it by itself.";
  if (method === "tools/call") return resultText(id, refuseCall("legacy", text, 1));
  return errorText(id, new RpcError(text, rpcCodes.refused));
}

/** Absent is fine, and so is any revision we know: there is no session that it could contradict. */
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
