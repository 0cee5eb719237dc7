import { omit } from "../domain/shared/omit.js";
import { toListedSchema, type JsonSchema } from "./json-schema.js";
import { registeredTools } from "./registry.js";
import { resultMeta } from "./server-info.js";

/** How long a client may keep the list: it changes with a new release only. */
export const listTtlMs = 300_000;

/**
 * Clients of SDK 1.x hold results against this schema even when they are errors, and then throw
 * away what the error says. So the list demands nothing at the top; results have it all the same.
 */
function listedOutput(schema: JsonSchema): JsonSchema {
  return omit(schema, "required");
}

const tools = [...registeredTools.values()].map(({ tool, inputSchema, outputSchema }) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: toListedSchema(inputSchema),
  outputSchema: listedOutput(outputSchema),
  annotations: tool.annotations,
  ...(tool.view !== undefined && { _meta: { ui: { resourceUri: tool.view } } }),
}));

/** Results of tools/list, ready-made; only the id of the request is put in front. */
export const toolListResult = {
  legacy: Buffer.from(JSON.stringify({ tools })),
  modern: Buffer.from(
    JSON.stringify({
      resultType: "complete",
      tools,
      ttlMs: listTtlMs,
      cacheScope: "public",
      _meta: resultMeta,
    }),
  ),
};
