import {
  amount,
  bigint,
  currency,
  decimal,
  flag,
  instant,
  instantNow,
  integer,
  json,
  oneOf,
  text,
  texts,
  day,
  bytes,
  citext,
} from "../columns.js";
import { columnsOf, field } from "../fields.js";
import { table, type Row } from "../table.js";
import type { AssetState, Criticality } from "./assets.js";

export const taskTypes = [
  "inspection",
  "preventive",
  "condition_based",
  "corrective",
  "calibration",
  "compliance_test",
  "improvement",
  "other",
] as const;
export type TaskType = (typeof taskTypes)[number];

export const taskPriorities = ["low", "medium", "high", "urgent"] as const;
export type TaskPriority = (typeof taskPriorities)[number];

export const taskStates = [
  "scheduled",
  "in_progress",
  "on_hold",
  "completed",
  "cancelled",
] as const;
export type TaskState = (typeof taskStates)[number];

/** Maintenance activities (ISO 14224). */
const taskActivities = [
  "replace",
  "repair",
  "modify",
  "adjust",
  "refit",
  "check",
  "service",
  "test",
  "inspect",
  "overhaul",
  "other",
] as const;
export type TaskActivity = (typeof taskActivities)[number];

const failureCauses = [
  "design",
  "installation",
  "operation",
  "wear",
  "external",
  "management",
  "unknown",
] as const;
export type FailureCause = (typeof failureCauses)[number];

/** Fields of planned work, in the order of the tools' parameters. */
export const plannedFields = {
  title: field.text({ max: 200, required: true }),
  description: field.text({ max: 10_000, multiline: true }),
  type: field.choice(taskTypes, { required: true }),
  priority: field.choice(taskPriorities, { required: true, default: "medium" }),
  due_date: field.day(),
  assigned_to_user_id: field.reference({ max: 254 }),
  estimated_minutes: field.minutes(),
  requires_downtime: field.flag(),
};

export const completionFields = {
  completion_notes: field.text({ max: 10_000, multiline: true }),
  labor_cost: field.amount({ clearable: false }),
  parts_cost: field.amount({ clearable: false }),
  other_cost: field.amount({ clearable: false }),
  actual_minutes: field.minutes({ clearable: false }),
  downtime_minutes: field.minutes({ clearable: false }),
  activity: field.choice(taskActivities, { clearable: false }),
  failure_cause: field.choice(failureCauses, { clearable: false }),
};

export const taskFields = { ...plannedFields, ...completionFields };

export const MaintenanceTask = table(
  "maintenance_tasks",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    /** Shown as "T-118". */
    task_number: bigint(),
    /** The asset's workspace, maintained by a trigger. */
    workspace_id: text().nullable().references("workspaces", "RESTRICT"),
    /** Null for work on a place. */
    asset_id: text().nullable().references("assets", "RESTRICT"),
    plan_id: text().nullable().references("maintenance_plans", "RESTRICT"),
    /** Number of the plan's occurrence, from 1. */
    occurrence: integer().nullable(),
    /** The total usage at which the task is due. */
    due_usage: decimal(16).nullable(),
    /** The procedure whose steps it copied, and the version. */
    procedure_id: text().nullable().references("procedures", "RESTRICT"),
    procedure_version: integer().nullable(),
    ...columnsOf(taskFields),
    /** The stored state. "overdue" is computed. */
    state: oneOf(taskStates).default("scheduled"),
    /** True while the asset is deleted. Maintained by a trigger. */
    hidden: flag().default(false),
    assigned_to_user_id: text().nullable().references("organization_members.user_id"),
    /** The asset's state to restore when the work that took it out of use ends. */
    asset_state_before: text<AssetState>().nullable(),
    currency: currency().nullable(),
    started_at: instant().nullable(),
    completed_at: instant().nullable(),
    completed_by: text().nullable().references("users"),
    cancelled_at: instant().nullable(),
    /** For planned work with a due date. Null while the task is open. Maintained by a trigger. */
    in_time: flag().nullable(),
    /** Copied from the asset by triggers. */
    criticality: text<Criticality>().default("medium"),
    category_id: text().nullable(),
    created_by: text().references("users"),
    created_at: instantNow(),
    updated_at: instantNow(),
    version: integer().default(1),
  },
  {
    uniques: [
      ["organization_id", "task_number"],
      ["organization_id", "plan_id", "occurrence"],
    ],
    indexes: {
      open: ["organization_id", "workspace_id", "due_date"],
      counts: ["organization_id", "workspace_id", "state"],
      asset_id: ["asset_id", "state"],
      asset_open: ["organization_id", "asset_id"],
      corrective: ["organization_id", "asset_id", "completed_at"],
      updated_at: ["organization_id", "updated_at", "id"],
    },
    sqlIndexes: [
      "completed_at",
      "urgency",
      "type",
      "workspace_id",
      "not_placed",
      "assigned_to_user_id",
      "criticality",
      "place_criticality",
      "procedure_id",
      "unassigned",
      "search",
    ],
    checks: [
      "place",
      "plan",
      "procedure",
      "hidden",
      "title",
      "description",
      "completion_notes",
      "completed",
      "cancelled",
      "minutes",
      "costs",
      "currency",
    ],
    searchable: ["search"],
  },
);
export type MaintenanceTask = Row<typeof MaintenanceTask>;

