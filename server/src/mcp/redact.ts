import { idKindOf } from "../domain/shared/ids.js";
import type { JsonSchema } from "./json-schema.js";

/** Maximum size of a call in the log, without the marks of truncated parts. */
const maxLength = 1024;

/**
 * Arguments for the call log: ids, choices, numbers and dates. Free text, names, email addresses
 * and long values are replaced by their length. Unknown parameters are omitted.
 */
export function redactArguments(
  schema: JsonSchema,
  given: Record<string, unknown>,
): Record<string, unknown> {
  let left = maxLength;
  return Object.fromEntries(
    Object.entries(redactObject(schema, given)).map(([name, value]) => {
      const { length } = JSON.stringify(value);
      if (length > left) return [name, `[cut ${length}]`];
      left -= length;
      return [name, value];
    }),
  );
}

function redactObject(schema: JsonSchema, given: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(given, name)) kept[name] = redact(property, given[name]);
  }
  return kept;
}

function redact(given: JsonSchema, value: unknown): unknown {
  // A list with one value may be sent as the value.
  const schema = given.type === "array" ? (given.items ?? {}) : given;
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => redact(schema, item));
  if (typeof value === "string")
    return isHarmless(schema, value) ? value : `[text ${value.length}]`;
  // Numbers may be sent as texts.
  if (typeof value === "number" && schema.type !== "integer" && schema.type !== "number") {
    return `[text ${String(value).length}]`;
  }
  if (typeof value !== "object" || value === null) return value;
  return redactObject(schema, value as Record<string, unknown>);
}

function isHarmless(schema: JsonSchema, value: string): boolean {
  if (idKindOf(value) !== undefined) return true;
  if (schema.enum?.includes(value) === true) return true;
  return schema.format === "date" && /^\d{4}-\d{2}-\d{2}$/.test(value);
}
