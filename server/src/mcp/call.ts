import type { Caller } from "../domain/access/caller.js";
import { todayOf } from "../domain/access/clock.js";
import { createToken } from "../domain/shared/ids.js";
import { quote } from "../domain/shared/quote.js";
import { isStorageFull, toRefusal } from "../db/query-errors.js";
import { AppError, isRefusal } from "../errors.js";
import { toolCallDuration, toolCalls } from "../metrics.js";
import {
  render,
  toArgumentFailure,
  toFailure,
  toInputRequired,
  toInternalFailure,
  toScopeRefusal,
  toToolResult,
  type Era,
  type ToolAnswer,
} from "./answer.js";
import {
  confirmByPerson,
  noPersonInput,
  readPersonInput,
  type InputRequired,
} from "./confirmation.js";
import type { RegisteredTool } from "./define-tool.js";
import { ArgumentError, type Mistake } from "./mistakes.js";
import { findNearest, findNearestByWords } from "./nearest.js";
import { findValueless, isObject, normalizeArguments, withPresentNames } from "./normalize.js";
import { redactArguments } from "./redact.js";
import { allTools, registeredTools } from "./registry.js";
import { RpcError, rpcCodes, type JsonText } from "./rpc.js";
import type { CallContext } from "./run.js";
import { scopeRefusal } from "./scope-texts.js";
import { validateArguments } from "./validate.js";

/** A question for the person at a client with a handshake. The request is answered after it. */
export interface Asking {
  asked: InputRequired;
}

export async function call(
  era: Era,
  params: unknown,
  context: CallContext,
): Promise<JsonText | Asking> {
  if (!isObject(params) || typeof params["name"] !== "string") {
    throw new RpcError("Invalid params: name is missing", rpcCodes.invalidParams);
  }
  const registered = registeredTools.get(params["name"]);
  if (registered === undefined) throw unknownTool(params["name"]);
  const given = params["arguments"] ?? {};
  if (!isObject(given)) {
    throw new RpcError("Invalid params: arguments must be an object", rpcCodes.invalidParams);
  }
  const own = era === "legacy" ? context : { ...context, person: readPersonInput(params) };
  const answer = await callTool(registered, given, own);
  const { inputRequired: asked } = answer;
  return asked !== undefined && era === "legacy" ? { asked } : toToolResult(era, answer);
}

const ofAsset = "[_-]?(assets?|equipment)$";
const ofTask = "[_-]?(maintenance[_-]?)?(tasks?|work[_-]?orders?)$";

/** Other services' tool names, with our tools that cover them. */
const insteadOfTools: readonly (readonly [name: RegExp, instead: string])[] = [
  [
    new RegExp(`^(delete|remove|retire|archive|dispose)${ofAsset}`, "i"),
    'To retire an asset, use update_asset_state with state "deleted".',
  ],
  [
    new RegExp(`^restore${ofAsset}`, "i"),
    'To restore an asset, use update_asset_state with state "available".',
  ],
  [new RegExp(`^move${ofAsset}`, "i"), "To move an asset, use update_asset with workspace_id."],
  [
    new RegExp(`^assign${ofAsset}`, "i"),
    "To assign an asset, use update_asset with assigned_to_user_id.",
  ],
  [
    new RegExp(`^(delete|remove|cancel|skip)${ofTask}`, "i"),
    'To cancel a task, use update_maintenance_task with state "cancelled".',
  ],
  [
    new RegExp(`^(complete|finish|close)${ofTask}`, "i"),
    'To complete a task, use update_maintenance_task with state "completed".',
  ],
  [
    new RegExp(`^(assign|reassign|start|reschedule|reopen)${ofTask}`, "i"),
    "Use update_maintenance_task with the fields to change.",
  ],
];

/** Never suggest a tool whose changes can't be undone. */
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

export async function callTool(
  registered: RegisteredTool,
  sent: Record<string, unknown>,
  context: CallContext,
): Promise<ToolAnswer> {
  const given = withPresentNames(registered.tool, sent);
  const requestId = `req_${createToken()}`;
  const createdAt = new Date();
  const started = performance.now();
  const answer = await passGates(registered, given, context, requestId);
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

/**
 * Checks in this order: scope before the arguments are read, arguments, confirmation, then
 * visibility and role in the domain. The only place that catches errors.
 */
async function passGates(
  registered: RegisteredTool,
  given: Record<string, unknown>,
  context: CallContext,
  requestId: string,
): Promise<ToolAnswer> {
  const { tool, inputSchema } = registered;
  const { scopes, log, person = noPersonInput, report = () => undefined } = context;
  const caller: CallContext["caller"] & Caller = { ...context.caller, requestId };
  const { timeZone } = caller;
  let endTurn: (() => void) | undefined;
  try {
    if (!scopes.includes(tool.scope)) return toScopeRefusal(scopeRefusal(scopes, tool.scope));
    const unknown: Mistake[] = [];
    const normalized = normalizeArguments(inputSchema, given, timeZone, tool, unknown);
    const input = validateArguments(registered, normalized, { today: todayOf(caller), unknown });
    if (tool.several?.some((name) => input[name] !== undefined) === true) {
      endTurn = await context.takeTurn();
    }
    const { cursors, labelLinks, mails } = context;
    const db = tool.annotations.readOnlyHint ? context.reads : context.db;
    const toolContext = { db, caller, scopes, cursors, labelLinks, mails, report };
    const checked = { connectionId: caller.connectionId, tool, input, context: toolContext };
    const asked = await confirmByPerson(context.db, caller, checked, person);
    if (asked !== undefined) return toInputRequired(asked);
    const valueless = findValueless(inputSchema, given, normalized);
    const { knowsResourceLinks } = context;
    const result = await tool.handler(input, toolContext);
    return render(registered, input, result, { valueless, timeZone, knowsResourceLinks });
  } catch (error) {
    if (isStorageFull(error))
      log.error({ err: error, tool: tool.name, requestId }, "storage is full");
    const failure = toExpectedFailure(error, caller.hasCommitted === true);
    if (failure !== undefined) return failure;
    log.error({ err: error, tool: tool.name, requestId }, "tool failed");
    return toInternalFailure(requestId, caller.hasCommitted === true);
  } finally {
    endTurn?.();
  }
}

function toExpectedFailure(error: unknown, hasCommitted: boolean): ToolAnswer | undefined {
  if (error instanceof ArgumentError) return toArgumentFailure(error);
  if (hasCommitted && isRefusal(error, "caller_gone")) {
    return toFailure(new AppError("conflict", "caller_gone_late"));
  }
  const refusal = toRefusal(error);
  // The refusal would claim that nothing was changed.
  if (hasCommitted && refusal?.code === "unavailable") return undefined;
  return refusal && toFailure(refusal);
}
