import { z } from "zod";
import {
  repeatAnchors,
  repeatUnits,
  weekdaysOfMonth,
  completionFields,
  plannedFields,
  taskStates,
  taskPriorities,
  stepKinds,
} from "../../db/entities/tasks.js";
import { clearableTaskFields } from "../../domain/tasks/task-update-rules.js";
import type { Caller } from "../../domain/access/caller.js";
import type { Change } from "../../domain/history/record-events.js";
import { createTask, type CreatedTask, type NewTask } from "../../domain/tasks/create-task.js";
import { logCompletedTask } from "../../domain/tasks/log-completed-task.js";
import { updateTask, type TaskChange } from "../../domain/tasks/task-updates.js";
import type { TaskSummary } from "../../domain/tasks/task-answers.js";
import { changes, defineTool, type Nullable } from "../define-tool.js";
import { runOrDryRun, createOrDryRun } from "../run.js";
import { toParameters } from "../record-schemas.js";
import {
  assetReference,
  changeOutput,
  comment,
  day,
  dryRun,
  dryRunOutput,
  expectedVersion,
  instant,
  note,
  output,
  requestKey,
  taskStateSynonyms,
  text,
} from "../parameter-schemas.js";
import { askBeforeMany, changeSeveral, readTargets, referencesInPlaceOf } from "../several.js";
import { withWarnings } from "../warnings.js";

/** Synonyms for units of a recurrence, in normalized form. */
const repeatUnitSynonyms = {
  daily: "day",
  days: "day",
  weekly: "week",
  weeks: "week",
  monthly: "month",
  months: "month",
  yearly: "year",
  years: "year",
  annual: "year",
  annually: "year",
} as const;

const [aQuarter, aHalf, twoWeeks] = [
  'Use every 3, unit "month".',
  'Use every 6, unit "month".',
  'Use every 2, unit "week".',
];

/** Alternatives for unsupported units of a recurrence. */
const otherUnits = {
  quarter: aQuarter,
  quarters: aQuarter,
  quarterly: aQuarter,
  halfyear: aHalf,
  halfyearly: aHalf,
  semiannual: aHalf,
  semiannually: aHalf,
  fortnight: twoWeeks,
  fortnightly: twoWeeks,
  biweekly: twoWeeks,
  hour: 'For hours of use, give every_usage 250 and meter "h".',
  hours: 'For hours of use, give every_usage 250 and meter "h".',
};

/** A summary of on_weekday's 35 values. */
const weekdayWords =
  '"first monday" to "last sunday", with unit month or year. With unit week, leave it out and choose due_date on that weekday';

/** The fields that create_maintenance_task and update_maintenance_task share. */
const parameters = {
  ...toParameters(plannedFields, {
    title: 'Imperative, e.g. "Replace the air filter".',
    description: "Plain text or Markdown.",
    due_date: "Overdue from the next day on.",
    assigned_to_user_id: 'Assignee: user id, email, full name or "me".',
    requires_downtime: "The asset is in maintenance while the work is in progress.",
  }),
  recurrence: z
    .strictObject({
      every: z.int().min(1).max(999).optional(),
      unit: z
        .enum(repeatUnits)
        .meta({ synonyms: repeatUnitSynonyms, hints: otherUnits })
        .optional(),
      every_usage: z
        .number()
        .optional()
        .describe("By use: every this many units of meter, first due at due_usage."),
      meter: z.string().optional().describe("Meter name or unit."),
      due_usage: z.number().optional().describe("Reading at which the first is due."),
      anchor: z
        .enum(repeatAnchors)
        .default("due_date")
        .describe(
          "due_date: fixed calendar, so moving an open task moves all later ones. completion_date: counts from the day the work is done.",
        ),
      on_weekday: z
        .enum(weekdaysOfMonth)
        .meta({ abridged: true, listedAs: weekdayWords })
        .optional()
        .describe(
          'With unit month or year, e.g. "first monday" or "last friday". due_date must be such a day.',
        ),
      ends_on: day().optional().describe("Nothing is due after this date."),
    })
    .meta({ least: ["every", "unit"] })
    .optional()
    .describe(
      'By date with every and unit, e.g. {"every": 3, "unit": "month"}, or by use. The next task is created when this one is completed or cancelled.',
    ),
  procedure: text({ max: 100 }).optional().describe("Id or name. Copies its steps."),
};

