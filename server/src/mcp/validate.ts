import type { z } from "zod";
import { quote } from "../domain/shared/quote.js";
import type { RegisteredTool, Tool } from "./define-tool.js";
import type { JsonSchema } from "./json-schema.js";
import { findNearest } from "./nearest.js";
import { toArgumentError, type Mistake } from "./mistakes.js";
import { plain } from "./normalize.js";
import { describeNumber } from "./numbers.js";

type Issue = z.core.$ZodIssue;

interface Known {
  /** In the organization's time zone, for day parameters. */
  today?: string;
  /** Unknown parameters from normalization. */
  unknown?: readonly Mistake[];
}

/** Strictly validates normalized arguments. The error names each field and the fix. */
export function validateArguments(
  { tool, inputSchema }: Pick<RegisteredTool, "tool" | "inputSchema">,
  normalized: Record<string, unknown>,
  { today, unknown = [] }: Known = {},
): z.output<Tool["input"]> {
  const parsed = tool.input.safeParse(normalized);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const mistakes = (parsed.error?.issues ?? []).map((issue): Mistake => {
    const value = valueAt(normalized, issue.path);
    const problem = describe(issue, value, { root: inputSchema, today });
    return {
      name: nameOf(issue.path),
      say: (label) => `${label} ${problem.replace(/[^?.]$/, "$&.")}`,
    };
  });
  throw toArgumentError([...unknown, ...mistakes]);
}

interface Place {
  root: JsonSchema;
  today: string | undefined;
}

function describe(issue: Issue, value: unknown, { root, today }: Place): string {
  const schema = schemaAt(root, issue.path);
  if (value === undefined) return "is missing";
  if (issue.code === "invalid_type") {
    return wrongType(issue.expected, value, schema) + insteadOfList(issue, value, root);
  }
  if (issue.code === "invalid_value") return notOneOf(value, schema?.enum ?? issue.values, schema);
  if (issue.code === "too_small") return tooSmall(issue);
  if (issue.code === "too_big") return tooBig(issue);
  const problem = issue.code === "invalid_format" ? badFormat(issue.format) : issue.message;
  // Our own checks supply the problem. The value is shown for "is not a …".
  const isShown = issue.code === "invalid_format" || /^is not an? /.test(problem);
  return isShown ? withDay(`${show(value)} ${problem}`, value, today) : problem;
}

/** The advice if several records are given for one. */
function insteadOfList({ path }: Issue, value: unknown, { properties = {} }: JsonSchema): string {
  const name = nameOf(path);
  if (!Array.isArray(value) || !name.endsWith("_id")) return "";
  return `${name}s` in properties ? `. For several use ${name}s` : ". Make one call for each";
}

const namedDay = /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)/;

/** Adds help for an invalid day: the month's length, or today's date. */
function withDay(problem: string, value: unknown, today: string | undefined): string {
  if (typeof value !== "string" || !/ is not a (date|time)/.test(problem)) return problem;
  const [, year, month] = namedDay.exec(value) ?? [];
  if (year !== undefined && month !== undefined) {
    const last = new Date(Date.UTC(Number(year), Number(month), 0));
    const name = last.toLocaleDateString("en", { month: "long", timeZone: "UTC" });
    const start = problem.replace(/\. Use .*$/s, "");
    return `${start}. ${name} ${year} has ${last.getUTCDate()} days`;
  }
  if (today === undefined || !/\p{L}/u.test(value)) return problem;
  const weekday = new Date(today).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  return `${problem.replace(/, e\.g\. [\d-]+$/, "")}. Today is ${weekday} ${today}`;
}

const expectedWords: Partial<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function wrongType(expected: string, value: unknown, schema: JsonSchema | undefined): string {
  if (typeof value === "string" && (expected === "number" || expected === "int")) {
    return describeNumber(value, { whole: schema?.type === "integer" });
  }
  const example = expected === "object" && schema !== undefined ? exampleOf(schema) : undefined;
  const shown = schema?.example ?? example;
  const shape = shown === undefined ? "" : ` such as ${shown}`;
  return `must be ${expectedWords[expected] ?? expected}${shape}, not ${show(value)}`;
}

function exampleOf({ properties = {}, required = [], least = required }: JsonSchema): string {
  const values = least.map((name) => {
    const { enum: listed, minimum } = properties[name] ?? {};
    // Of listed values, such as units, the middle one is used most.
    return [name, listed?.[Math.floor(listed.length / 2)] ?? minimum ?? "…"];
  });
  return JSON.stringify(Object.fromEntries(values));
}

/** Lists the allowed values. Accepted but unlisted values are not offered. */
function notOneOf(
  value: unknown,
  listed: readonly unknown[],
  { listedAs, hint: always, hints = {} }: JsonSchema = {},
): string {
  const allowed = listedAs ?? listed.map(String).join(", ");
  if (typeof value === "object") return `must be one of: ${allowed}, not ${show(value)}`;
  const told = typeof value === "string" ? hints[plain(value)] : undefined;
  if (told !== undefined) return `${show(value)} is not supported. ${told}`;
  if (always !== undefined) return `${show(value)} is not one of: ${allowed}. ${always}`;
  const words = listedAs === undefined ? listed.filter((word) => typeof word === "string") : [];
  const nearest = typeof value === "string" ? findNearest(value, words) : undefined;
  const hint = nearest === undefined ? "" : `. Did you mean ${nearest}?`;
  return `${show(value)} is not one of: ${allowed}${hint}`;
}

const formats: Partial<Record<string, string>> = {
  date: "is not a date. Use YYYY-MM-DD, e.g. 2026-11-21",
  datetime: "is not a time. Use RFC 3339, e.g. 2026-11-21T09:14:22Z",
  email: "is not an email address. Use one like name@example.com",
};

function badFormat(format: string): string {
  return formats[format] ?? "does not have the right form";
}

function tooSmall(issue: Extract<Issue, { code: "too_small" }>): string {
  if (issue.origin === "array") return `must have at least ${entries(issue.minimum)}`;
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

/** Formats a value for a sentence. Does not spell out lists and objects. */
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
