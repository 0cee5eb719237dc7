import { toolCalls } from "../metrics.js";
import type { RegisteredTool, Tool } from "./define-tool.js";
import { toJsonSchema } from "./json-schema.js";
import { forceDeleteAssetTool } from "./tools/asset-deletion.js";
import { createAssetTool, updateAssetStateTool, updateAssetTool } from "./tools/asset-changes.js";
import { getAssetTool, listAssetsTool } from "./tools/assets.js";
import { searchAssetHistoryTool } from "./tools/history.js";
import {
  createInviteTool,
  deleteInviteTool,
  listInvitesTool,
  resendInviteTool,
} from "./tools/invites.js";
import { generateAssetQrCodesTool } from "./tools/labels.js";
import { getCurrentUserTool } from "./tools/me.js";
import { getMaintenanceTaskTool, listMaintenanceTasksTool } from "./tools/task-lists.js";
import { listUsersTool, removeUserTool } from "./tools/people.js";
import { getOrganizationStatsTool } from "./tools/stats.js";
import { createMaintenanceTaskTool, updateMaintenanceTaskTool } from "./tools/tasks.js";
import {
  createWorkspaceTool,
  deleteWorkspaceTool,
  listWorkspacesTool,
  updateWorkspaceTool,
} from "./tools/workspaces.js";

/** All tools, in the fixed order of the specification, for every client. */
export const allTools: readonly Tool[] = [
  listAssetsTool,
  getAssetTool,
  listWorkspacesTool,
  listMaintenanceTasksTool,
  getMaintenanceTaskTool,
  searchAssetHistoryTool,
  getOrganizationStatsTool,
  getCurrentUserTool,
  listInvitesTool,
  listUsersTool,
  generateAssetQrCodesTool,
  createAssetTool,
  updateAssetTool,
  updateAssetStateTool,
  createMaintenanceTaskTool,
  updateMaintenanceTaskTool,
  createInviteTool,
  deleteInviteTool,
  resendInviteTool,
  removeUserTool,
  createWorkspaceTool,
  updateWorkspaceTool,
  deleteWorkspaceTool,
  forceDeleteAssetTool,
];

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

// A rare outcome needs an initial 0 to appear in rates.
for (const tool of registeredTools.keys()) toolCalls.inc({ tool, outcome: "internal_error" }, 0);
