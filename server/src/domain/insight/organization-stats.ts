import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { checkDayRange } from "../shared/time-ranges.js";
import { addDays, toTimestamp, daysBetween } from "../shared/dates.js";
import { omit } from "../shared/omit.js";
import { getWorkspace } from "../shared/workspace-references.js";
import { countByCategory, countByWorkspace, describeAssets } from "./asset-stats.js";
import { sumFigures, type Figures } from "./figures.js";
import { countPendingInvites, countPeople, countWorkspaces } from "./people-stats.js";
import { groupStats } from "./grouped-stats.js";
import { describePeriod } from "./period-stats.js";
import { scopeOf, toStatsRequest, type Grouping } from "./stats-request.js";
import { findCostlyAssets, findFailingAssets } from "./top-assets.js";
import type { TaskState } from "../../db/entities/tasks.js";

const isFinished = (state: string) => state === "completed" || state === "cancelled";

/**
 * Counts and key figures of everything the caller sees, or of one workspace. Uses narrow statements
 * in parallel. `docs/figures.md` defines each figure.
 */
export async function getStats(
  db: Tx,
  caller: Caller,
  { workspace, days }: { workspace: string | undefined; days: number },
) {
  const place = workspace === undefined ? undefined : await getWorkspace(db, caller, workspace);
  const request = toStatsRequest(caller, place?.id, days);
  const [
    figuresOf,
    categories,
    places,
    top_failure_assets,
    top_cost_assets,
    people,
    pending_invites,
    workspaces,
  ] = await Promise.all([
    sumFigures(db, request),
    countByCategory(db, request),
    countByWorkspace(db, request),
    findFailingAssets(db, request),
    findCostlyAssets(db, request),
    countPeople(db, request),
    countPendingInvites(db, request),
    countWorkspaces(db, request),
  ]);
  const figures = figuresOf(0);
  const { purchase_value, ...assets } = describeAssets(figures);
  const { ending_in_30_days, ending_in_90_days, created } = assets;
  return {
    as_of: toTimestamp(request.now),
    today: request.today,
    time_zone: caller.timeZone,
    scope: scopeOf(request),
    assets: {
      ...omit(assets, "ending_in_30_days", "ending_in_90_days", "created"),
      by_category: categories.groups,
      categories_not_shown: categories.not_shown || null,
      by_workspace: places.groups,
      workspaces_not_shown: places.not_shown || null,
      purchase_value,
    },
    tasks: describeTasks(figures, request.today),
    warranties: { ending_in_30_days, ending_in_90_days },
    period: {
      days,
      created_assets: created,
      ...omit(describePeriod(figures, days), "down_hours"),
      top_failure_assets,
      top_cost_assets,
    },
    people: { ...people, pending_invites },
    workspaces,
  };
}

interface GroupedRequest {
  workspace: string | undefined;
  grouping: Grouping;
  /** Default: the last `days` days until today. */
  from: string | undefined;
  to: string | undefined;
  days: number;
}

export async function getGroupedStats(
  db: Tx,
  caller: Caller,
  { workspace, grouping, days, ...given }: GroupedRequest,
) {
  const place = workspace === undefined ? undefined : await getWorkspace(db, caller, workspace);
  const request = toStatsRequest(caller, place?.id, days);
  const { today } = request;
  const to = given.to ?? today;
  const from = given.from ?? addDays(to, 1 - days);
  checkDayRange(["from", from], ["to", to]);
  const { groups, groups_not_shown } = await groupStats(db, request, grouping, { from, to });
  return {
    as_of: toTimestamp(request.now),
    today,
    time_zone: caller.timeZone,
    scope: scopeOf(request),
    period: { from, to },
    groups,
    groups_not_shown: groups_not_shown || null,
  };
}

/** The period of the key figures on all pages, so that pages agree. */
export const keyDays = 90;
/** Availability and the time between failures mean nothing sooner after the first asset. */
const meaningfulDays = 30;

/**
 * Key figures of everything the caller sees or of one workspace, for the last days and the
 * preceding period. Defined as in `getStats`.
 */
export async function getKeyFigures(
  db: Tx,
  caller: Caller,
  { days = keyDays, workspaceId }: { days?: number; workspaceId?: string | undefined } = {},
) {
  const request = toStatsRequest(caller, workspaceId, days);
  const figuresOf = await sumFigures(db, request, 2);
  const figures = figuresOf(0);
  const since = figures.firstDay(["up", "down"]);
  const isYoung = since === undefined || daysBetween(since, request.today) < meaningfulDays;
  return {
    scope: scopeOf(request),
    assets: describeAssets(figures),
    tasks: describeTasks(figures, request.today),
    days,
    period: {
      ...describePeriod(figures, days),
      ...(isYoung && { mtbf_days: null, availability_percent: null }),
    },
    before: describePeriod(figuresOf(1), days),
  };
}

export type KeyFigures = Awaited<ReturnType<typeof getKeyFigures>>;

/** Counts tasks by displayed state. The counts add up to all tasks. */
function describeTasks(figures: Figures, today: string) {
  // Finished tasks are stored under the earliest possible day.
  const overdue = figures.count("task", ["past"], (state) => !isFinished(state));
  const upcoming = ["today", "week", "month", "quarter", "later"] as const;
  const inState = (name: TaskState) =>
    figures.count("task", isFinished(name) ? undefined : upcoming, (state) => state === name);
  const firstDay = figures.firstDay(["task"], ["past"], (state) => !isFinished(state));
  return {
    total: figures.count("task"),
    by_state: {
      scheduled: inState("scheduled"),
      in_progress: inState("in_progress"),
      on_hold: inState("on_hold"),
      overdue,
      completed: inState("completed"),
      cancelled: inState("cancelled"),
    },
    due_today: figures.count("task", ["today"]),
    due_in_7_days: figures.count("task", ["today", "week"]),
    due_in_30_days: figures.count("task", ["today", "week", "month"]),
    unassigned_open: figures.count("assigned_task"),
    oldest_overdue_days: firstDay === undefined ? null : daysBetween(firstDay, today),
  };
}