const step = z
  .strictObject({
    label: z.string(),
    kind: z.enum(stepKinds).optional().describe("Default check."),
    required: z.boolean().optional(),
    unit: z.string().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    options: z.array(z.string()).optional(),
    meter: z.string().optional().describe("Meter that the number is recorded on."),
    follow_up: z.string().optional().describe("Title of the task to add if it fails."),
    follow_up_priority: z.enum(taskPriorities).meta({ abridged: true }).optional(),
    out_of_service: z.boolean().optional().describe("Of the asset, if it fails."),
  })
  .meta({ shorthand: "label" });
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).max(50).meta({ example: '["Check oil", "Check belt"]' }).optional();

const taskReference = text({ max: 64 }).describe('Task id or number, e.g. "T-118".');
const completedAt = instant().optional().describe("RFC 3339. Default now.");

const completion = toParameters(completionFields, {
  completion_notes: "Findings and work done.",
  downtime_minutes: "How long the asset could not be used.",
  activity: "Kind of work done.",
  failure_cause: "For corrective work.",
});

const taskOutput = z.object({
  id: z.string().optional(),
  task_number: z.string().optional(),
  title: z.string(),
  state: z.string().optional(),
  due_date: z.string().optional(),
  asset_id: z.string().optional(),
  asset_name: z.string().optional(),
  version: z.int().optional(),
  url: z.string().optional(),
});

const rowOutput = taskOutput.omit({ asset_id: true, url: true }).extend({
  next_task: z.string().optional(),
  unchanged: z.literal(true).optional(),
});
const nextTaskOutput = z
  .object({
    id: z.string().optional(),
    task_number: z.string().optional(),
    due_date: z.string().optional(),
    due_usage: z.string().optional(),
  })
  .optional();
const stepNumbers = z.array(z.int()).max(50).optional();

export const createMaintenanceTaskTool = defineTool({
  name: "create_maintenance_task",
  title: "Create a maintenance task",
  description:
    "Plan maintenance, or log finished work (completed). Give asset_id, asset_ids for one task on each asset, or workspace_id for work on a place.",
  scope: "mcp_write",
  annotations: changes({ idempotent: false }),
  input: z.strictObject({
    asset_id: assetReference.optional(),
    asset_ids: referencesInPlaceOf("asset_id").describe(
      "Up to 100, instead of asset_id: one task on each.",
    ),
    workspace_id: text({ max: 100 })
      .optional()
      .describe("Workspace (id or exact name), for work without an asset."),
    ...parameters,
    title: parameters.title.unwrap(),
    type: parameters.type.describe(
      "Default: corrective on an asset out of service, otherwise preventive.",
    ),
    priority: parameters.priority.describe("Default medium."),
    checklist: listOf(step).describe('A text is a label: ["Check oil", "Check belt"].'),
    completed: z
      .strictObject({ completed_at: completedAt, ...completion })
      .meta({ abridged: true })
      .optional()
      .describe(
        "For finished work: completed_at, completion_notes, actual_minutes, parts_cost and so on, as in update_maintenance_task. {} = finished now.",
      ),
    request_key: requestKey,
    dry_run: dryRun,
  }),
  commaSeparated: ["asset_ids"],
  elsewhere: {
    state:
      "For finished work, give completed: {}. For other states, create the task and use update_maintenance_task.",
    ...Object.fromEntries(
      ["completed_at", ...Object.keys(completion)].map((name) => [
        name,
        `For finished work, put it into completed, e.g. completed: {"${name}": …}.`,
      ]),
    ),
  },
  output: output({
    task: taskOutput
      .extend({ workspace_id: z.string().optional(), workspace_name: z.string().optional() })
      .optional(),
    tasks: z.array(rowOutput).optional(),
    next_due_date: z.string().optional(),
    next_task: nextTaskOutput,
    warnings: z.array(z.string()).optional(),
    deduplicated: z.literal(true).optional(),
    dry_run: dryRunOutput,
  }),
  several: ["asset_ids"],
  confirmation: ({ asset_ids: ids }) => askBeforeMany((tasks) => `Create ${tasks}?`, ids, "tasks"),
  handler: ({ request_key, dry_run, ...given }, { db, caller, report }) => {
    const tool = "create_maintenance_task";
    const intended = { tool, requestKey: request_key, arguments: given };
    const { asset_ids, completed, ...fields } = given;
    return createOrDryRun<CreatedAnswer>({ db, caller }, dry_run, intended, async (tx) => {
      const create = async (task: NewTask, by: Caller) =>
        withWarnings(
          completed === undefined
            ? await createTask(tx, by, task)
            : await logCompletedTask(tx, by, task, completed),
        );
      const { asset_id } = fields;
      const targets = asset_ids && readTargets({ asset_id, asset_ids });
      if (targets === undefined || "one" in targets) return create(fields, caller);
      const { rows, warnings } = await changeSeveral(
        { tx, caller },
        { ...targets.several, report },
        (reference, by) => create({ ...fields, asset_id: reference }, by),
        (answer) => toRow(answer),
      );
      return { tasks: rows, warnings };
    });
  },
});

