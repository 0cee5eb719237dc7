import { callTool } from "./call.js";
import { isObject } from "./normalize.js";
import { hasArgument } from "./prompts.js";
import { registeredTools } from "./registry.js";
import { isResourceTemplate, variables } from "./resources.js";
import { RpcError, rpcCodes } from "./rpc.js";
import type { CallContext } from "./run.js";

/** Sources of values: a tool that lists them, and the field of its rows. */
const sources = {
  workspace: { tool: "list_workspaces", rows: "workspaces", field: "name" },
  asset: { tool: "list_assets", rows: "assets", field: "inventory_number" },
  task: { tool: "list_maintenance_tasks", rows: "tasks", field: "task_number" },
};

const most = 25;

/**
 * Completes values of an argument: values that start with the typed text, or things that contain
 * its words.
 */
export async function complete(params: unknown, context: CallContext) {
  const { ref, argument } = isObject(params) ? params : {};
  const { name, value } = isObject(argument) ? argument : {};
  if (!isObject(ref) || typeof name !== "string" || typeof value !== "string") {
    throw new RpcError("Invalid params: ref or argument is missing", rpcCodes.invalidParams);
  }
  if (!isKnown(ref, name)) {
    throw new RpcError(
      `Invalid params: unknown argument "${name.slice(0, 80)}"`,
      rpcCodes.invalidParams,
    );
  }
  const kind = Object.hasOwn(variables, name) ? variables[name] : [];
  if (typeof kind === "string") return look(kind, value, context);
  const values = (kind ?? []).filter((one) => one.startsWith(value.toLowerCase()));
  return toCompletion(values, values.length);
}

async function look(kind: keyof typeof sources, value: string, context: CallContext) {
  const { tool, rows, field } = sources[kind];
  const registered = registeredTools.get(tool);
  if (registered === undefined) throw new Error(`There is no tool ${tool}.`);
  const query = value.trim() === "" ? {} : { query: value.slice(0, 200) };
  const answer = await callTool(registered, { ...query, limit: most }, context);
  if (answer.isError) return toCompletion([], 0);
  const found = JSON.parse(answer.structured) as Record<string, unknown>;
  const values = (found[rows] as Record<string, string>[]).map((row) => row[field] ?? "");
  return toCompletion(values, Number(found["total_count"]));
}

function isKnown(ref: Record<string, unknown>, argument: string): boolean {
  if (ref["type"] === "ref/prompt") return hasArgument(ref["name"], argument);
  const uri = ref["uri"];
  return typeof uri === "string" && isResourceTemplate(uri) && uri.includes(`{${argument}}`);
}

function toCompletion(values: readonly string[], total: number) {
  return { completion: { values, total, hasMore: total > values.length } };
}
