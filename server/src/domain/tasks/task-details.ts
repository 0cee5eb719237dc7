import type { Tx } from "../../db/database.js";
import { completionFields } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { pickFields } from "../shared/clean-fields.js";
import { todayOf } from "../access/clock.js";
import { toTimestamp } from "../shared/dates.js";
import { createParameters } from "../../db/parameters.js";
import { projectNextDue } from "./next-due-date.js";
import { isOpenState } from "./task-states.js";
import { taskUrl } from "../access/urls.js";
import { ruleOf } from "./task-plans.js";
import { findTaskRecord, type TaskRecord } from "./task-record.js";
import { pick } from "../shared/omit.js";
import { isFailed, type Step } from "./checklist-steps.js";
import { stepColumns, stepsTable } from "./task-checklists.js";
import { contractorNameSql } from "../shared/contractor-name.js";
import { parseTaskReference, taskNotFound, toTaskNumber } from "../shared/task-references.js";
import { toTaskRow } from "./task-rows.js";
import { toReading } from "./task-usage.js";
import { isVisibleTaskSql, visibleTaskSql } from "../access/visibility.js";

export async function getTask(db: Tx, caller: Caller, reference: string) {
  const { column, value } = parseTaskReference(reference);
  const parameters = createParameters(caller.organizationId, value);
  const visible = visibleTaskSql(caller, parameters, "t");
  const record = await findTaskRecord(db, `t.${column} = $2 AND ${visible}`, parameters.values);
  if (record === undefined) throw taskNotFound(reference);
  const [checklist, neighbours] = await Promise.all([
    findChecklist(db, caller, record.id),
    findNeighbours(db, caller, record),
  ]);
  return { task: describe(caller, record, checklist, neighbours) };
}

export type ShownStep = ReturnType<typeof describeStep>;

interface Neighbour {
  id: string;
  /** -1 for the previous occurrence, 1 for the next. */
  step: number;
  /** Work on a place may have moved to another workspace. */
  visible: boolean;
}

function describe(
  caller: Caller,
  record: TaskRecord,
  checklist: ShownStep[],
  neighbours: Neighbour[],
) {
  const today = todayOf(caller);
  const previous = neighbours.find(({ step }) => step === -1);
  const next = neighbours.find(({ step }) => step === 1);
  return {
    ...toTaskRow(record, today),
    description: record.description,
    checklist,
    ...pick(record, "done_by_contractor", "procedure", "procedure_id", "procedure_version"),
    ...describeRepetition(record, { today, isLast: next === undefined }),
    requires_downtime: record.requires_downtime || null,
    estimated_minutes: record.estimated_minutes,
    ...pickFields(completionFields, record),
    total_cost: record.total_cost,
    currency: record.currency,
    started_at: record.started_at && toTimestamp(record.started_at),
    completed_by: record.completed_by,
    cancelled_at: record.cancelled_at && toTimestamp(record.cancelled_at),
    previous_task_id: previous?.visible === true ? previous.id : null,
    next_task_id: next?.visible === true ? next.id : null,
    url: taskUrl(caller, record.id),
    version: record.version,
    created_by: record.created_by,
    created_at: toTimestamp(record.created_at),
    updated_at: toTimestamp(record.updated_at),
  };
}

/** The rule, and the next due date if this occurrence is done on time. */
function describeRepetition(
  record: TaskRecord,
  { today, isLast }: { today: string; isLast: boolean },
) {
  const rule = ruleOf(record);
  if (rule === undefined) return {};
  const { every, unit, anchor, on_weekday, ends_on, every_usage, meter, meter_unit } = rule;
  const makesNext = isLast && isOpenState(record.state) && !record.hidden;
  return {
    recurrence: {
      every,
      unit,
      anchor,
      on_weekday,
      ends_on,
      every_usage,
      meter,
      meter_unit,
      due_usage: toReading(record, record.due_usage),
    },
    next_due_date:
      makesNext && record.due_date !== null ? projectNextDue(rule, record.due_date, today) : null,
  };
}

interface FoundStep extends Step {
  answered_by: string | null;
  follow_up_number: number | null;
}

async function findChecklist(db: Tx, caller: Caller, taskId: string) {
  const parameters = createParameters(caller.organizationId, taskId);
  const steps = await db.query<FoundStep>(
    `SELECT ${stepColumns}, coalesce(u.name, ${contractorNameSql("l")}) AS answered_by, f.task_number::int AS follow_up_number
     FROM ${stepsTable} LEFT JOIN users u ON u.id = held.done_by
       LEFT JOIN task_links l ON l.organization_id = $1 AND l.id = held.task_link_id
       LEFT JOIN maintenance_tasks f ON f.organization_id = $1 AND f.id = i.follow_up_task_id
         AND ${visibleTaskSql(caller, parameters, "f")}
     WHERE i.organization_id = $1 AND i.task_id = $2 AND ${isVisibleTaskSql(caller, parameters)}
     ORDER BY i.position`,
    parameters.values,
  );
  return steps.map(describeStep);
}

/** A plain check has no kind. */
function describeStep({ follow_up_number: number, ...step }: FoundStep) {
  const { position, label, kind, done_at: doneAt, answer } = step;
  const isCheck = kind === "check";
  return {
    number: position,
    label,
    done: doneAt !== null,
    kind: isCheck ? null : kind,
    required: step.required || null,
    ...pick(step, "unit", "min", "max", "options", "meter", "follow_up", "follow_up_priority"),
    out_of_service: step.out_of_service || null,
    answer,
    drawing: step.drawing,
    failed: isFailed(step) || null,
    answered_by: isCheck ? null : step.answered_by,
    answered_at: isCheck || doneAt === null ? null : toTimestamp(doneAt),
    follow_up_task: number === null ? null : toTaskNumber(number),
  };
}

async function findNeighbours(
  db: Tx,
  caller: Caller,
  { plan_id, occurrence }: TaskRecord,
): Promise<Neighbour[]> {
  if (plan_id === null || occurrence === null) return [];
  const parameters = createParameters(caller.organizationId, plan_id, occurrence);
  return db.query(
    `SELECT t.id, t.occurrence - $3::int AS step, ${visibleTaskSql(caller, parameters, "t")} AS visible
     FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.plan_id = $2 AND t.occurrence IN ($3 - 1, $3 + 1)`,
    parameters.values,
  );
}
