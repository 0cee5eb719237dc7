import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { nowOf, todayOf } from "../access/clock.js";
import { toTimestamp } from "../values/dates.js";
import { unlessTooSlow } from "../sql/query-errors.js";
import { omit } from "../values/omit.js";
import { getWorkspace } from "../references/workspace-references.js";
import { countAssets, countByCategory, countByWorkspace, sumPurchases } from "./asset-stats.js";
import { findFailures } from "./failure-stats.js";
import { countPendingInvites, countPeople, countWorkspaces } from "./people-stats.js";
import { scopeOf, type StatsRequest } from "./stats-request.js";
import { countTasks } from "./task-stats.js";
import { findCostlyAssets, countPlannedWork, sumWork } from "./work-stats.js";

/**
 * Counts and key figures of what the caller sees, or of one workspace. Narrow statements side by
 * side; `server/OPERATING.md` says how each figure is defined.
 */
export async function getStats(
  db: EntityManager,
  caller: Caller,
  { workspace, days }: { workspace: string | undefined; days: number },
) {
  const place = workspace === undefined ? undefined : await getWorkspace(db, caller, workspace);
  const now = nowOf(caller);
  const today = todayOf(caller);
  const request: StatsRequest = { caller, workspaceId: place?.id, days, now, today };
  const [assets, tasks, period, people, workspaces] = await Promise.all([
    describeAssets(db, request),
    countTasks(db, request),
    describePeriod(db, request),
    describePeople(db, request),
    countWorkspaces(db, request),
  ]);
  const { ending_in_30_days, ending_in_90_days, created } = assets;
  return {
    as_of: toTimestamp(now),
    today,
    time_zone: caller.timeZone,
    scope: scopeOf(request),
    assets: omit(assets, "ending_in_30_days", "ending_in_90_days", "created"),
    tasks,
    warranties: { ending_in_30_days, ending_in_90_days },
    period: { days, created_assets: created, ...period },
    people,
    workspaces,
  };
}

/**
 * The few figures of a start page, over the last days; defined as in `getStats`. Those of the period
 * are missing where there is too much to add up in time.
 */
export async function getKeyFigures(db: EntityManager, caller: Caller, { days }: { days: number }) {
  const request: StatsRequest = {
    caller,
    workspaceId: undefined,
    days,
    now: nowOf(caller),
    today: todayOf(caller),
  };
  const [assets, tasks, period] = await Promise.all([
    countAssets(db, request),
    countTasks(db, request),
    unlessTooSlow(describeKeyPeriod(db, request)),
  ]);
  return { scope: scopeOf(request), assets, tasks, days, period };
}

async function describeKeyPeriod(db: EntityManager, request: StatsRequest) {
  const [work, planned, failures] = await Promise.all([
    sumWork(db, request),
    countPlannedWork(db, request),
    findFailures(db, request),
  ]);
  return { ...work, ...planned, ...failures };
}

export type KeyFigures = Awaited<ReturnType<typeof getKeyFigures>>;

async function describeAssets(db: EntityManager, request: StatsRequest) {
  const [counts, by_category, by_workspace, purchase_value] = await Promise.all([
    countAssets(db, request),
    countByCategory(db, request),
    countByWorkspace(db, request),
    sumPurchases(db, request),
  ]);
  return { ...counts, by_category, by_workspace, purchase_value };
}

async function describePeriod(db: EntityManager, request: StatsRequest) {
  const [work, planned, failures, top_cost_assets] = await Promise.all([
    sumWork(db, request),
    countPlannedWork(db, request),
    findFailures(db, request),
    findCostlyAssets(db, request),
  ]);
  return { ...work, ...planned, ...failures, top_cost_assets };
}

async function describePeople(db: EntityManager, request: StatsRequest) {
  const [people, pending_invites] = await Promise.all([
    countPeople(db, request),
    countPendingInvites(db, request),
  ]);
  return { ...people, pending_invites };
}
