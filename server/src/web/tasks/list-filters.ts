import type { TaskType } from "../../db/entities/tasks.js";
import type { Caller } from "../../domain/access/caller.js";
import type { TaskListState } from "../../domain/tasks/task-filters.js";
import type { TaskListing, TaskSort } from "../../domain/tasks/task-queries.js";
import { t, translated } from "../../language/translate.js";
import { choiceField, dayField, readForm, textField } from "../forms/form-fields.js";
import { personField } from "../forms/person-choice.js";
import { readFilterText, renameFilter, toListQuery } from "../lists/list-query.js";
import type { ListFilters } from "../lists/list-route.js";
import { lastDayOfWeek } from "../text/format.js";
import { choicesOf, priorityLabels, taskTypeLabels } from "../text/value-labels.js";

/** The state filters of the list, in their order on the page. */
export const stateFilterLabels: Record<TaskListState, string> = translated({
  open: "Open||tasks",
  overdue: "Overdue",
  scheduled: "Scheduled",
  in_progress: "In progress",
  on_hold: "On hold",
  completed: "Completed",
  cancelled: "Cancelled",
  all: "Open and finished",
});

export const sortLabels: Record<TaskSort, string> = translated({
  urgency: "Urgency",
  due_date: "Earliest due",
  "-due_date": "Latest due",
  "-completed_at": "Last completed",
  "-updated_at": "Last changed",
});

/** Work that can be on time, as `in_time.sql` defines it. */
const plannedTypes: readonly TaskType[] = [
  "preventive",
  "inspection",
  "calibration",
  "compliance_test",
];

const filterFields = {
  q: textField("Search"),
  state: choiceField("State", choicesOf(stateFilterLabels)),
  workspace_id: textField("Workspace"),
  assignee: personField("Assignee"),
  type: choiceField("Type", ["planned", "planned_due", ...choicesOf(taskTypeLabels)]),
  priority: choiceField("Priority", choicesOf(priorityLabels)),
  due_from: dayField("Due from"),
  due_to: dayField("Due to"),
  completed_from: dayField("Completed from"),
  completed_to: dayField("Completed to"),
  sort: choiceField("Sort", choicesOf(sortLabels)),
  cursor: textField("Page"),
};

export type FilterName = keyof typeof filterFields;

export type ReadFilters = ListFilters<FilterName, TaskListing>;

const rowsOnPage = 30;

/** Reads the list's query. By default, lists open tasks. */
export function readFilters(caller: Caller, query: unknown): ReadFilters {
  const { values, given, errors } = readForm(renameFilter(query), filterFields);
  const text = (name: "q" | "workspace_id" | "assignee", max: number) =>
    readFilterText(given[name], { field: name, label: filterFields[name].label(), max }, errors);
  const { completed_from, completed_to, state: asked = "open" } = given;
  const state = (completed_from ?? completed_to) === undefined ? asked : "completed";
  const listing: TaskListing = {
    state,
    query: text("q", 200),
    workspace_id: text("workspace_id", 100),
    assigned_to_user_id: text("assignee", 254),
    type: given.type === "planned" || given.type === "planned_due" ? plannedTypes : given.type,
    is_rated: given.type === "planned_due" ? true : undefined,
    priority: given.priority,
    due_from: given.due_from,
    due_to: given.due_to,
    completed_from,
    completed_to,
    sort: given.sort ?? "urgency",
    limit: rowsOnPage,
    cursor: given.cursor,
  };
  const isMe = values.assignee.trim().toLowerCase() === "me";
  const assignee = isMe ? caller.userId : values.assignee;
  return { values: { ...values, assignee, state }, listing, errors };
}

/** The default filters. */
export const usual: Partial<Record<FilterName, string>> = { state: "open", sort: "urgency" };

/** The query of the list with these filters, without its cursor and default filters. */
export function toQuery(values: Partial<Record<FilterName, string>>): URLSearchParams {
  return toListQuery(values, usual);
}

/** True if a filter other than the state is set. */
export function isNarrowed({ values }: ReadFilters): boolean {
  return toQuery({ ...values, state: "", sort: "" }).size > 0;
}

export interface QuickView {
  label: string;
  query: URLSearchParams;
}

export function quickViews(caller: Caller, today: string): QuickView[] {
  const week = { due_from: today, due_to: lastDayOfWeek(today) };
  const open = { label: t("Open||tasks"), query: toQuery({}) };
  const mine = { label: t("Mine"), query: toQuery({ assignee: caller.userId }) };
  return [
    ...(caller.organizationRole === "member" ? [mine, open] : [open, mine]),
    { label: t("Overdue||tasks"), query: toQuery({ state: "overdue" }) },
    { label: t("Due within 7 days"), query: toQuery(week) },
    { label: t("Done||tasks"), query: toQuery({ state: "completed", sort: "-completed_at" }) },
  ];
}
