import type { Scope } from "fettle-shared";
import type { DataSource } from "typeorm";
import type { Caller } from "../domain/access/caller.js";
import type { CursorCodec } from "../domain/lists/cursors.js";
import type { LabelLinkSigner } from "../domain/labels/label-links.js";
import { createToken } from "../domain/values/ids.js";
import type { MailCipher } from "../domain/mail/mail-cipher.js";
import type { ToolCallLog } from "../domain/logs/tool-calls.js";
import { toUnavailable } from "../domain/sql/query-errors.js";
import { AppError } from "../errors.js";
import { toolCallDuration, toolCalls } from "../metrics.js";
import { ArgumentError } from "./argument-error.js";
import {
  toAnswer,
  toArgumentFailure,
  toFailure,
  toInternalFailure,
  toScopeRefusal,
  type ToolAnswer,
} from "./answers.js";
import { findValueless, normalizeArguments } from "./normalize.js";
import { redactArguments } from "./redact.js";
import type { RegisteredTool } from "./registry.js";
import { scopeRefusal } from "./scope-texts.js";
import { validateArguments } from "./validate.js";
import { withIgnored } from "./warnings.js";

/** What serves the calls of one HTTP request. */
export interface CallContext {
  db: DataSource;
  /** For tools that only read. */
  reads: DataSource;
  cursors: CursorCodec;
  labelLinks: LabelLinkSigner;
  mails: MailCipher;
  toolCalls: Pick<ToolCallLog, "record">;
  log: { error: (details: object, message: string) => void };
  /** The person and app behind the token; every call adds a request id of its own. */
  caller: Omit<Caller, "requestId"> & { client: { id: string; name: string } };
  scopes: readonly Scope[];
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
  { tool, inputSchema, outputSchema }: RegisteredTool,
  given: Record<string, unknown>,
  { db, reads, cursors, labelLinks, mails, caller, scopes, knowsResourceLinks, log }: CallContext,
  requestId: string,
): Promise<ToolAnswer> {
  const own = { ...caller, requestId };
  try {
    if (!scopes.includes(tool.scope)) return toScopeRefusal(scopeRefusal(scopes, tool.scope));
    const normalized = normalizeArguments(inputSchema, given, caller.timeZone, tool);
    const input = validateArguments({ tool, inputSchema }, normalized);
    const context = {
      db: tool.annotations.readOnlyHint ? reads : db,
      ...{ cursors, labelLinks, mails, scopes, caller: own },
    };
    const answer = withIgnored(
      await tool.handler(input, context),
      findValueless(inputSchema, given, normalized),
    );
    const more = tool.content?.(answer, input) ?? [];
    return toAnswer(
      answer,
      { required: outputSchema.required ?? [], timeZone: caller.timeZone },
      knowsResourceLinks ? more : more.filter(({ type }) => type !== "resource_link"),
    );
  } catch (error) {
    const refusal = error instanceof AppError ? error : toUnavailable(error);
    if (refusal !== undefined) return toFailure(refusal);
    if (error instanceof ArgumentError) return toArgumentFailure(error);
    log.error({ err: error, tool: tool.name, requestId }, "tool failed");
    return toInternalFailure(requestId, own.hasCommitted === true);
  }
}
