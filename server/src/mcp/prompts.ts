import { isObject } from "./normalize.js";
import { RpcError, rpcCodes } from "./rpc.js";

interface PromptArgument {
  name: "workspace" | "asset" | "days" | "equipment";
  description: string;
  required?: true;
}

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  text: (given: Partial<Record<PromptArgument["name"], string>>) => string;
}

const place: PromptArgument = { name: "workspace", description: "Only this workspace." };
const inPlace = (workspace: string | undefined) =>
  workspace === undefined ? "" : ` in the workspace "${workspace}"`;

const onlyIn = (workspace: string | undefined) =>
  workspace === undefined ? "" : `, all three with workspace_id ${JSON.stringify(workspace)}`;

const prompts: readonly Prompt[] = [
  {
    name: "daily_briefing",
    title: "Daily briefing",
    description: "Urgent matters, work due today, and changes since yesterday.",
    arguments: [place],
    text: ({ workspace }) =>
      `Brief me for today${inPlace(workspace)}. Call get_organization_stats with include ["attention"], list_maintenance_tasks with state open, due_to today and include_ids false, and search_asset_history from yesterday with fields occurred_at, type, actor, inventory_number, asset_name, task_title${onlyIn(workspace)}. Start with the most pressing matters and why, then the work due today and its assignees, then the changes. Give inventory and task numbers. Use at most fifteen lines.`,
  },
  {
    name: "plan_week",
    title: "Plan the week",
    description: "Distributes open work among the people who can do it.",
    arguments: [place, { name: "days", description: "Number of days ahead. Default 7." }],
    text: ({ workspace, days = "7" }) =>
      `Plan the maintenance for the next ${days} days${inPlace(workspace)}. Get each person's workload with get_organization_stats and group_by assignee, and the work with list_maintenance_tasks, state open, due_to the last of these days, limit 100. Put overdue and critical work first. Propose a day and a person for each task in a table, and say who has too much work. Change nothing until I agree. Then use update_maintenance_task, with task_ids for tasks that get the same change.`,
  },
  {
    name: "inspection_round",
    title: "Inspection round",
    description: "A checklist for walking through a place and inspecting its assets.",
    arguments: [{ ...place, description: "The workspace to walk through.", required: true }],
    text: ({ workspace }) =>
      `Prepare an inspection${inPlace(workspace)}. List the assets with list_assets, limit 100, and the open inspections with list_maintenance_tasks, state open, type inspection. Give me one line per asset, sorted by location: inventory number, name, location, due work. While I report findings, record them with update_maintenance_task (checklist_tick, completion_notes) or create_maintenance_task, and ask when a finding is unclear. To record which assets were seen, I scan their labels in a round on the page /rounds.`,
  },
  {
    name: "retire_asset",
    title: "Retire an asset",
    description: "Retires an asset after checking its open tasks, warranty and cost.",
    arguments: [{ name: "asset", description: "Inventory number or id.", required: true }],
    text: ({ asset = "" }) =>
      `I want to retire the asset ${asset}. Read it with get_asset. Tell me its open tasks, warranty and cost, and ask me for the reason and the date. Then use update_asset_state with state deleted, reason and effective_at (at most 90 days back), first with dry_run; its warnings name parts that stay in use. The asset keeps its history and can be restored. Do not use force_delete_asset.`,
  },
  {
    name: "onboard_equipment",
    title: "Add new equipment",
    description: "Registers new equipment and plans its first maintenance.",
    arguments: [
      {
        name: "equipment",
        description: "The new equipment, as a list or a text.",
        required: true,
      },
      place,
    ],
    text: ({ equipment = "", workspace }) =>
      `Register this equipment${inPlace(workspace)}:\n\n${equipment}\n\nUse the categories that get_organization_stats shows. Show me a table of the assets you will create, and ask for missing details. Then use create_asset once with assets and a request_key, and propose inspections and services with their intervals. When I agree, create them with create_maintenance_task and asset_ids.`,
  },
];

export const promptList = {
  prompts: prompts.map(({ name, title, description, arguments: list }) => ({
    name,
    title,
    description,
    arguments: list.map(({ required = false, ...argument }) => ({ ...argument, required })),
  })),
};

/** A prompt's message with its arguments. Empty arguments count as missing. */
export function getPrompt(params: unknown) {
  const { name, arguments: given = {} } = isObject(params) ? params : {};
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined || !isObject(given)) {
    throw new RpcError(
      `Invalid params: unknown prompt. Use one of: ${prompts.map((one) => one.name).join(", ")}.`,
      rpcCodes.invalidParams,
    );
  }
  const values: Partial<Record<PromptArgument["name"], string>> = {};
  for (const { name: argument, description: meaning, required } of prompt.arguments) {
    const value = given[argument];
    if (typeof value === "string" && value.trim() !== "") values[argument] = value.trim();
    else if (required === true) {
      throw new RpcError(
        `Invalid params: ${argument} is missing. Give: ${meaning}`,
        rpcCodes.invalidParams,
      );
    }
  }
  const { description } = prompt;
  const text = prompt.text(values);
  return { description, messages: [{ role: "user", content: { type: "text", text } }] };
}

export function hasArgument(promptName: unknown, argument: string): boolean {
  const prompt = prompts.find(({ name }) => name === promptName);
  return prompt?.arguments.some(({ name }) => name === argument) === true;
}
