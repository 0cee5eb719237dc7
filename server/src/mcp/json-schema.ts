import { z } from "zod";
import { omit } from "../domain/shared/omit.js";

/** The subset of JSON Schema that our tools use. */
export interface JsonSchema {
  type?: string;
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  /** Extension: synonyms of listed values, by normalized form. */
  synonyms?: Record<string, string>;
  /** Extension: a text with one of two formats. */
  dayOrInstant?: boolean;
  /** Extension: the properties in an example, if none is required. */
  least?: string[];
  /** Extension: its content is described elsewhere. */
  abridged?: boolean;
  /** Extension: a sample value as JSON, for refusals. */
  example?: string;
  /** Extension: a refusal's addition for every wrong value. */
  hint?: string;
  /** Extension: a refusal's addition for some wrong values, by normalized form. */
  hints?: Record<string, string>;
  /** Extension: a summary that replaces many listed values. */
  listedAs?: string;
  /** Extension: the property that a mere text gives. */
  shorthand?: string;
  /** Extension: accepted from earlier clients, but not listed. */
  unlisted?: boolean;
}

/**
 * A schema as clients see it, without our extensions. Omits limits that calls hardly reach, because
 * every conversation pays for them. The error names an exceeded limit.
 */
export function toListedSchema(schema: JsonSchema): JsonSchema {
  const { properties, items, abridged, description, maximum = 0 } = schema;
  if (abridged === true)
    return { type: schema.type ?? "object", ...(description !== undefined && { description }) };
  return {
    ...omit(
      schema,
      "synonyms",
      "dayOrInstant",
      "least",
      "example",
      "hint",
      "hints",
      "listedAs",
      "shorthand",
      "minLength",
      "maxLength",
      "maxItems",
      "maximum",
    ),
    ...(maximum > 0 && maximum < 1e5 && { maximum }),
    ...(items !== undefined && { items: toListedSchema(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties)
          .filter(([, property]) => property.unlisted !== true)
          .map(([name, property]) => [name, toListedSchema(property)]),
      ),
    }),
  };
}

/**
 * The response schema as clients see it. The first level has types. Deeper fields are only named,
 * in descriptions, which costs a conversation half as much. Nothing is required: clients of SDK 1.x
 * also check refused calls against this schema, and then drop the refusal.
 */
export function toListedOutput({ properties = {} }: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, toListedPart(part)]),
    ),
  };
}

function toListedPart({ type, description, items, ...part }: JsonSchema): JsonSchema {
  const fields = nameFields(items ?? part);
  const words = [description, fields].filter((text) => text !== undefined && text !== "");
  return {
    ...(type !== undefined && { type }),
    ...(words.length > 0 && { description: words.join(" ") }),
    ...(items?.type !== undefined && { items: { type: items.type } }),
  };
}

/** `number, done, steps[] {label}` */
function nameFields({ properties = {} }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, { type, description, items, ...part }]) => {
      const inside = nameFields(items ?? part);
      const list = type === "array" ? "[]" : "";
      const words = description === undefined ? "" : ` (${description})`;
      return `${name}${list}${inside === "" ? "" : ` {${inside}}`}${words}`;
    })
    .join(", ");
}

/** Converts once, when the tools are loaded, never per request. */
export function toJsonSchema(schema: z.ZodObject): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io: "input",
    override({ jsonSchema }) {
      // The format implies the pattern. The expressions would cost every conversation hundreds of
      // tokens.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  delete converted.$schema;
  return converted as JsonSchema;
}
