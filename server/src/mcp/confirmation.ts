import type { Database } from "../db/database.js";
import type { Caller } from "../domain/access/caller.js";
import { toConfirmAddress } from "../domain/access/urls.js";
import {
  askPerson,
  requireAnswer,
  takeConfirmation,
  type AskedCall,
  type Question,
} from "../domain/access/confirmations.js";
import { idKindOf } from "../domain/shared/ids.js";
import { wordQuestion } from "../domain/access/questions.js";
import { quoteToType } from "../domain/shared/quote.js";
import { AppError } from "../errors.js";
import type { Tool, ToolContext } from "./define-tool.js";
import { isObject } from "./normalize.js";

/** If the client can ask its person, and the data of a repeated call (MRTR). */
export interface PersonInput {
  canAsk: boolean;
  requestState?: unknown;
  inputResponses?: unknown;
}

/** The result of a call that waits for its person, without fields that all results have. */
export interface InputRequired {
  inputRequests: Record<string, object>;
  requestState: string;
}

interface ToolCall {
  connectionId: string;
  tool: Tool;
  input: Record<string, unknown>;
  context: ToolContext;
}

type Answer = { typed: string } | { typed?: never; refused: "declined" | "not_answered" };

export const noPersonInput: PersonInput = { canAsk: false };

/** For revision 2026-07-28, in which each request declares its client's capabilities. */
export function readPersonInput(params: unknown): PersonInput {
  if (!isObject(params)) return noPersonInput;
  const { _meta: meta, requestState, inputResponses } = params;
  const capabilities = isObject(meta) ? meta["io.modelcontextprotocol/clientCapabilities"] : null;
  return { canAsk: supportsElicitation(capabilities), requestState, inputResponses };
}

/**
 * Returns true if a client's capabilities include forms: an empty `elicitation` implies them
 * (2025-11-25).
 */
export function supportsElicitation(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : null;
  return isObject(elicitation) && ("form" in elicitation || Object.keys(elicitation).length === 0);
}

/**
 * Passes calls that the person has confirmed or that need no confirmation. Otherwise asks: in a form
 * of the client, or on our page if the organization requires it, because an app can answer its own
 * form.
 *
 * A client of revision 2026-07-28 gets the question as a result, one with a handshake as a request on
 * the stream of the call (see `client-requests.ts`).
 */
export async function confirmByPerson(
  db: Database,
  caller: Caller,
  { connectionId, tool, input, context }: ToolCall,
  person: PersonInput,
): Promise<InputRequired | undefined> {
  const confirmation = input["dry_run"] === true ? undefined : tool.confirmation?.(input);
  if (confirmation === undefined) return undefined;
  const isOnPage = confirmation.deletes && caller.deletionNeedsPerson === true;
  if (!isOnPage && !person.canAsk) return undefined;
  const quiet = { ...context, report: () => undefined };
  // Also with a response: its subject may have changed meanwhile.
  const foreseen = await tool.handler({ ...input, dry_run: true }, quiet);
  const { label, ...question } = confirmation.ask(foreseen);
  const call = { connectionId, tool: tool.name, arguments: input, ...question };
  if (!isOnPage) return confirmInForm(db, caller, { call, label }, person);
  if (!(await takeConfirmation(db, caller, call, null))) await sendToPage(db, caller, call);
  return undefined;
}

async function confirmInForm(
  db: Database,
  caller: Caller,
  { call, label }: { call: AskedCall; label: string },
  person: PersonInput,
): Promise<InputRequired | undefined> {
  const answer = readAnswer(person);
  if (answer === undefined) {
    return {
      inputRequests: { [requestName]: toForm(label, call) },
      requestState: await askPerson(db, caller, call),
    };
  }
  const { requestState } = person;
  const wasAsked =
    typeof requestState === "string" &&
    idKindOf(requestState) === "confirmation" &&
    (await takeConfirmation(db, caller, call, requestState));
  if (!wasAsked) throw new AppError("validation_failed", "foreign_request_state");
  if (answer.typed === undefined) throw new AppError("confirmation_mismatch", answer.refused);
  requireAnswer(call, answer.typed);
  return undefined;
}

async function sendToPage(db: Database, caller: Caller, call: AskedCall): Promise<never> {
  const confirmationUrl = toConfirmAddress(caller.baseUrl, await askPerson(db, caller, call));
  throw new AppError("confirmation_mismatch", "confirmed_on_page_only", {
    confirmation_url: confirmationUrl,
  });
}

const requestName = "confirmation";

/** A form with one text field, which every client supports. */
function toForm(label: string, { question, answer }: Question): object {
  const typed = {
    type: "string",
    title: label,
    description: `Type ${quoteToType(answer)} to confirm.`,
  };
  return {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: wordQuestion(question),
      requestedSchema: { type: "object", properties: { typed }, required: ["typed"] },
    },
  };
}

function readAnswer({ inputResponses }: PersonInput): Answer | undefined {
  const response = isObject(inputResponses) ? inputResponses[requestName] : undefined;
  if (!isObject(response)) return undefined;
  const { action, content } = response;
  if (action === "decline" || action === "cancel") return { refused: "declined" };
  // From `client-requests.ts`.
  if (action === "unanswered") return { refused: "not_answered" };
  const typed = isObject(content) ? content["typed"] : undefined;
  return action === "accept" && typeof typed === "string" ? { typed } : undefined;
}
