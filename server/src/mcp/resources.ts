import { taskStates } from "../db/entities/tasks.js";
import { callTool } from "./call.js";
import { isObject } from "./normalize.js";
import { registeredTools } from "./registry.js";
import { RpcError, rpcCodes } from "./rpc.js";
import type { CallContext } from "./run.js";
import { viewList } from "./views/views.js";

/** A tool's read result at an address. The tool's scope, permissions and limits apply. */
interface Resource {
  /** At most one variable in braces: one percent-encoded path segment (RFC 6570). */
  uri: string;
  name: string;
  title: string;
  description: string;
  tool: string;
  arguments: (value: string) => Record<string, unknown>;
  /** The parts of the response to include. Default: all. */
  parts?: readonly string[];
}

const attention = {
  tool: "get_organization_stats",
  parts: ["attention", "attention_not_shown", "attention_not_shown_capped", "attention_totals"],
};

const resources: readonly Resource[] = [
  {
    uri: "fettle://statistics",
    name: "statistics",
    title: "Statistics",
    description: "Counts and key figures of the organization.",
    tool: "get_organization_stats",
    arguments: () => ({}),
  },
  {
    uri: "fettle://attention",
    name: "attention",
    title: "Needs attention",
    description: "The 20 most pressing matters, ranked, each with its reason.",
    ...attention,
    arguments: () => ({ include: ["attention"] }),
  },
  {
    uri: "fettle://workspaces",
    name: "workspaces",
    title: "Workspaces",
    description: "The workspaces you can see, with your role and counts for each.",
    tool: "list_workspaces",
    arguments: () => ({ limit: 100 }),
  },
  {
    uri: "fettle://me",
    name: "me",
    title: "Current user",
    description: "The person you act for, the granted scopes, and today's date.",
    tool: "get_current_user",
    arguments: () => ({}),
  },
  {
    uri: "fettle://workspaces/{workspace}",
    name: "workspace",
    title: "Workspace",
    description: "Counts and key figures of one workspace, by id or exact name.",
    tool: "get_organization_stats",
    arguments: (workspace) => ({ workspace_id: workspace }),
  },
  {
    uri: "fettle://workspaces/{workspace}/attention",
    name: "workspace_attention",
    title: "Needs attention in a workspace",
    description: "The 20 most pressing matters of one workspace, by id or exact name.",
    ...attention,
    arguments: (workspace) => ({ workspace_id: workspace, include: ["attention"] }),
  },
  {
    uri: "fettle://assets/{asset}",
    name: "asset",
    title: "Asset",
    description: "All fields of one asset, by id or inventory number.",
    tool: "get_asset",
    arguments: (asset) => ({ asset_id: asset }),
  },
  {
    uri: "fettle://assets/{asset}/history",
    name: "asset_history",
    title: "Asset history",
    description: "The last 25 changes of one asset, newest first.",
    tool: "search_asset_history",
    arguments: (asset) => ({ asset_id: asset }),
  },
  {
    uri: "fettle://tasks/{state}",
    name: "tasks",
    title: "Tasks by state",
    description: "The first 25 tasks in a state, such as open or overdue, most urgent first.",
    tool: "list_maintenance_tasks",
    arguments: (state) => ({ state }),
  },
  {
    uri: "fettle://task/{task}",
    name: "task",
    title: "Task",
    description: "All fields of one task, by id or number.",
    tool: "get_maintenance_task",
    arguments: (task) => ({ task_id: task }),
  },
];

const mimeType = "application/json";
const hasVariable = ({ uri }: Resource) => uri.includes("{");

export const resourceList = {
  resources: [
    ...resources
      .filter((resource) => !hasVariable(resource))
      .map(({ uri, name, title, description }) => ({ uri, name, title, description, mimeType })),
    ...viewList,
  ],
};

export const resourceTemplateList = {
  resourceTemplates: resources
    .filter(hasVariable)
    .map(({ uri: uriTemplate, name, title, description }) => ({
      uriTemplate,
      name,
      title,
      description,
      mimeType,
    })),
};

/** Reads an address. Refusals become protocol errors with the tool's text. */
export async function readResource(
  params: unknown,
  context: CallContext,
  notFound: number,
): Promise<{ contents: { uri: string; mimeType: string; text: string }[] }> {
  const uri = isObject(params) ? params["uri"] : undefined;
  if (typeof uri !== "string") {
    throw new RpcError("Invalid params: uri is missing", rpcCodes.invalidParams);
  }
  const found = findResource(uri);
  if (found === undefined) {
    throw new RpcError("Resource not found", notFound, { data: { uri } });
  }
  const { resource, value } = found;
  const registered = registeredTools.get(resource.tool);
  if (registered === undefined) throw new Error(`There is no tool ${resource.tool}.`);
  const answer = await callTool(registered, resource.arguments(value), context);
  if (answer.isError) {
    const [message = "Refused"] = answer.texts;
    const isUnknown = answer.errorCode === "not_found" || answer.errorCode === "validation_failed";
    throw new RpcError(message, isUnknown ? notFound : rpcCodes.refused, { data: { uri } });
  }
  return { contents: [{ uri, mimeType, text: partsOf(answer.structured, resource.parts) }] };
}

function partsOf(structured: string, parts: readonly string[] | undefined): string {
  if (parts === undefined) return structured;
  const answer = Object.entries(JSON.parse(structured) as Record<string, unknown>);
  const found = Object.fromEntries(answer.filter(([name]) => parts.includes(name)));
  // Responses omit empty lists.
  return JSON.stringify({ attention: [], ...found });
}

function findResource(uri: string): { resource: Resource; value: string } | undefined {
  for (const resource of resources) {
    const [begin = "", end] = resource.uri.split(/\{\w+\}/);
    if (end === undefined) {
      if (uri === begin) return { resource, value: "" };
      continue;
    }
    if (!uri.startsWith(begin) || !uri.endsWith(end)) continue;
    const value = decode(uri.slice(begin.length, uri.length - end.length));
    if (value !== undefined) return { resource, value };
  }
  return undefined;
}

/** Returns undefined for several path segments, for an empty one and for invalid encoding. */
function decode(part: string): string | undefined {
  if (part === "" || part.includes("/")) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The type of a template's variable, by its name. */
export const variables: Partial<
  Record<string, "workspace" | "asset" | "task" | readonly string[]>
> = {
  workspace: "workspace",
  asset: "asset",
  task: "task",
  state: ["open", "overdue", ...taskStates],
};

export function isResourceTemplate(uri: string): boolean {
  return resources.some((resource) => resource.uri === uri && hasVariable(resource));
}
