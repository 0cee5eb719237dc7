import type { ContentBlock } from "@modelcontextprotocol/server";
import { toLocalTimestamp } from "../domain/shared/dates.js";
import type { AppError } from "../errors.js";
import type { InputRequired } from "./confirmation.js";
import type { RegisteredTool } from "./define-tool.js";
import type { ArgumentError } from "./mistakes.js";
import { describeRefusalForAssistants, detailsOf } from "./refusals-for-assistants.js";
import { resultMeta } from "./server-info.js";
import { withIgnored } from "./warnings.js";

/** Revision 2026-07-28 is modern. The revisions of 2025, with a handshake, are legacy. */
export type Era = "legacy" | "modern";

const dryRunNotice = "Dry run: nothing was changed. This is what the call would do.";

/** A tool's result, independent of the protocol era. */
export interface ToolAnswer {
  /** Compact JSON of the structured content. */
  structured: string;
  texts: string[];
  /** Content blocks after the texts. */
  more?: readonly ContentBlock[];
  isError: boolean;
  /** For the log. */
  errorCode?: string;
  /** The question for the person, before anything is changed. */
  inputRequired?: InputRequired;
}

const [prefix, suffix] = ['{"resultType":"complete",', `,"_meta":${JSON.stringify(resultMeta)}}`];

/** A result on the wire. Modern results include completeness and the server's name. */
export function toResult(era: Era, result: object, cache: object = {}): string {
  if (era === "legacy") return JSON.stringify(result);
  return prefix + JSON.stringify({ ...result, ...cache }).slice(1, -1) + suffix;
}

export function toToolResult(
  era: Era,
  { texts, more = [], structured, isError, inputRequired }: ToolAnswer,
): string {
  if (inputRequired !== undefined) {
    return JSON.stringify({ resultType: "input_required", ...inputRequired, _meta: resultMeta });
  }
  const content = JSON.stringify([...texts.map((text) => ({ type: "text", text })), ...more]);
  const failed = isError ? ',"isError":true' : "";
  const result = `"content":${content},"structuredContent":${structured}${failed}`;
  return era === "legacy" ? `{${result}}` : prefix + result + suffix;
}

/**
 * Returns complete data in both forms, because some hosts show models the one, some the other.
 * Times are in the organization's time zone.
 */
export function render(
  { tool, outputSchema }: RegisteredTool,
  input: Record<string, unknown>,
  result: object,
  {
    valueless,
    timeZone,
    knowsResourceLinks,
  }: { valueless: string[]; timeZone: string; knowsResourceLinks: boolean },
): ToolAnswer {
  const told = withIgnored(result, valueless);
  const shown = slimObject(told as Record<string, unknown>, timeZone, outputSchema.required ?? []);
  const structured = JSON.stringify(shown);
  const texts = shown["dry_run"] === true ? [structured, dryRunNotice] : [structured];
  const blocks = tool.content?.(told as never, input) ?? [];
  const more = blocks.filter(({ type }) => knowsResourceLinks || type !== "resource_link");
  return { structured, texts, more, isError: false };
}

export function toFailure(error: AppError): ToolAnswer {
  const { code, field } = error;
  const message = describeRefusalForAssistants(error);
  return failure({ code, message, field, details: detailsOf(error) }, [message]);
}

export function toArgumentFailure({ message, field, details }: ArgumentError): ToolAnswer {
  return failure({ code: "validation_failed", message, field, details }, [message]);
}

export function toInputRequired(inputRequired: InputRequired): ToolAnswer {
  const errorCode = "input_required";
  return { structured: "", texts: [], isError: false, errorCode, inputRequired };
}

export function toRateLimitFailure(message: string, seconds: number): ToolAnswer {
  const details = { retry_after_seconds: seconds };
  return failure({ code: "rate_limited", message, details }, [message]);
}

/** The first text block of a scope refusal contains only the message. */
export function toScopeRefusal([message, hint]: [string, string]): ToolAnswer {
  return failure({ code: "insufficient_scope", message, hint }, [message, hint]);
}

export function toInternalFailure(requestId: string, hasCommitted: boolean): ToolAnswer {
  const outcome = hasCommitted
    ? "The change was made; do not repeat it."
    : "Nothing was changed. Try again once.";
  const message = `Something went wrong on our side. ${outcome} If it happens again, tell the server's administrator the reference ${requestId}.`;
  return failure({ code: "internal_error", message }, [message]);
}

function failure(
  error: {
    code: string;
    message: string;
    field?: string | undefined;
    hint?: string | undefined;
    details?: unknown;
  },
  texts: string[],
): ToolAnswer {
  return { structured: JSON.stringify({ error }), texts, isError: true, errorCode: error.code };
}

/** Removes null, "", [] and {} everywhere, except properties that the schema requires. */
function slimObject(
  object: Record<string, unknown>,
  timeZone: string,
  required: readonly string[] = [],
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  // `Object.entries` takes several times as long, for every value of every response.
  for (const name of Object.keys(object)) {
    const value = object[name];
    const slim =
      typeof value === "string" && isTime(name, value, object)
        ? toLocalTimestamp(timeZone, value)
        : slimmed(value, timeZone);
    if (!isEmpty(slim) || required.includes(name)) kept[name] = slim;
  }
  return kept;
}

function slimmed(value: unknown, timeZone: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => slimmed(item, timeZone));
  return slimObject(value as Record<string, unknown>, timeZone);
}

const otherTimes = new Set(["as_of", "down_since", "now"]);

/** Returns true if a text is a time, by its name or the name of the changed field. */
function isTime(name: string, value: string, { field }: Record<string, unknown>): boolean {
  if (value.length !== 20 || !value.endsWith("Z")) return false;
  if (name === "from" || name === "to") return typeof field === "string" && field.endsWith("_at");
  return name.endsWith("_at") || otherTimes.has(name);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
