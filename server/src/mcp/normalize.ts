import { quote } from "../domain/shared/quote.js";
import { isStorable, maxSpelling, toNfc } from "../domain/shared/text.js";
import type { Tool } from "./define-tool.js";
import type { JsonSchema } from "./json-schema.js";
import { ArgumentError, toArgumentError, type Mistake } from "./mistakes.js";
import { findNearestName } from "./nearest.js";
import { toNumber } from "./numbers.js";
import { dayIn, instantIn, startOfDay, toTimestamp } from "../domain/shared/dates.js";

const timestamp =
  /^(?<day>\d{4}-\d{2}-\d{2})T(?<clock>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(?<offset>Z|[+-]\d{2}:\d{2})?$/i;

/** Texts that models send for "not given". */
const emptyWords = new Set(["", "null", "undefined"]);

/** Special parameters of a tool that its schema doesn't show. */
type Exceptions = Pick<Tool, "verbatim" | "commaSeparated" | "keptWhenEmpty" | "elsewhere">;

/**
 * Normalizes arguments before strict validation: removes values that mean "not given", trims texts
 * and converts almost valid forms. Rejects unknown parameters, or adds them to `collected`.
 */
export function normalizeArguments(
  schema: JsonSchema,
  given: Record<string, unknown>,
  timeZone: string,
  { verbatim = [], commaSeparated = [], keptWhenEmpty = [], elsewhere = {} }: Exceptions = {},
  collected?: Mistake[],
): Record<string, unknown> {
  const unknown = collected ?? [];
  const place = { path: "", timeZone, commaSeparated, keptWhenEmpty, elsewhere, unknown };
  const normalized = normalizeObject(schema, given, place);
  if (collected === undefined && unknown.length > 0) throw toArgumentError(unknown);
  for (const name of verbatim) {
    if (Object.hasOwn(normalized, name)) normalized[name] = given[name];
  }
  return normalized;
}

interface Place {
  path: string;
  /** The organization's time zone, for calendar days. */
  timeZone: string;
  commaSeparated: readonly string[];
  keptWhenEmpty: readonly string[];
  elsewhere: Partial<Record<string, string>>;
  /** Unknown parameters, collected so that the others can be checked. */
  unknown: Mistake[];
}

function normalizeObject(
  schema: JsonSchema,
  given: Record<string, unknown>,
  place: Place,
): Record<string, unknown> {
  const properties = new Map(Object.entries(schema.properties ?? {}));
  const { additionalProperties: others } = schema;
  const required = new Set(schema.required);
  const normalized: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const property = properties.get(name) ?? (typeof others === "object" ? others : undefined);
    if (property === undefined) {
      if (value === null) continue;
      const listed = [...properties].filter(([, { unlisted }]) => unlisted !== true);
      place.unknown.push(
        toUnknown(
          place,
          name,
          listed.map(([known]) => known),
        ),
      );
      continue;
    }
    const meant = properties.has(name) ? value : toRecordValue(value);
    const kept = normalizeValue(property, meant, { ...place, path: place.path + name });
    const isOptional = !required.has(name) && !place.keptWhenEmpty.includes(name);
    if (kept == null) continue;
    if (isOptional && isEmpty(kept)) continue;
    normalized[name] = kept;
  }
  return normalized;
}

/** A record of texts can hold true and false, such as the answers to checks. */
function toRecordValue(value: unknown): unknown {
  return typeof value === "boolean" ? String(value) : value;
}

/** Arguments under the names that the parameters have now. */
export function withPresentNames(
  { formerNames = {} }: Pick<Tool, "formerNames">,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const present = Object.entries(given).map(([name, value]) => {
    const now = Object.hasOwn(formerNames, name) ? formerNames[name] : undefined;
    // With both names given, the former one is refused as unknown.
    return [now === undefined || Object.hasOwn(given, now) ? name : now, value];
  });
  return Object.fromEntries(present) as Record<string, unknown>;
}

/** Finds parameters without a value that the caller may have meant to clear. */
export function findValueless(
  schema: JsonSchema,
  given: Record<string, unknown>,
  normalized: Record<string, unknown>,
): string[] {
  const clearable = schema.properties?.["clear_fields"]?.items?.enum ?? [];
  return Object.keys(given).filter(
    (name) => clearable.includes(name) && !Object.hasOwn(normalized, name),
  );
}

/** Fields are cleared through clear_fields, never by an empty value. */
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
  if (type !== "object") return value;
  if (schema.shorthand !== undefined && isPlainText(value)) {
    return normalizeShorthand(schema, schema.shorthand, value, place);
  }
  const object = parseJson(value, "{");
  return isObject(object)
    ? normalizeObject(schema, object, { ...place, path: `${place.path}.` })
    : object;
}

/** A text that is no JSON. */
function isPlainText(value: unknown): value is string | number {
  return (
    typeof value === "number" || (typeof value === "string" && !isObject(parseJson(value, "{")))
  );
}

function normalizeShorthand(
  { properties }: JsonSchema,
  name: string,
  value: string | number,
  place: Place,
): unknown {
  const text = normalizeText(properties?.[name] ?? {}, value, place);
  return text === "" ? text : { [name]: text };
}

