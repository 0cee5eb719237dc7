import { z } from "zod";

/** The part of JSON Schema that our tools use. */
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
  additionalProperties?: boolean;
}

/** Converts once, when the tools are loaded; never for a request. */
export function toJsonSchema(schema: z.ZodObject): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io: "input",
    override({ jsonSchema }) {
      // The format says it; the expressions would cost every conversation hundreds of tokens.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  delete converted.$schema;
  return converted as JsonSchema;
}
