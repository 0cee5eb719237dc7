import type { z } from "zod";
import { quote } from "../domain/values/quote.js";
import { ArgumentError } from "./argument-error.js";
import type { Tool } from "./define-tool.js";
import type { JsonSchema } from "./json-schema.js";
import { findNearest } from "./nearest.js";
import { describeNumber } from "./numbers.js";
import type { RegisteredTool } from "./registry.js";

type Issue = z.core.$ZodIssue;

/** A call with many mistakes is told the first ones. */
const maxProblems = 3;

/** Validates normalized arguments strictly; the refusal names each field and what to do. */
export function validateArguments(
  { tool, inputSchema }: Pick<RegisteredTool, "tool" | "inputSchema">,
  normalized: Record<string, unknown>,
): z.output<Tool["input"]> {
  const parsed = tool.input.safeParse(normalized);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, maxProblems);
  const sentences = issues.map((issue) => {
    const value = valueAt(normalized, issue.path);
    const problem = describe(issue, value, schemaAt(inputSchema, issue.path));
    return `${nameOf(issue.path)} ${problem.replace(/[^?]$/, "$&.")}`;
  });
  throw new ArgumentError(nameOf(issues[0]?.path ?? []), sentences.join(" "));
}

function describe(issue: Issue, value: unknown, schema: JsonSchema | undefined): string {
  if (value === undefined) return "is missing";
  if (issue.code === "invalid_type") return wrongType(issue.expected, value, schema);
  if (issue.code === "invalid_value") return notOneOf(value, schema?.enum ?? issue.values);
  if (issue.code === "invalid_format") return `${show(value)} ${badFormat(issue.format)}`;
  if (issue.code === "too_small") return tooSmall(issue);
  if (issue.code === "too_big") return tooBig(issue);
  // Our own checks say what is wrong; what is not something is shown.
  return /^is not an? /.test(issue.message) ? `${show(value)} ${issue.message}` : issue.message;
}

const expectedWords: Partial<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function wrongType(expected: string, value: unknown, schema: JsonSchema | undefined): string {
  if (typeof value === "string" && (expected === "number" || expected === "int")) {
    return describeNumber(value, { whole: schema?.type === "integer" });
  }
  const shape =
    expected === "object" && schema !== undefined ? ` such as ${exampleOf(schema)}` : "";
  return `must be ${expectedWords[expected] ?? expected}${shape}, not ${show(value)}`;
}

/** The least that an object must have. */
function exampleOf({ properties = {}, required = [], least = required }: JsonSchema): string {
  const values = least.map((name) => {
    const { enum: listed, minimum } = properties[name] ?? {};
    // Of units and the like the middle one is asked for most.
    return [name, listed?.[Math.floor(listed.length / 2)] ?? minimum ?? "…"];
  });
  return JSON.stringify(Object.fromEntries(values));
}

/** What is listed; a value that is accepted without being listed is not offered. */
function notOneOf(value: unknown, listed: readonly unknown[]): string {
  const allowed = listed.map(String).join(", ");
  if (typeof value === "object") return `must be one of: ${allowed}, not ${show(value)}`;
  const words = listed.filter((word) => typeof word === "string");
  const nearest = typeof value === "string" ? findNearest(value, words) : undefined;
  const hint = nearest === undefined ? "" : `. Did you mean ${nearest}?`;
  return `${show(value)} is not one of: ${allowed}${hint}`;
}

const formats: Partial<Record<string, string>> = {
  date: "is not a date. Use YYYY-MM-DD, e.g. 2026-11-21",
  datetime: "is not a time. Use RFC 3339, e.g. 2026-11-21T09:14:22Z",
  email: "is not an email address",
};

function badFormat(format: string): string {
  return formats[format] ?? "does not have the right form";
}

function tooSmall(issue: Extract<Issue, { code: "too_small" }>): string {
  if (issue.origin === "array") return `needs at least ${entries(issue.minimum)}`;
  if (issue.origin === "string") return "must not be empty";
  return `must be at least ${Number(issue.minimum)}`;
}

function tooBig(issue: Extract<Issue, { code: "too_big" }>): string {
  if (issue.origin === "array") return `must have at most ${entries(issue.maximum)}`;
  return `must be at most ${Number(issue.maximum)}`;
}

function entries(count: number | bigint): string {
  return Number(count) === 1 ? "1 entry" : `${Number(count)} entries`;
}

/** A value in a sentence; what holds other values is not spelled out. */
function show(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return quote(typeof value === "string" ? value : JSON.stringify(value));
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

function schemaAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (schema, part) =>
      typeof part === "number"
        ? schema?.items
        : new Map(Object.entries(schema?.properties ?? {})).get(String(part)),
    root,
  );
}
