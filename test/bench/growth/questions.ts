import type { SizedOrganization } from "./seed-sized.js";

/** A read of a tool: its name, its arguments and who asks. */
export interface Question {
  label: string;
  tool: string;
  args: Record<string, unknown>;
  by: keyof SizedOrganization;
  /** How many times its duration at the smallest size it may take. */
  most: number;
}

const flat = 3;
const free = 10;

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** What people ask of each list, statistic and record. */
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
    ask("assets, viewer", list, {}, viewer),
    ask("assets, critical, viewer", list, { criticality: "critical" }, viewer),
    ask("tasks", tasks, {}),
    ask("tasks of a type", tasks, { type: "calibration" }),
    ask("tasks due in 7 days", tasks, { due_from: day(0), due_to: day(6) }),
    ask("tasks overdue", tasks, { state: "overdue" }),
    ask("tasks completed last", tasks, { state: "completed", sort: "-completed_at" }),
    ask("tasks of a person", tasks, { assigned_to_user_id: `technician-5@${assets}.example.com` }),
    ask("tasks, words", tasks, { query: "replace filter" }, words),
    ask("tasks, viewer", tasks, {}, viewer),
    ask("history", history, {}),
    ask("history of an asset", history, { asset_id: assetId }),
    ask("history, frequent word", history, { query: "hall" }, words),
    ask("history, rare words", history, { query: "vibrates" }, words),
    ask("history of a type", history, { event_types: ["task_completed"] }),
    ask("history of a field", history, { field: "condition" }),
    ask("history of a workspace", history, { workspace_id: "Site 3" }),
    ask("history of a day", history, { from: day(-3), to: day(-3) }),
    ask("history, viewer", history, {}, viewer),
    ask("history of a field, viewer", history, { field: "condition" }, viewer),
    ask("statistics", "get_organization_stats", {}, words),
    ask("statistics, viewer", "get_organization_stats", {}, { ...viewer, ...words }),
    ask("people", "list_users", {}),
    ask("workspaces", "list_workspaces", {}),
  ];
}
