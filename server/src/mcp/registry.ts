import type { Tool } from "./define-tool.js";
import { toJsonSchema, type JsonSchema } from "./json-schema.js";
import {
  createAssetTool,
  getAssetTool,
  listAssetsTool,
  updateAssetStateTool,
  updateAssetTool,
} from "./tools/assets.js";
import { getCurrentUserTool } from "./tools/me.js";
import { createWorkspaceTool, listWorkspacesTool } from "./tools/workspaces.js";

/** The one list of tools, in the fixed order of the specification, the same for every client. */
export const allTools: readonly Tool[] = [
  listAssetsTool,
  getAssetTool,
  listWorkspacesTool,
  getCurrentUserTool,
  createAssetTool,
  updateAssetTool,
  updateAssetStateTool,
  createWorkspaceTool,
];

/** A tool with its schemas converted, once for the life of the process. */
export interface RegisteredTool {
  tool: Tool;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
}

export const registeredTools: ReadonlyMap<string, RegisteredTool> = new Map(
  allTools.map((tool) => [
    tool.name,
    {
      tool,
      inputSchema: toJsonSchema(tool.input),
      outputSchema: toJsonSchema(tool.output),
    },
  ]),
);