export const repeatUnits = ["day", "week", "month", "year"] as const;
export type RepeatUnit = (typeof repeatUnits)[number];
export const repeatAnchors = ["due_date", "completion_date"] as const;
export type RepeatAnchor = (typeof repeatAnchors)[number];
export const weekdayPlaces = ["first", "second", "third", "fourth", "last"] as const;
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
/** A weekday of the month, such as `second tuesday`. */
export type WeekdayOfMonth = `${(typeof weekdayPlaces)[number]} ${(typeof weekdays)[number]}`;
export const weekdaysOfMonth: readonly WeekdayOfMonth[] = weekdayPlaces.flatMap((place) =>
  weekdays.map((weekday) => `${place} ${weekday}` as const),
);

/** A recurrence rule. Its tasks are its occurrences. */
export const MaintenancePlan = table(
  "maintenance_plans",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    /** Calendar interval, with `unit` and the day. Null if the plan repeats by usage only. */
    every: integer().nullable(),
    unit: oneOf(repeatUnits).nullable(),
    anchor: oneOf(repeatAnchors),
    /** Day of the month to return to after a shorter month. */
    anchor_day: integer().nullable(),
    /** Replaces the day of the month. */
    on_weekday: text<WeekdayOfMonth>().nullable(),
    /** Repeats by this meter of the asset, with or without the calendar. */
    meter_id: text().nullable().references("meters"),
    every_usage: decimal(14).nullable(),
    /** No occurrence is due after this day. */
    ends_on: day().nullable(),
    /** False: no further occurrence is created. */
    active: flag().default(true),
    created_by: text().references("users"),
    created_at: instantNow(),
  },
  {
    sqlIndexes: ["meter_id"],
    checks: ["every", "anchor_day", "on_weekday", "every_usage", "calendar", "usage", "rule"],
  },
);
export type MaintenancePlan = Row<typeof MaintenancePlan>;

export const stepKinds = [
  "check",
  "pass_fail",
  "number",
  "choice",
  "text",
  "photo",
  "signature",
] as const;
export type StepKind = (typeof stepKinds)[number];

/** A link with which a contractor without an account works on one task. */
export const TaskLink = table(
  "task_links",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    task_id: text().references("maintenance_tasks", "CASCADE"),
    /** The name of the person or company. */
    contractor: text(),
    /** The address that the link was sent to. */
    email: citext().nullable(),
    /** Null some time after the link's end. */
    token_hash: bytes().nullable(),
    /** The link works while this person may change the task. */
    created_by: text().references("users"),
    created_at: instantNow(),
    expires_at: instant(),
    revoked_at: instant().nullable(),
    opened_at: instant().nullable(),
    /** When the contractor marked the task as done. Null again once it is sent back. */
    done_at: instant().nullable(),
    done_note: text().nullable(),
    sent_back_at: instant().nullable(),
    sent_back_reason: text().nullable(),
  },
  {
    uniques: [["organization_id", "token_hash"]],
    indexes: { task_id: ["organization_id", "task_id", "created_at"] },
    sqlIndexes: ["expires_at"],
    checks: ["contractor", "email", "done", "done_note", "sent_back", "sent_back_reason"],
  },
);
export type TaskLink = Row<typeof TaskLink>;

