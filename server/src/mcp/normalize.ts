import { AppError } from "../errors.js";
import { dayIn } from "../domain/dates.js";
import { quote } from "../domain/quote.js";
import type { JsonSchema } from "./json-schema.js";
import { findNearest } from "./nearest.js";

/** What models send when they mean "not given". */
const emptyWords = new Set(["", "null", "undefined"]);

/**
 * Brings arguments into the shape a tool asks for, before they are validated strictly: what means
 * "not given" is dropped, texts are trimmed, and a value in a near enough form is converted.
 */
export function normalizeArguments(
  schema: JsonSchema,
  given: Record<string, unknown>,
  timeZone: string,
  verbatim: readonly string[] = [],
): Record<string, unknown> {
  const normalized = normalizeObject(schema, given, { path: "", timeZone });
  for (const name of verbatim) {
    if (Object.hasOwn(normalized, name)) normalized[name] = given[name];
  }
  return normalized;
}

interface Place {
  path: string;
  /** The organization's: calendar days are meant in it. */
  timeZone: string;
}

function normalizeObject(
  schema: JsonSchema,
  given: Record<string, unknown>,
  place: Place,
): Record<string, unknown> {
  const properties = new Map(Object.entries(schema.properties ?? {}));
  const required = new Set(schema.required);
  const normalized: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const property = properties.get(name);
    if (property === undefined) {
      if (value === null) continue;
      throw unknownParameter(place.path, name, [...properties.keys()]);
    }
    const kept = normalizeValue(property, value, { ...place, path: place.path + name });
    const optional = !required.has(name);
    if (kept === null || kept === undefined) continue;
    if (optional && isEmpty(kept)) continue;
    normalized[name] = kept;
  }
  return normalized;
}

/** Fields are emptied through clear_fields, never by sending nothing. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : typeof value === "string" && emptyWords.has(value);
}

function normalizeValue(schema: JsonSchema, value: unknown, place: Place): unknown {
  const { type } = schema;
  if (type === "string") return normalizeText(schema, value, place);
  if (type === "integer" || type === "number") return toNumber(value);
  if (type === "boolean") return toBoolean(value);
  if (type === "array") return normalizeList(schema.items ?? {}, value, place);
  return type === "object" && isObject(value)
    ? normalizeObject(schema, value, { ...place, path: `${place.path}.` })
    : value;
}

function normalizeText(schema: JsonSchema, value: unknown, place: Place): unknown {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return text;
  if (/[\0\p{Surrogate}]/u.test(text)) {
    throw new AppError(
      "validation_failed",
      `Validation failed: ${place.path} contains characters that no text may contain.`,
      { field: place.path },
    );
  }
  const trimmed = text.normalize("NFC").trim();
  return schema.format === "date" ? toDay(trimmed, place.timeZone) : trimmed;
}

const timestamp =
  /^(?<day>\d{4}-\d{2}-\d{2})T(?<clock>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?<offset>Z|[+-]\d{2}:\d{2})?$/i;

/** The day of a timestamp: as written at midnight or without an offset, else in the time zone. */
function toDay(text: string, timeZone: string): string {
  const { day, clock, offset } = timestamp.exec(text)?.groups ?? {};
  if (day === undefined || clock === undefined) return text;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  return offset === undefined || /^[0:.]+$/.test(clock) ? day : dayIn(timeZone, at);
}

function toNumber(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function toBoolean(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  if (word === "true") return true;
  return word === "false" ? false : word;
}

function normalizeList(items: JsonSchema, value: unknown, place: Place): unknown {
  if (value === null) return undefined;
  if (typeof value === "string" && emptyWords.has(value.trim())) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list
    .map((item, index) =>
      normalizeValue(items, item, { ...place, path: `${place.path}[${index}]` }),
    )
    .filter((item) => item !== null && item !== "");
}

function unknownParameter(path: string, name: string, allowed: string[]): AppError {
  const nearest = findNearest(name, allowed);
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  const list = allowed.length === 0 ? "none, it takes no parameters" : allowed.join(", ");
  return new AppError(
    "validation_failed",
    `Validation failed: unknown parameter ${quote(path + name)}.${hint} Allowed: ${list}.`,
    { field: (path + name).slice(0, 80), ...(nearest !== undefined && { details: { nearest } }) },
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
