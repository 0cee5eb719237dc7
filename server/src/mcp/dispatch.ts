import {
  classifyInboundRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
  type InboundClassificationOutcome,
  type InboundModernRoute,
} from "@modelcontextprotocol/server";
import { toRateLimitFailure } from "./answers.js";
import type { CallContext } from "./call-tool.js";
import type { Admission } from "../limits/caller-limit.js";
import { answerRequest, toolResultText, type Era, type RpcRequest } from "./methods.js";
import { isObject } from "./normalize.js";
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
import { checkMirrorHeaders, type MirrorHeaders } from "./standard-headers.js";

/** One HTTP request to the endpoint, after its token was checked. */
export interface HttpCall {
  body: unknown;
  headers: MirrorHeaders;
  /** The caller as of now: found anew for each message, or an error when the access has ended. */
  openContext: () => Promise<CallContext>;
  /** Counts a call, and waits for a place when the caller has too many at once. */
  admit: () => Promise<Admission>;
  /** Counts what there is of the answer; false when no more should be put into it. */
  hold: (bytes: number) => boolean;
  /** Refuse what some hosted clients get wrong, instead of tolerating it. */
  strictHeaders: boolean;
  /** Told when something was tolerated. */
  onTolerated: (what: string) => void;
}

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
    return errorAnswer(idOf(exchange.body), error);
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
  checkMirrorHeaders(exchange.headers, message, { presence: !tolerated });
  return { status: 200, body: await answer(exchange, "modern", message) };
}

async function serveLegacy(exchange: HttpCall): Promise<RpcAnswer> {
  const { body } = exchange;
  if (!isRequest(body)) return acknowledge(exchange);
  return { status: 200, body: await answer(exchange, "legacy", body) };
}

/** Notifications and posted responses need no answer, and nothing here waits for them. */
async function acknowledge({ admit }: HttpCall): Promise<RpcAnswer> {
  const admission = await admit();
  if (admission.kind === "flood") throw tooManyRequests(admission);
  if (admission.kind === "ok") admission.leave();
  return { status: 202 };
}

async function serveBatch(exchange: HttpCall): Promise<RpcAnswer> {
  const messages = exchange.body as unknown[];
  if ((exchange.headers.version ?? batchVersion) !== batchVersion) {
    throw badRequest(`Bad Request: only revision ${batchVersion} has JSON-RPC batches`);
  }
  if (messages.length > maxBatched) {
    throw badRequest(`Bad Request: a batch has at most ${maxBatched} messages`);
  }
  const answers: JsonText[] = [];
  let bytes = 0;
  let hasRoom = true;
  // One after the other, as their order may matter to whoever wrote them.
  for (const message of messages) {
    if (!isRequest(message)) continue;
    const text = await (hasRoom ? answerBatched(exchange, message) : refuseBatched(message));
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
    if (!(error instanceof RpcError)) throw error;
    return errorText(message.id, error);
  }
}

/** Nothing is done whose answer would not be kept. */
function refuseBatched({ id, method }: RequestMessage): JsonText {
  const text =
    "The answers to this batch are too long together. Nothing was done for this message: send it by itself.";
  if (method === "tools/call") return refuseCall("legacy", id, text, 1);
  return errorText(id, new RpcError(text, rpcCodes.refused));
}

type RequestMessage = RpcRequest & { id: string | number };

async function answer(exchange: HttpCall, era: Era, message: RequestMessage): Promise<JsonText> {
  const admission = await exchange.admit();
  if (admission.kind === "ok") {
    try {
      const context = await exchange.openContext();
      return resultText(message.id, await answerRequest(era, message, context));
    } finally {
      admission.leave();
    }
  }
  if (admission.kind === "flood" || message.method !== "tools/call") {
    throw tooManyRequests(admission);
  }
  return refuseCall(era, message.id, tooManyText(admission), admission.seconds);
}

function refuseCall(era: Era, id: RpcId, text: string, seconds: number): JsonText {
  return resultText(id, toolResultText(era, toRateLimitFailure(text, seconds)));
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

/** The shape itself was checked when the body was classified. */
function isRequest(message: unknown): message is RequestMessage {
  return isObject(message) && typeof message["method"] === "string" && "id" in message;
}

function idOf(body: unknown): RpcId {
  if (!isObject(body) || typeof body["method"] !== "string") return null;
  const id = body["id"];
  return typeof id === "string" || typeof id === "number" ? id : null;
}
