import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { nowOf, todayOf } from "../access/clock.js";
import type { Parameters } from "../../db/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";

export const groupings = [
  "workspace",
  "category",
  "assignee",
  "completed_by",
  "task_type",
  "month",
] as const;
export type Grouping = (typeof groupings)[number];

export interface StatsRequest {
  caller: Caller;
  /** A workspace visible to the caller. Undefined means everything visible to the caller. */
  workspaceId: string | undefined;
  days: number;
  now: Date;
  today: string;
}

export function toStatsRequest(
  caller: Caller,
  workspaceId: string | undefined,
  days: number,
): StatsRequest {
  return { caller, workspaceId, days, now: nowOf(caller), today: todayOf(caller) };
}

export type StatsScope = "organization" | "your_workspaces" | "workspace";

export function scopeOf({ caller, workspaceId }: StatsRequest): StatsScope {
  if (workspaceId !== undefined) return "workspace";
  return isOrganizationAdmin(caller) ? "organization" : "your_workspaces";
}

export function isCounted(request: StatsRequest, parameters: Parameters, thing: string): string {
  const { caller, workspaceId } = request;
  if (workspaceId === undefined) return visibleAssetSql(caller, parameters, thing);
  return `${thing}.workspace_id = ${parameters.add(workspaceId)}`;
}

export function addToday({ today }: StatsRequest, { add }: Parameters): string {
  return `${add(today)}::date`;
}

export function addFrom({ now, days }: StatsRequest, { add }: Parameters): string {
  return `${add(new Date(now.getTime() - days * 86_400_000))}::timestamptz`;
}
