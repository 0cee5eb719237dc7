import type { Scope } from "fettle-shared";
import type { Database } from "../db/database.js";
import type { Caller } from "../domain/access/caller.js";
import { todayOf } from "../domain/access/clock.js";
import type { Report } from "../domain/history/change-all.js";
import type { CursorCodec } from "../domain/shared/cursors.js";
import type { LabelLinkSigner } from "../domain/labels/label-links.js";
import { createToken } from "../domain/shared/ids.js";
import type { MailCipher } from "../domain/messaging/mail-cipher.js";
import type { ToolCallLog } from "../domain/audit/tool-calls.js";
import { isStorageFull, toRefusal } from "../db/query-errors.js";
import { AppError, isRefusal } from "../errors.js";
import { toolCallDuration, toolCalls } from "../metrics.js";
import { ArgumentError } from "./argument-error.js";
import {
  toAnswer,
  toArgumentFailure,
  toFailure,
  toInputRequired,
  toInternalFailure,
  toScopeRefusal,
  type ToolAnswer,
} from "./answers.js";
import { confirmByPerson, noPersonInput, type PersonInput } from "./confirmation.js";
import type { Mistake } from "./mistakes.js";
import { findValueless, normalizeArguments } from "./normalize.js";
import { redactArguments } from "./redact.js";
import type { RegisteredTool } from "./registry.js";
import { scopeRefusal } from "./scope-texts.js";
import { validateArguments } from "./validate.js";
import { withIgnored } from "./warnings.js";

/** What serves the calls of one HTTP request. */
export interface CallContext {
  db: Database;
  /** For tools that only read. */
  reads: Database;
  cursors: CursorCodec;
  labelLinks: LabelLinkSigner;
  mails: MailCipher;
  toolCalls: Pick<ToolCallLog, "record">;
  /** Waits for the turn of a change of several records, and gives what ends it. */
  takeTurn: () => Promise<() => void>;
  log: { error: (details: object, message: string) => void };
  /** The person and app behind the token; every call adds a request id of its own. */
  caller: Omit<Caller, "requestId"> & {
    client: { id: string; name: string };
    connectionId: string;
  };
  scopes: readonly Scope[];
  /** Tells the client how far a change of several records is. */
  report?: Report | undefined;
  /** How the client reaches its person; without it, not at all. */
  person?: PersonInput | undefined;
  /** Revisions before 2025-06-18 do not know them, and strict clients refuse what they do not know. */
  knowsResourceLinks: boolean;
}

/**
 * Calls a tool through the gates, in this order: scope, before the arguments are even looked at;
 * arguments; then visibility and role, which are the domain's. The one place that catches.
 */
export async function callTool(
  registered: RegisteredTool,
  given: Record<string, unknown>,
  context: CallContext,
): Promise<ToolAnswer> {
  const requestId = `req_${createToken()}`;
  const createdAt = new Date();
  const started = performance.now();
  const answer = await answerCall(registered, given, context, requestId);
  const durationMs = performance.now() - started;
  const { caller } = context;
  const scopeRefused = answer.errorCode === "insufficient_scope";
  const call = {
    organization_id: caller.organizationId,
    user_id: caller.userId,
    client_id: caller.client.id,
    tool: registered.tool.name,
    arguments: scopeRefused ? {} : redactArguments(registered.inputSchema, given),
    outcome: answer.isError ? ("error" as const) : ("ok" as const),
    error_code: answer.errorCode ?? null,
    duration_ms: Math.round(durationMs),
    request_id: requestId,
    created_at: createdAt,
  };
  toolCalls.inc({ tool: call.tool, outcome: answer.errorCode ?? "ok" });
  toolCallDuration.observe({ tool: call.tool }, durationMs / 1000);
  context.toolCalls.record(call, registered.tool.annotations.readOnlyHint);
  return answer;
}

async function answerCall(
  registered: RegisteredTool,
  given: Record<string, unknown>,
  context: CallContext,
  requestId: string,
): Promise<ToolAnswer> {
  const { tool, inputSchema } = registered;
  const { scopes, caller, log } = context;
  const own = { ...caller, requestId };
  let endTurn: (() => void) | undefined;
  try {
    if (!scopes.includes(tool.scope)) return toScopeRefusal(scopeRefusal(scopes, tool.scope));
    const unknown: Mistake[] = [];
    const normalized = normalizeArguments(inputSchema, given, caller.timeZone, tool, unknown);
    const known = { today: todayOf(own), unknown };
    const input = validateArguments({ tool, inputSchema }, normalized, known);
    if (tool.several?.some((name) => input[name] !== undefined) === true) {
      endTurn = await context.takeTurn();
    }
    const valueless = findValueless(inputSchema, given, normalized);
    return await runTool(registered, { input, valueless, caller: own }, context);
  } catch (error) {
    if (isStorageFull(error))
      log.error({ err: error, tool: tool.name, requestId }, "storage is full");
    const failure = toExpectedFailure(error, own.hasCommitted === true);
    if (failure !== undefined) return failure;
    log.error({ err: error, tool: tool.name, requestId }, "tool failed");
    return toInternalFailure(requestId, own.hasCommitted === true);
  } finally {
    endTurn?.();
  }
}

interface CheckedCall {
  input: Record<string, unknown>;
  valueless: string[];
  caller: Caller & Pick<CallContext["caller"], "connectionId">;
}

async function runTool(
  { tool, outputSchema }: RegisteredTool,
  { input, valueless, caller }: CheckedCall,
  whole: CallContext,
): Promise<ToolAnswer> {
  const { cursors, labelLinks, mails, scopes, knowsResourceLinks, report, person } = whole;
  const context = {
    db: tool.annotations.readOnlyHint ? whole.reads : whole.db,
    cursors,
    labelLinks,
    mails,
    scopes,
    caller,
    report: report ?? (() => undefined),
  };
  const call = { connectionId: caller.connectionId, tool, input, context };
  const asked = await confirmByPerson(whole.db, caller, call, person ?? noPersonInput);
  if (asked !== undefined) return toInputRequired(asked);
  const answer = withIgnored(await tool.handler(input, context), valueless);
  const more = tool.content?.(answer, input) ?? [];
  const required = outputSchema.required ?? [];
  const known = more.filter(({ type }) => knowsResourceLinks || type !== "resource_link");
  return toAnswer(answer, { required, timeZone: caller.timeZone }, known);
}

function toExpectedFailure(error: unknown, hasCommitted: boolean): ToolAnswer | undefined {
  if (error instanceof ArgumentError) return toArgumentFailure(error);
  if (hasCommitted && isRefusal(error, "caller_gone")) {
    return toFailure(new AppError("conflict", "caller_gone_late"));
  }
  const refusal = toRefusal(error);
  // It says of itself that nothing was changed.
  if (hasCommitted && refusal?.code === "unavailable") return undefined;
  return refusal && toFailure(refusal);
}
