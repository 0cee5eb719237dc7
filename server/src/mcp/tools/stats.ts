import { z } from "zod";
import { getStats } from "../../domain/stats/organization-stats.js";
import { defineTool, readOnly } from "../define-tool.js";
import { output, text } from "../parameter-schemas.js";

const count = z.int().optional();
const figure = z.number().optional();
const byCurrency = z.record(z.string(), z.number()).optional();
const assetReference = {
  asset_id: z.string().optional(),
  inventory_number: z.string().optional(),
  name: z.string().optional(),
};

const assets = z.object({
  total: count,
  deleted: count,
  by_state: z
    .object({
      available: count,
      in_use: count,
      in_maintenance: count,
      out_of_service: count,
      stored: count,
    })
    .optional(),
  by_criticality: z.object({ critical: count, high: count, medium: count, low: count }).optional(),
  by_category: z.array(z.object({ category: z.string(), assets: z.int() })).optional(),
  categories_not_shown: count,
  by_workspace: z
    .array(
      z.object({
        workspace_id: z.string().optional(),
        workspace_name: z.string().optional(),
        assets: z.int(),
        overdue_tasks: z.int(),
      }),
    )
    .optional()
    .describe("The row without a name is what is not placed."),
  workspaces_not_shown: count,
  unassigned: count,
  not_placed: count,
  purchase_value: byCurrency,
});

const tasks = z.object({
  total: count,
  by_state: z
    .object({
      scheduled: count,
      in_progress: count,
      on_hold: count,
      overdue: count,
      completed: count,
      cancelled: count,
    })
    .optional(),
  due_today: count,
  due_in_7_days: count,
  due_in_30_days: count,
  unassigned_open: count,
  oldest_overdue_days: count,
});

const period = z.object({
  days: count,
  created_assets: count,
  completed_tasks: count,
  cost: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  pm_compliance_percent: figure,
  pm_tasks_due: count,
  failures: count,
  operating_days: figure,
  mtbf_days: figure,
  mttr_hours: figure,
  mttr_tasks: count,
  availability_percent: figure,
  availability_assets: count,
  top_cost_assets: z.array(z.object({ ...assetReference, cost: byCurrency })).optional(),
  top_failure_assets: z.array(z.object({ ...assetReference, failures: count })).optional(),
});

export const getOrganizationStatsTool = defineTool({
  name: "get_organization_stats",
  title: "Get organization statistics",
  description:
    'Counts and key figures in one call: assets by state, workspace and category; tasks by state, overdue, due soon; cost; warranties ending; reliability. Use it for "how many" and "overview" questions.',
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    workspace_id: text({ max: 100 }).optional().describe("Only this workspace (id or exact name)."),
    period_days: z
      .literal([30, 90, 365])
      .default(365)
      .describe("Look-back for cost, completion and reliability figures."),
  }),
  output: output({
    as_of: z.string(),
    today: z.string(),
    time_zone: z.string(),
    scope: z.string(),
    assets,
    tasks,
    warranties: z.object({ ending_in_30_days: count, ending_in_90_days: count }),
    period,
    people: z.object({ members: count, active_30_days: count, pending_invites: count }),
    workspaces: z.int(),
  }),
  handler: ({ workspace_id, period_days }, { db, caller }) =>
    getStats(db.manager, caller, { workspace: workspace_id, days: period_days }),
});
