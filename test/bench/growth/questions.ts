import { groupings } from "../../../server/src/domain/insight/stats-request.js";
import type { SizedOrganization } from "./seed-sized.js";

export interface Question {
  label: string;
  tool: string;
  args: Record<string, unknown>;
  by: keyof SizedOrganization;
  /** Maximum duration, as a multiple of the duration at the smallest size. */
  most: number;
}

const flat = 3;
const free = 10;

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

export function questionsAbout(assetId: string, assets: number): Question[] {
  const ask = (
    label: string,
    tool: string,
    args: Record<string, unknown>,
    { by = "owner", most = flat }: Partial<Pick<Question, "by" | "most">> = {},
  ): Question => ({ label, tool, args, by, most });
  const list = "list_assets";
  const tasks = "list_maintenance_tasks";
  const history = "search_asset_history";
  const stats = "get_organization_stats";
  const span = { from: day(-200), to: day(-20) };
  const viewer = { by: "viewer" } as const;
  const words = { most: free };
  return [
    ask("asset", "get_asset", { asset_id: assetId }),
    ask("assets", list, {}),
    ask("assets by newest", list, { sort: "-created_at" }),
    ask("assets, word of 4 %", list, { query: "pump" }, words),
    ask("assets, word of all", list, { query: "unit" }, words),
    ask("assets, part of a number", list, { query: "00007" }, words),
    ask("assets, two letters", list, { query: "pu" }, words),
    ask("assets in a state", list, { state: "out_of_service" }),
    ask("assets, critical", list, { criticality: "critical" }),
    ask("assets, tag of 1 %", list, { tag: "rented" }),
    ask("assets, warranty ends", list, {
      warranty_expires_from: day(0),
      warranty_expires_before: day(30),
      sort: "warranty_expires_on",
    }),
    ask("assets updated since yesterday", list, { updated_since: day(-1) }),
    ask("assets of a workspace", list, { workspace_id: "Site 3" }),
    ask("assets of a category", list, { category: "Category 7" }),
    ask("assets of two states", list, { state: ["out_of_service", "in_maintenance"] }),
    ask("assets, high or critical", list, { criticality: ["high", "critical"] }),
    ask("unassigned assets", list, { assigned_to_user_id: "none" }),
    ask("assets without open tasks", list, { without_open_tasks: true }),
    ask("assets with overdue tasks", list, { overdue: true }),
    ask("assets not seen for a year", list, { not_seen_since: day(-365) }),
    ask("assets retired", list, { state: "deleted" }),
    ask("assets, viewer", list, {}, viewer),
    ask("assets, critical, viewer", list, { criticality: "critical" }, viewer),
    ask("assets with overdue tasks, viewer", list, { overdue: true }, viewer),
    ask("assets not seen, viewer", list, { not_seen_since: day(-365) }, viewer),
    ask("tasks", tasks, {}),
    ask("tasks of a type", tasks, { type: "calibration" }),
    ask("tasks due in 7 days", tasks, { due_from: day(0), due_to: day(6) }),
    ask("tasks overdue", tasks, { state: "overdue" }),
    ask("tasks completed last", tasks, { state: "completed", sort: "-completed_at" }),
    ask("tasks completed this month", tasks, { completed_from: day(-30) }),
    ask("tasks completed, by time", tasks, { completed_from: day(-30), sort: "-completed_at" }),
    ask("tasks completed in a year", tasks, { completed_from: day(-400), completed_to: day(-35) }),
    ask("tasks of two states", tasks, { state: ["in_progress", "overdue"] }),
    ask("tasks of two types", tasks, { state: "open", type: ["calibration", "corrective"] }),
    ask("tasks, urgent", tasks, { state: "open", priority: "urgent" }),
    ask("tasks of a workspace", tasks, { workspace_id: "Site 3", state: "open" }),
    ask("tasks updated last", tasks, { sort: "-updated_at" }),
    ask("tasks of a person", tasks, { assigned_to_user_id: `technician-5@${assets}.example.com` }),
    ask("tasks, words", tasks, { query: "replace filter" }, words),
    ask("tasks, viewer", tasks, {}, viewer),
    ask("tasks completed this month, viewer", tasks, { completed_from: day(-30) }, viewer),
    ask("task", "get_maintenance_task", { task_id: "T-118" }),
    ask("history", history, {}),
    ask("history of an asset", history, { asset_id: assetId }),
    ask("history, frequent word", history, { query: "hall" }, words),
    ask("history, rare words", history, { query: "vibrates" }, words),
    ask("history of a type", history, { event_types: ["task_completed"] }),
    ask("history of a field", history, { field: "condition" }),
    ask("history of an app", history, { client: "curs" }),
    ask("history by assistants", history, { source: "mcp" }),
    ask("history of a person", history, { actor_user_id: `technician-5@${assets}.example.com` }),
    ask("history of two types", history, { event_types: ["note_added", "task_completed"] }),
    ask("history of a workspace", history, { workspace_id: "Site 3" }),
    ask("history of a day", history, { from: day(-3), to: day(-3) }),
    ask("history, viewer", history, {}, viewer),
    ask("history of a field, viewer", history, { field: "condition" }, viewer),
    ask("statistics", stats, {}, words),
    ask("statistics, viewer", stats, {}, { ...viewer, ...words }),
    ask("statistics of a workspace", stats, { workspace_id: "Site 3" }, words),
    ask("needs attention", stats, { include: ["attention"] }, words),
    ask("needs attention, viewer", stats, { include: ["attention"] }, { ...viewer, ...words }),
    ...groupings.map((group_by) => ask(`statistics by ${group_by}`, stats, { group_by }, words)),
    ...groupings.map((group_by) =>
      ask(`statistics by ${group_by}, viewer`, stats, { group_by }, { ...viewer, ...words }),
    ),
    ask("statistics by category, days", stats, { group_by: "category", ...span }, words),
    ask("current user", "get_current_user", {}),
    ask("people", "list_users", {}),
    ask("inactive people", "list_users", { inactive_since: day(-30) }),
    ask("workspaces", "list_workspaces", {}),
  ];
}
