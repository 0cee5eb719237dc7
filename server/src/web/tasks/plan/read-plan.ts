import type { FastifyRequest } from "fastify";
import type { Caller } from "../../../domain/access/caller.js";
import { todayOf } from "../../../domain/access/clock.js";
import { findPlacesWithRole, type WorkspaceRef } from "../../../domain/access/roles.js";
import { getWorkingTime } from "../../../domain/people/working-time.js";
import { findForecast, forecastDays, type Forecast } from "../../../domain/tasks/plan-forecast.js";
import { findDueDays, type DueDay } from "../../../domain/tasks/plan-days.js";
import { findLoad, noLoad, type PlanLoad } from "../../../domain/tasks/plan-load.js";
import { unlessTooSlow } from "../../../db/query-errors.js";
import { listTasks, type TaskPage } from "../../../domain/tasks/task-queries.js";
import { addDays } from "../../../domain/shared/dates.js";
import { findWorkspaceChoices } from "../../../domain/organizations/workspace-choices.js";
import { personOptions } from "../../forms/choices.js";
import { toNamedOptions, type Option } from "../../forms/controls.js";
import { toFormErrors } from "../../forms/form-errors.js";
import { choiceField, dayField, readForm, textField } from "../../forms/form-fields.js";
import { personField } from "../../forms/person-choice.js";
import type { FormError } from "../../layout/error-summary.js";
import { renameFilter, toListQuery } from "../../lists/list-query.js";
import { choicesOf, taskTypeLabels } from "../../text/value-labels.js";
import { planViews, toWindow, type PlanWindow } from "./plan-window.js";

export const planAddress = "/plan";

const filterFields = {
  view: choiceField("View", planViews),
  from: dayField("From"),
  workspace_id: textField("Workspace"),
  assignee: personField("Assignee"),
  type: choiceField("Type", choicesOf(taskTypeLabels)),
  /** These two are truncated unless all is requested. */
  overdue: choiceField("Overdue", ["all"]),
  load: choiceField("Load", ["all"]),
};
type PlanValues = Partial<Record<keyof typeof filterFields, string>>;

/** No one reads more on one page. Links lead to the rest. */
const maxOverdue = { first: 8, all: 100 };
export const maxOfDay = { week: 17, month: 3 };

export interface Plan {
  window: PlanWindow;
  /** As requested, to show them again. */
  values: PlanValues;
  errors: FormError[];
  today: string;
  /** Undefined if nothing before the period is overdue. */
  overdue: TaskPage | undefined;
  /** By day. These three are undefined if there is too much data to read in time. */
  due: ReadonlyMap<string, DueDay> | undefined;
  load: PlanLoad | undefined;
  forecast: Forecast | undefined;
  workspaces: readonly Option[];
  people: readonly Option[];
  mayChange: (place: WorkspaceRef) => boolean;
  /** ISO weekdays of the organization. */
  workingDays: readonly number[];
}

export async function readPlan(request: FastifyRequest, caller: Caller): Promise<Plan> {
  const { values, given, errors } = readForm(renameFilter(request.query), filterFields);
  const db = request.db;
  const today = todayOf(caller);
  const window = toWindow(given.view ?? "week", given.from ?? today, today);
  const filters = {
    workspace_id: given.workspace_id,
    assigned_to_user_id: given.assignee,
    type: given.type,
  };
  const [found, workspaces, people, mayChange, { usual }] = await Promise.all([
    findWork(request, caller, window, {
      filters,
      overdueAtMost: maxOverdue[given.overdue ?? "first"],
    }).catch((error: unknown) => {
      errors.push(...toFormErrors(error));
      return { overdue: undefined, due: new Map(), load: noLoad, forecast: undefined };
    }),
    findWorkspaceChoices(db, caller),
    personOptions(db, caller),
    findPlacesWithRole(db, caller, "member"),
    getWorkingTime(db, caller),
  ]);
  return {
    window,
    values,
    errors,
    today,
    people,
    mayChange,
    workingDays: usual.working_days,
    workspaces: toNamedOptions(workspaces),
    ...found,
  };
}

type Filters = Parameters<typeof findForecast>[2];

async function findWork(
  { db, server }: FastifyRequest,
  caller: Caller,
  { view, firstDay, to, spans, hasOverdue }: PlanWindow,
  { filters, overdueAtMost }: { filters: Filters; overdueAtMost: number },
): Promise<Pick<Plan, "overdue" | "due" | "load" | "forecast">> {
  const today = todayOf(caller);
  const days = { from: firstDay, to };
  const late = { ...filters, state: "overdue", sort: "due_date", limit: overdueAtMost } as const;
  const [overdue, due, load, forecast] = await Promise.all([
    hasOverdue ? listTasks(db, caller, late, server.services.cursors) : undefined,
    unlessTooSlow(findDueDays(db, caller, filters, { ...days, atMost: maxOfDay[view] })),
    unlessTooSlow(
      findLoad(
        db,
        caller,
        { ...filters, state: "open", due_to: to, ...(!hasOverdue && { due_from: firstDay }) },
        spans.map(({ from }) => from),
      ),
    ),
    !isForeseen(to, today) ? undefined : unlessTooSlow(findForecast(db, caller, filters, days)),
  ]);
  return { overdue, due, load, forecast };
}

/** True if recurring work is forecast for a period with this end. */
export function isForeseen(to: string, today: string): boolean {
  return to >= today && to <= addDays(today, forecastDays);
}

export function toPlanAddress(values: PlanValues, changed: PlanValues = {}): string {
  const query = toListQuery({ ...values, ...changed }, { view: "week" }).toString();
  return query === "" ? planAddress : `${planAddress}?${query}`;
}
