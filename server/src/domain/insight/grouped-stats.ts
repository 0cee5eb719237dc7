import type { Tx } from "../../db/database.js";
import { toPercent } from "../assets/reliability.js";
import { addDays, daysBetween, startOfDay, startsOfMonths } from "../shared/dates.js";
import {
  findGroupFigures,
  type Days,
  type GroupFigure,
  type GroupPeriod,
  type Kind,
} from "./group-figures.js";
import type { Grouping, StatsRequest } from "./stats-request.js";

interface Work {
  completed_tasks: number;
  cost: Record<string, number>;
  hours: number;
  failures: number;
}

export interface Group extends Work {
  /** Null without a workspace, category or person, or for failures without work. */
  id: string | null;
  name: string | null;
  /** Share of planned work due in the period. */
  on_time_percent: number | null;
  planned_due: number;
  /** The preceding period of equal length. Null by month, because the previous row shows it. */
  previous: Work | null;
  open_tasks: number | null;
  overdue_tasks: number | null;
  estimated_hours: number | null;
  assets: number | null;
  purchase_value: Record<string, number> | null;
}

export interface GroupedStats {
  groups: Group[];
  groups_not_shown: number;
}

interface Counted extends Group {
  planned_in_time: number;
}

const maxGroups = 100;

/**
 * Returns the figures of each group for a period and for the preceding period of equal length.
 * Skips the kinds in `without`.
 */
export async function groupStats(
  db: Tx,
  request: StatsRequest,
  grouping: Grouping,
  days: Days,
  without: readonly Kind[] = [],
): Promise<GroupedStats> {
  const { months, ...period } = toPeriod(request, grouping, days);
  const figures = await findGroupFigures(db, request, grouping, period, without);
  const groups = new Map<string | null, Counted>();
  for (const figure of figures) {
    const id = figure.group ?? months?.[figure.segment - 1] ?? null;
    const group = groups.get(id) ?? emptyGroup(id, grouping, figure.name);
    groups.set(id, group);
    const isBefore = months === undefined && figure.segment === 1;
    addFigure(group, isBefore ? group.previous : group, figure);
  }
  return show(grouping, [...groups.values()]);
}

/** Earlier work is not grouped. */
const firstDay = "1900-01-01";

/** The preceding period and the period, or one segment per month. */
function toPeriod(
  { caller: { timeZone } }: StatsRequest,
  grouping: Grouping,
  days: Days,
): GroupPeriod & { months?: string[] } {
  const from = days.from > firstDay ? days.from : firstDay;
  const until = days.to < from ? from : addDays(days.to, 1);
  const boundsOf = (starts: string[]) => starts.map((day) => startOfDay(timeZone, day));
  if (grouping === "month") {
    const starts = startsOfMonths(from, until);
    return {
      days,
      bounds: boundsOf([...starts, until]),
      months: starts.map((day) => day.slice(0, 7)),
    };
  }
  const span = Math.min(daysBetween(from, days.to) + 1, daysBetween(firstDay, from));
  const before = addDays(from, -span);
  return { days, bounds: boundsOf([before, from, until]) };
}

function addFigure(group: Counted, work: Work | null, figure: GroupFigure): void {
  const { kind, n, amount } = figure;
  if (kind === "planned") {
    group.planned_due += n;
    group.planned_in_time += figure.of === "in_time" ? n : 0;
  } else if (kind === "work" || kind === "cost" || kind === "failure") {
    if (work !== null) addWork(work, figure);
  } else if (kind === "purchase") {
    group.purchase_value = { ...group.purchase_value, [figure.of]: amount };
  } else if (kind === "asset") {
    group.assets = (group.assets ?? 0) + n;
  } else {
    addOpen(group, figure);
  }
}

function addWork(work: Work, { kind, of, n, amount }: GroupFigure): void {
  if (kind === "failure") work.failures += n;
  if (kind === "cost" && amount > 0) work.cost[of] = (work.cost[of] ?? 0) + amount;
  if (kind === "work") {
    work.completed_tasks += n;
    work.hours += amount / 60;
  }
}

function addOpen(group: Counted, { n, amount, is_late: isLate }: GroupFigure): void {
  group.open_tasks = (group.open_tasks ?? 0) + n;
  group.overdue_tasks = (group.overdue_tasks ?? 0) + (isLate ? n : 0);
  group.estimated_hours = (group.estimated_hours ?? 0) + amount / 60;
}

/** Returns the largest groups, or all months in order. */
function show(grouping: Grouping, groups: Counted[]): GroupedStats {
  const weight = ({ id, completed_tasks: done, open_tasks: open, assets }: Group) =>
    grouping === "month"
      ? -Number(id?.replace("-", ""))
      : (done + (open ?? 0)) * 1e9 + (assets ?? 0);
  const largestFirst = (left: Group, right: Group) => weight(right) - weight(left);
  const shown = groups.toSorted(largestFirst).slice(0, maxGroups);
  return {
    groups: shown
      .map(({ planned_in_time: inTime, ...group }) => ({
        ...group,
        hours: round(group.hours),
        previous: group.previous && { ...group.previous, hours: round(group.previous.hours) },
        estimated_hours: group.estimated_hours === null ? null : round(group.estimated_hours),
        on_time_percent: toPercent(inTime, group.planned_due),
      }))
      .toSorted(
        (left, right) =>
          largestFirst(left, right) || (left.name ?? "").localeCompare(right.name ?? ""),
      ),
    groups_not_shown: groups.length - shown.length,
  };
}

function emptyGroup(id: string | null, grouping: Grouping, name: string | null): Counted {
  const work = (): Work => ({ completed_tasks: 0, cost: {}, hours: 0, failures: 0 });
  return {
    id,
    name: grouping === "month" || grouping === "task_type" ? id : name,
    ...work(),
    planned_due: 0,
    planned_in_time: 0,
    on_time_percent: null,
    previous: grouping === "month" ? null : work(),
    open_tasks: null,
    overdue_tasks: null,
    estimated_hours: null,
    assets: null,
    purchase_value: null,
  };
}

function round(hours: number): number {
  return Math.round(hours * 10) / 10;
}