/** One step of a task, numbered from 1. */
export const TaskChecklistItem = table(
  "task_checklist_items",
  {
    organization_id: text().primary(),
    task_id: text().primary().references("maintenance_tasks", "RESTRICT"),
    position: integer().primary(),
    label: text(),
    kind: oneOf(stepKinds).default("check"),
    /** True if the task can't be completed without it. */
    required: flag().default(false),
    /** Of a number, with its limits. */
    unit: text().nullable(),
    min: amount().nullable(),
    max: amount().nullable(),
    /** Of a choice. */
    options: texts().nullable(),
    /** The name of the asset's meter that the number is recorded on. */
    meter: text().nullable(),
    /** The title of the task that a failed answer creates. */
    follow_up: text().nullable(),
    follow_up_priority: oneOf(taskPriorities).nullable(),
    /** True if a failed answer takes the asset out of service. */
    out_of_service: flag().default(false),
    done_at: instant().nullable(),
    /** Null if a contractor finished it through a link. */
    done_by: text().nullable().references("users"),
    task_link_id: text().nullable().references("task_links"),
    /** A number, `pass` or `fail`, an option, a text, a photo's id, or a typed name. */
    answer: text().nullable(),
    /** The id of the file with a drawn signature. */
    drawing: text().nullable(),
    follow_up_task_id: text().nullable().references("maintenance_tasks", "SET NULL"),
  },
  {
    checks: [
      "position",
      "label",
      "done",
      "unit",
      "meter",
      "follow_up",
      "answer",
      "limits",
      "answered",
      "drawing",
    ],
    sqlIndexes: ["follow_up_task_id", "task_link_id"],
  },
);
export type TaskChecklistItem = Row<typeof TaskChecklistItem>;

/** A step without its task, place and answer. Repeating work and procedures copy it. */
export type StepDefinition = Omit<
  TaskChecklistItem,
  | ("organization_id" | "task_id" | "position")
  | ("answer" | "drawing" | "done_at" | "done_by" | "task_link_id" | "follow_up_task_id")
>;

/** A template of steps, for assets of a category or any. */
export const Procedure = table(
  "procedures",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    /** Unique among procedures that aren't archived. */
    name: citext(),
    category_id: text().nullable().references("asset_categories", "RESTRICT"),
    /** The current version. Each change of the steps makes a new one. */
    version: integer().default(1),
    archived_at: instant().nullable(),
    created_by: text().references("users"),
    created_at: instantNow(),
  },
  { sqlIndexes: ["name"], checks: ["name"] },
);
export type Procedure = Row<typeof Procedure>;

export const ProcedureVersion = table("procedure_versions", {
  organization_id: text().primary(),
  procedure_id: text().primary().references("procedures", "CASCADE"),
  version: integer().primary(),
  steps: json<StepDefinition[]>(),
  edited_by: text().references("users"),
  edited_at: instantNow(),
});
export type ProcedureVersion = Row<typeof ProcedureVersion>;

/** Tasks in a calendar: the person's own, or all that the person can see. */
export const calendarCoverages = ["own", "all"] as const;
export type CalendarCoverage = (typeof calendarCoverages)[number];

/** The secret URL from which a person's calendar program reads an organization's tasks. */
export const CalendarFeed = table(
  "calendar_feeds",
  {
    organization_id: text().primary(),
    user_id: text().primary().references("organization_members.user_id", "CASCADE"),
    token_hash: bytes(),
    covers: oneOf(calendarCoverages),
    created_at: instantNow(),
    last_read_at: instant().nullable(),
  },
  { uniques: [["organization_id", "token_hash"]] },
);
export type CalendarFeed = Row<typeof CalendarFeed>;
