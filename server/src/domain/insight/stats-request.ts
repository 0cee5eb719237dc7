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

/** What figures are asked for: whose, where, and how far back. */
export interface StatsRequest {
  caller: Caller;
  /** One that the caller sees; without it, everything that they see. */
  workspaceId: string | undefined;
  days: number;
  now: Date;
  /** In the organization's time zone. */
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

/** `thing` is the alias of a row with a workspace: whether the figures are about it. */
export function isCounted(request: StatsRequest, parameters: Parameters, thing: string): string {
  const { caller, workspaceId } = request;
  if (workspaceId === undefined) return visibleAssetSql(caller, parameters, thing);
  return `${thing}.workspace_id = ${parameters.add(workspaceId)}`;
}

export function addToday({ today }: StatsRequest, { add }: Parameters): string {
  return `${add(today)}::date`;
}

/** When the period begins. */
export function addFrom({ now, days }: StatsRequest, { add }: Parameters): string {
  return `${add(new Date(now.getTime() - days * 86_400_000))}::timestamptz`;
}