export const updateMaintenanceTaskTool = defineTool({
  name: "update_maintenance_task",
  title: "Update a maintenance task",
  description:
    'Change, start, complete, cancel or reopen one task, or several with task_ids (all or none). Completing or cancelling (skipping) a recurring task creates the next one and returns it. clear_fields ["recurrence"] ends the recurrence.',
  scope: "mcp_write",
  annotations: changes({ idempotent: true }),
  input: z.strictObject({
    task_id: taskReference.optional(),
    task_ids: referencesInPlaceOf("task_id"),
    asset_id: text({ max: 64 })
      .optional()
      .describe("Move work that has not started to this asset."),
    workspace_id: text({ max: 100 })
      .optional()
      .describe("Move a task without an asset to this workspace."),
    ...parameters,
    clear_fields: z
      .array(z.enum(clearableTaskFields).meta({ abridged: true }))
      .max(6)
      .optional()
      .describe('Fields to empty, e.g. ["due_date"].'),
    // Not listed: "overdue" gets a separate refusal with the alternative.
    state: z
      .enum([...taskStates, "overdue"])
      .meta({ enum: [...taskStates], synonyms: taskStateSynonyms })
      .optional()
      .describe("overdue is computed from due_date and cannot be set."),
    completed_at: completedAt,
    ...completion,
    checklist: listOf(step.meta({ shorthand: "label", abridged: true })).describe(
      "Replaces the steps. Equal labels keep their answers.",
    ),
    checklist_answers: z
      .record(z.string(), z.string())
      .meta({ abridged: true, example: '{"2": "7.2"}' })
      .optional()
      .describe('By step number, e.g. {"1": true, "2": 7.2, "3": "pass"}. For a photo, a file id.'),
    checklist_done: stepNumbers.describe(
      "Numbers of all finished steps. Replaces the earlier ones; [] for none.",
    ),
    checklist_tick: stepNumbers.describe("Numbers of steps to mark finished. Others stay."),
    checklist_untick: stepNumbers.describe("Numbers of steps to mark unfinished."),
    comment,
    note,
    expected_version: expectedVersion,
    dry_run: dryRun,
  }),
  commaSeparated: ["task_ids"],
  keptWhenEmpty: ["checklist_done"],
  output: output({
    task: taskOutput.extend({ progress: z.string().optional() }).optional(),
    tasks: z.array(rowOutput).optional(),
    changed: z.array(changeOutput),
    next_task: nextTaskOutput,
    asset_state: z.string().optional(),
    warnings: z.array(z.string()).optional(),
    dry_run: dryRunOutput,
  }),
  several: ["task_ids"],
  confirmation: ({ task_ids: ids }) => askBeforeMany((tasks) => `Change ${tasks}?`, ids, "tasks"),
  handler: ({ task_id, task_ids, dry_run, ...update }, { db, caller, report }) => {
    const { expected_version } = update;
    const targets = readTargets({ task_id, task_ids }, { expected_version });
    return runOrDryRun<ChangedAnswer>({ db, caller }, dry_run, async (tx) => {
      const change = async (reference: string, by: Caller) =>
        withWarnings(await updateTask(tx, by, reference, update));
      if ("one" in targets) return change(targets.one, caller);
      const several = { ...targets.several, report };
      const answered = await changeSeveral({ tx, caller }, several, change, (answer) => ({
        ...toRow(answer),
        next_task: answer.next_task?.task_number,
      }));
      const { rows, changed, warnings } = answered;
      return { tasks: rows, changed, warnings };
    });
  },
});

type TaskRow = Nullable<z.output<typeof rowOutput>>;

interface ChangedAnswer extends Partial<Omit<TaskChange, "changed" | "warnings">> {
  tasks?: TaskRow[];
  changed: Change[];
  warnings: string[];
}

interface CreatedAnswer extends Partial<Omit<CreatedTask, "warnings">> {
  tasks?: TaskRow[];
  warnings: string[];
}

function toRow({ task }: { task: TaskSummary | CreatedTask["task"] }) {
  const { id, task_number, title, state, due_date, asset_name, version } = task;
  return { id, task_number, title, state, due_date, asset_name, version };
}
