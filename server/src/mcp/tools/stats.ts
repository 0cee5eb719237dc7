import { z } from "zod";
import type { Tx } from "../../db/database.js";
import { todayOf } from "../../domain/access/clock.js";
import type { Caller } from "../../domain/access/caller.js";
import { findAttention, type AttentionEntry } from "../../domain/insight/attention.js";
import type { AttentionBand } from "../../domain/insight/reasons.js";
import { getWorkspace } from "../../domain/shared/workspace-references.js";
import { groupings } from "../../domain/insight/stats-request.js";
import { getGroupedStats, getStats } from "../../domain/insight/organization-stats.js";
import { ArgumentError } from "../mistakes.js";
import { defineTool, readOnly } from "../define-tool.js";
import { day, output, workspaceReference } from "../parameter-schemas.js";
import { viewUris } from "../views/views.js";

const count = z.int().optional();
const figure = z.number().optional();
const byCurrency = z.record(z.string(), z.number()).optional().describe("by currency");
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
    .optional(),
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
  cost: z
    .record(z.string(), z.record(z.string(), z.number()))
    .optional()
    .describe("by currency and task type"),
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

const work = {
  completed_tasks: count,
  cost: byCurrency,
  hours: figure,
  failures: count,
};

const group = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  ...work,
  on_time_percent: figure,
  planned_due: count,
  previous: z.object(work).optional(),
  open_tasks: count,
  overdue_tasks: count,
  estimated_hours: figure,
  assets: count,
  purchase_value: byCurrency,
});

const attention = z.object({
  reason: z.string(),
  days: count,
  failures: count,
  more: count,
  ...assetReference,
  workspace_name: z.string().optional(),
  task_number: z.string().optional(),
  task_title: z.string().optional(),
  priority: z.string().optional(),
  assigned_to: z.string().optional(),
  report: z.string().optional(),
});

const forQuarters = 'Use group_by "month" and add up three rows.';
const forAssets = "Leave group_by out and see top_cost_assets and top_failure_assets.";
const otherGroupings = {
  quarter: forQuarters,
  quarters: forQuarters,
  asset: forAssets,
  assets: forAssets,
  week: 'Use group_by "month", the shortest span.',
  year: 'Use group_by "month" and add up the rows.',
};

/** The name of the row without a workspace, category, assignee and so on. */
const unnamed = {
  workspace: "(no workspace)",
  category: "(no category)",
  assignee: "(no assignee)",
  completed_by: "(no one)",
  task_type: "(no task)",
  month: "",
};

const maxAttention = 20;
const maxReport = 200;