function normalizeText(schema: JsonSchema, value: unknown, place: Place): unknown {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return text;
  if (!isStorable(text)) {
    throw new ArgumentError(
      place.path,
      `${place.path} contains characters that can't be stored, such as NUL. Remove them.`,
    );
  }
  const trimmed = toNfc(text.trim(), schema.maxLength && maxSpelling * schema.maxLength);
  if (schema.enum !== undefined) return toListed(trimmed, schema.enum, schema.synonyms);
  if (schema.format === "date") return toDay(trimmed, place.timeZone);
  if (schema.format === "date-time") return toInstant(trimmed, place.timeZone);
  return schema.dayOrInstant === true ? toOffsetTime(trimmed, place.timeZone) : trimmed;
}

/**
 * Returns the listed value for a text or synonym, ignoring case, spaces, hyphens and underscores.
 */
function toListed(
  text: string,
  values: readonly unknown[],
  synonyms: Record<string, string> = {},
): unknown {
  if (values.includes(text)) return text;
  const meant = plain(text);
  if (Object.hasOwn(synonyms, meant)) return synonyms[meant];
  const alike = values.filter((value) => plain(String(value)) === meant);
  return alike.length === 1 ? alike[0] : text;
}

/** A leading hyphen remains: it reverses an order. */
export function plain(text: string): string {
  return text.toLowerCase().replaceAll(/(?!^-)[\s\p{Pd}_]+/gu, "");
}

function toBoolean(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  if (word === "true") return true;
  return word === "false" ? false : word;
}

/** No tool accepts more. Longer lists are only counted and then rejected. */
const maxListItems = 1000;

function normalizeList(items: JsonSchema, value: unknown, place: Place): unknown {
  const list = toList(items, value, place);
  if (!Array.isArray(list) || list.length > maxListItems) return list;
  return (list as unknown[])
    .map((item, index) =>
      normalizeValue(items, item, { ...place, path: `${place.path}[${index}]` }),
    )
    .filter((item) => item !== null && item !== "");
}

/**
 * Parses a text as a JSON list, as comma-separated values if no value can contain a comma, or as
 * one value.
 */
function toList(items: JsonSchema, value: unknown, place: Place): unknown {
  if (value === null || (typeof value === "string" && emptyWords.has(value.trim()))) {
    return undefined;
  }
  const parsed = parseJson(value, "[");
  if (Array.isArray(parsed)) return parsed as unknown[];
  // Several lines are several entries. No rule splits them.
  if (isSeveralLines(items, value)) return value;
  const separated =
    items.enum !== undefined ||
    items.type === "integer" ||
    place.commaSeparated.includes(place.path.replace(/^.*\./, ""));
  return typeof value === "string" && separated ? value.split(",") : [value];
}

function isSeveralLines({ type, shorthand }: JsonSchema, value: unknown): boolean {
  const isText = type === "string" || shorthand !== undefined;
  return typeof value === "string" && isText && /\S\s*\n\s*\S/.test(value);
}

/** Parses a text that starts like the requested kind of JSON, if it is JSON. */
function parseJson(value: unknown, begin: "[" | "{"): unknown {
  if (typeof value !== "string" || !value.trimStart().startsWith(begin)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Other services' names for our parameters. */
const otherNames = new Map([
  ["page", ["cursor"]],
  ["offset", ["cursor"]],
  ["page_size", ["limit"]],
  ["per_page", ["limit"]],
  ["search", ["query"]],
  ["status", ["state"]],
  ["assignee", ["assigned_to_user_id"]],
  ["assigned_to", ["assigned_to_user_id"]],
  ["due_before", ["due_to"]],
  ["due_after", ["due_from"]],
  ["since", ["from", "updated_since"]],
]);

function toUnknown({ path, elsewhere }: Place, name: string, allowed: string[]): Mistake {
  const nearest =
    otherNames.get(name.toLowerCase())?.find((other) => allowed.includes(other)) ??
    findNearestName(name, allowed);
  const tool = path === "" && Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
  const near = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  const list = allowed.length === 0 ? "none, this tool takes no parameters" : allowed.join(", ");
  const hint = tool ?? `${near.trimStart()} Allowed: ${list}.`.trimStart();
  const say = (label: string) => `unknown parameter ${quote(label)}. ${hint}`;
  return { name: path + name, say, nearest };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The day of a timestamp: as written for midnight or without an offset, otherwise in the time zone.
 */
function toDay(text: string, timeZone: string): string {
  const { day, clock, offset } = timestamp.exec(text)?.groups ?? {};
  if (day === undefined || clock === undefined) return text;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  return offset === undefined || /^[0:.]+$/.test(clock) ? day : dayIn(timeZone, at);
}

/** The instant at which a day starts in the time zone, or of a time without an offset. */
function toInstant(text: string, timeZone: string): string {
  return isDay(text) ? toTimestamp(startOfDay(timeZone, text)) : toOffsetTime(text, timeZone);
}

/** Adds the time zone's offset to a time without one. Other texts are unchanged. */
function toOffsetTime(text: string, timeZone: string): string {
  const written = text.replace(" ", "T");
  const { day, offset } = timestamp.exec(written)?.groups ?? {};
  if (day === undefined || offset !== undefined || !isDay(day)) return text;
  if (Number.isNaN(Date.parse(`${written}Z`))) return text;
  return toTimestamp(instantIn(timeZone, written));
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(text);
  // JavaScript turns 30 February into a day in March.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
