import type { Report } from "../domain/history/change-all.js";
import type { Admission } from "../limits/caller-limit.js";
import { toRateLimitFailure } from "./answers.js";
import { declareForms, type PersonInput } from "./confirmation.js";
import type { HttpCall, MessageContext } from "./http-call.js";
import { toolResultText, type Asking, type Era, type RpcRequest } from "./methods.js";
import { isObject } from "./normalize.js";
import { openProgress } from "./progress.js";
import { resultText, RpcError, rpcCodes, type JsonText, type RpcAnswer } from "./rpc.js";
import { firstWithForms } from "./server-info.js";

export type RequestMessage = RpcRequest & { id: string | number };

/** Answers one request in its turn, with what is told and asked before. */
export async function answer(
  exchange: HttpCall,
  era: Era,
  message: RequestMessage,
): Promise<JsonText> {
  const leaveFlight = exchange.enter(message.id);
  const progress = openProgress(exchange.stream, message.params);
  try {
    return resultText(
      message.id,
      await answerAsking(exchange, era, message, progress?.report ?? ignore),
    );
  } finally {
    progress?.close();
    leaveFlight();
  }
}

const ignore = () => undefined;

/** Of one request; who does not end then means no answer. */
const maxQuestions = 5;

/** A client with a handshake is asked on the stream, where the call then goes on with what it says. */
async function answerAsking(
  exchange: HttpCall,
  era: Era,
  message: RequestMessage,
  report: Report,
): Promise<JsonText> {
  let person: PersonInput = { canAsk: era === "legacy" && exchange.canAsk };
  for (let count = 0; count <= maxQuestions; count += 1) {
    const answered = await answerInTurn(exchange, era, message, { report, person });
    if (!isAsking(answered)) return answered;
    const { requestState } = answered.asked;
    // Nothing is kept busy meanwhile.
    const inputResponses = await exchange.ask(answered.asked);
    person = { canAsk: inputResponses !== undefined, requestState, inputResponses };
  }
  throw new RpcError("The questions about this call were not answered.", rpcCodes.refused);
}

function isAsking(answered: JsonText | Asking): answered is Asking {
  return typeof answered === "object" && "asked" in answered;
}

async function answerInTurn(
  exchange: HttpCall,
  era: Era,
  message: RequestMessage,
  own: MessageContext,
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

/** Revisions before 2025-06-18 have no forms, whatever the client says. */
export function hasForms(params: unknown): boolean {
  if (!isObject(params)) return false;
  const { protocolVersion, capabilities } = params;
  return String(protocolVersion) >= firstWithForms && declareForms(capabilities);
}

export function refuseCall(era: Era, text: string, seconds: number): JsonText {
  return toolResultText(era, toRateLimitFailure(text, seconds));
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

/** The shape itself was checked when the body was classified. */
export function isRequest(message: unknown): message is RequestMessage {
  return isObject(message) && typeof message["method"] === "string" && "id" in message;
}

/** Notifications and posted responses; of most of them nothing comes. */
export async function takeUnanswered(exchange: HttpCall, body: unknown): Promise<RpcAnswer> {
  if (!isObject(body)) return acknowledge(exchange);
  const { method, params } = body;
  if (method === "notifications/cancelled" && isObject(params)) {
    exchange.cancel(params["requestId"]);
  }
  const admission = await exchange.admit();
  const isResponse = method === undefined;
  if (admission.kind === "flood" || (isResponse && admission.kind === "refused")) {
    throw tooManyRequests(admission);
  }
  if (admission.kind !== "ok") return { status: 202 };
  try {
    if (isResponse) await exchange.takeResponse(body);
  } finally {
    admission.leave();
  }
  return { status: 202 };
}

export async function acknowledge({ admit }: HttpCall): Promise<RpcAnswer> {
  const admission = await admit();
  if (admission.kind === "flood") throw tooManyRequests(admission);
  if (admission.kind === "ok") admission.leave();
  return { status: 202 };
}