export const getOrganizationStatsTool = defineTool({
  name: "get_organization_stats",
  title: "Get organization statistics",
  description:
    'Counts and key figures: assets by state, category and workspace; tasks by state and due soon; cost; ending warranties; reliability. Use it for "how many" and overviews. A failure is a completed corrective task, or going out of service without one. mtbf_days = operating_days of all assets / failures; an operating day is a day in use or available.',
  scope: "mcp_read",
  annotations: readOnly,
  view: viewUris.attention,
  input: z.strictObject({
    workspace_id: workspaceReference.optional(),
    period_days: z
      .literal([30, 90, 365])
      .meta({ hint: 'For other spans use from and to with group_by, e.g. "month".' })
      .default(365)
      .describe("How many days back the figures go. For other spans use from and to."),
    group_by: z
      .enum(groupings)
      .meta({ hints: otherGroupings })
      .optional()
      .describe(
        "One row per group instead of the overview: work, cost, failures and on-time share of the period; open tasks, hours and assets as of now. assignee = assigned to, completed_by = did the work.",
      ),
    from: day().optional().describe("First day of the period; only with group_by."),
    to: day().optional().describe("Last day, at most today."),
    include: z
      .array(z.enum(["attention"]))
      .max(1)
      .optional()
      .describe("attention = also the 20 most pressing matters, ranked."),
  }),
  output: output({
    as_of: z.string(),
    today: z.string(),
    time_zone: z.string(),
    scope: z.string(),
    assets: assets.optional(),
    tasks: tasks.optional(),
    warranties: z.object({ ending_in_30_days: count, ending_in_90_days: count }).optional(),
    period: period.extend({ from: z.string().optional(), to: z.string().optional() }),
    people: z.object({ members: count, active_30_days: count, pending_invites: count }).optional(),
    workspaces: count,
    groups: z.array(group).optional().describe("previous = the equal span before."),
    groups_not_shown: count,
    attention: z.array(attention).optional(),
    attention_not_shown: count,
    attention_not_shown_capped: z.literal(true).optional(),
    attention_totals: z
      .object({ broken: count, late: count, unassigned: count, watch: count })
      .optional()
      .describe("all found; broken and watch count assets, others tasks"),
  }),
  handler: async ({ workspace_id: workspace, period_days: days, ...given }, { db, caller }) => {
    const { group_by: grouping, from, to, include = [] } = given;
    if (grouping === undefined && (from ?? to) !== undefined) {
      throw new ArgumentError(
        "from",
        'from and to only work with group_by. Add group_by "month" and add up its rows.',
      );
    }
    refuseFuture(todayOf(caller), { from, to });
    const [stats, matters] = await Promise.all([
      grouping === undefined
        ? readOverview(db, caller, { workspace, days })
        : readGroups(db, caller, { workspace, grouping, from, to, days }),
      include.length > 0 ? readAttention(db, caller, workspace) : null,
    ]);
    return { ...stats, ...matters };
  },
});

async function readOverview(...request: Parameters<typeof getStats>) {
  const stats = await getStats(...request);
  const places = stats.assets.by_workspace.map((row) => ({
    ...row,
    workspace_name: row.workspace_id === null ? unnamed.workspace : row.workspace_name,
  }));
  return { ...stats, assets: { ...stats.assets, by_workspace: places } };
}

async function readGroups(...request: Parameters<typeof getGroupedStats>) {
  const stats = await getGroupedStats(...request);
  const [, , { grouping }] = request;
  const groups = stats.groups.map((row) => ({
    ...row,
    name: row.id === null && row.name === null ? unnamed[grouping] : row.name,
  }));
  return { ...stats, groups };
}

/** Future days have no figures yet. */
function refuseFuture(today: string, days: { from: string | undefined; to: string | undefined }) {
  for (const [field, given] of Object.entries(days)) {
    if (given === undefined || given <= today) continue;
    throw new ArgumentError(
      field,
      `${field} ${given} is in the future. Use a day up to today, ${today}. For coming work use list_maintenance_tasks with due_from and due_to.`,
    );
  }
}

type BandTotals = Record<AttentionBand, number | null>;

async function readAttention(db: Tx, caller: Caller, workspace: string | undefined) {
  const place = workspace === undefined ? undefined : await getWorkspace(db, caller, workspace);
  const scope = { caller, workspaceId: place?.id };
  const found = await findAttention(db, { ...scope, limit: maxAttention });
  const { entries, total, isCapped, bands } = found;
  const totals = Object.entries(bands).map(([band, { total: all }]) => [band, all || null]);
  return {
    attention: entries.map(toAttention),
    attention_not_shown: total - entries.length || null,
    attention_not_shown_capped: isCapped ? (true as const) : null,
    attention_totals: total === 0 ? null : (Object.fromEntries(totals) as BandTotals),
  };
}

function toAttention({ reason, asset, workspace, task, report, ...entry }: AttentionEntry) {
  const { days, failures, more } = entry;
  return {
    reason,
    days,
    failures,
    more: more === 0 ? null : more,
    ...(asset !== null && {
      asset_id: asset.id,
      inventory_number: asset.inventory_number,
      name: asset.name,
    }),
    workspace_name: workspace?.name,
    ...(task !== null && {
      task_number: task.task_number,
      task_title: task.title,
      priority: task.priority,
      assigned_to: task.assigned_to,
    }),
    report: report && Array.from(report.description).slice(0, maxReport).join(""),
  };
}
