import type { z } from "zod";
import { quote } from "../domain/quote.js";
import { AppError } from "../errors.js";
import type { Tool } from "./define-tool.js";
import { findNearest } from "./nearest.js";

type Issue = z.core.$ZodIssue;

/** A call with many mistakes is told the first ones. */
const mostProblems = 3;

/** Validates normalized arguments strictly; the refusal names each field and what to do. */
export function validateArguments(
  tool: Tool,
  normalized: Record<string, unknown>,
): z.output<Tool["input"]> {
  const parsed = tool.input.safeParse(normalized);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, mostProblems);
  const sentences = issues.map((issue) => {
    const field = nameOf(issue.path);
    return `${field} ${describe(issue, valueAt(normalized, issue.path))}.`;
  });
  throw new AppError("validation_failed", `Validation failed: ${sentences.join(" ")}`, {
    field: nameOf(issues[0]?.path ?? []),
  });
}

function describe(issue: Issue, value: unknown): string {
  if (value === undefined) return "is missing";
  if (issue.code === "invalid_type") {
    return `must be ${expectedWords[issue.expected] ?? issue.expected}, not ${quote(toText(value))}`;
  }
  if (issue.code === "invalid_value") return notOneOf(value, issue.values.map(String));
  if (issue.code === "invalid_format") return badFormat(issue, value);
  if (issue.code === "too_small") return tooSmall(issue);
  if (issue.code === "too_big") return tooBig(issue);
  return withValue(issue.message, value);
}

const expectedWords: Partial<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function notOneOf(value: unknown, allowed: string[]): string {
  const nearest = findNearest(toText(value), allowed);
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return `${quote(toText(value))} is not one of: ${allowed.join(", ")}.${hint}`.replace(/\.$/, "");
}

const formats: Partial<Record<string, string>> = {
  date: "is not a date. Use YYYY-MM-DD, e.g. 2026-11-21",
  datetime: "is not a time. Use RFC 3339, e.g. 2026-11-21T09:14:22Z",
  email: "is not an email address",
};

function badFormat(issue: Extract<Issue, { code: "invalid_format" }>, value: unknown): string {
  const problem =
    formats[issue.format] ?? `does not have the form ${issue.pattern ?? issue.format}`;
  return `${quote(toText(value))} ${problem}`;
}

function tooSmall(issue: Extract<Issue, { code: "too_small" }>): string {
  if (issue.origin === "array") return `needs at least ${Number(issue.minimum)} entries`;
  if (issue.origin === "string") return "must not be empty";
  return `must be at least ${Number(issue.minimum)}`;
}

function tooBig(issue: Extract<Issue, { code: "too_big" }>): string {
  if (issue.origin === "array") return `must have at most ${Number(issue.maximum)} entries`;
  return `must be at most ${Number(issue.maximum)}`;
}

/** Our own checks say what is wrong; a date among them is shown. */
function withValue(message: string, value: unknown): string {
  return message.startsWith("is not a ") ? `${quote(toText(value))} ${message}` : message;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    root,
  );
}
