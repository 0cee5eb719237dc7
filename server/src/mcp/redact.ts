import { idKindOf } from "../domain/shared/ids.js";
import type { JsonSchema } from "./json-schema.js";

/** What a call may take in the log; the marks of what was cut come on top. */
const maxLength = 1024;

/**
 * Arguments as the call log keeps them: ids, choices, numbers and dates. Free text, names and email
 * addresses become their length, so does what is long; parameters that do not exist are left out.
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
  // One value of a list may come by itself.
  const schema = given.type === "array" ? (given.items ?? {}) : given;
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => redact(schema, item));
  if (typeof value === "string")
    return isHarmless(schema, value) ? value : `[text ${value.length}]`;
  // Numbers are taken for texts as well.
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
