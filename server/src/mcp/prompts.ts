import { isObject } from "./normalize.js";
import { RpcError, rpcCodes } from "./rpc.js";

interface PromptArgument {
  name: "workspace" | "asset" | "days" | "equipment";
  description: string;
  required?: true;
}

/** A task that people give to their assistant often, in words that lead to few calls. */
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
    description: "What needs attention today, what is due, and what changed since yesterday.",
    arguments: [place],
    text: ({ workspace }) =>
      `Brief me for today${inPlace(workspace)}. Call get_organization_stats with include ["attention"], list_maintenance_tasks with state open and due_to today, and search_asset_history from yesterday${onlyIn(workspace)}. Begin with what is most pressing and why, then what is due today and by whom, then what changed. Name inventory and task numbers. At most fifteen lines.`,
  },
  {
    name: "plan_week",
    title: "Plan the week",
    description: "Spreads open work over the people who can do it.",
    arguments: [place, { name: "days", description: "How many days ahead; 7 unless given." }],
    text: ({ workspace, days = "7" }) =>
      `Plan the maintenance of the next ${days} days${inPlace(workspace)}. Get the load of each person with get_organization_stats group_by assignee, and the work with list_maintenance_tasks state open, due_to the last of these days, limit 100. Overdue and critical work comes first. Propose a day and a person for each task as a table, and say who has too much. Change nothing until I agree; then use update_maintenance_task with task_ids for tasks that change alike.`,
  },
  {
    name: "inspection_round",
    title: "Inspection round",
    description: "A list for walking through a place and checking what is there.",
    arguments: [{ ...place, description: "The workspace to walk through.", required: true }],
    text: ({ workspace }) =>
      `Prepare an inspection round${inPlace(workspace)}. List its assets with list_assets, limit 100, and the open inspections with list_maintenance_tasks type inspection. Give me one line for each asset in the order of locations: inventory number, name, location, what is due. While I report what I find, note it with update_maintenance_task (checklist_tick, completion_notes) or create_maintenance_task, and ask when a finding is unclear.`,
  },
  {
    name: "retire_asset",
    title: "Retire an asset",
    description: "Takes an asset out of use, with what depends on it.",
    arguments: [{ name: "asset", description: "Inventory number or id.", required: true }],
    text: ({ asset = "" }) =>
      `I want to retire the asset ${asset}. Read it with get_asset. Tell me its open tasks, its parts, its warranty and what it cost, and ask for the reason and the day. Then use update_asset_state with state deleted, first with dry_run. It keeps its history and can be restored; do not use force_delete_asset.`,
  },
  {
    name: "onboard_equipment",
    title: "Add new equipment",
    description: "Registers a delivery and plans its first maintenance.",
    arguments: [
      {
        name: "equipment",
        description: "What was delivered, as a list or a text.",
        required: true,
      },
      place,
    ],
    text: ({ equipment = "", workspace }) =>
      `Register this equipment${inPlace(workspace)}:\n\n${equipment}\n\nUse the categories that get_organization_stats shows. Show me a table of what you will create and ask for what is missing. Then use create_asset once with assets and a request_key, and propose inspections and services with their intervals; create them with create_maintenance_task and asset_ids when I agree.`,
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

/** The message of a prompt with its arguments; empty ones are as good as none. */
export function getPrompt(params: unknown) {
  const { name, arguments: given = {} } = isObject(params) ? params : {};
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined || !isObject(given)) {
    throw new RpcError("Invalid params: there is no such prompt", rpcCodes.invalidParams);
  }
  const values: Partial<Record<PromptArgument["name"], string>> = {};
  for (const { name: argument, required } of prompt.arguments) {
    const value = given[argument];
    if (typeof value === "string" && value.trim() !== "") values[argument] = value.trim();
    else if (required === true) {
      throw new RpcError(`Invalid params: ${argument} is missing`, rpcCodes.invalidParams);
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
