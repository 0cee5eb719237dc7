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
import { parseTaskReference, taskNotFound } from "../shared/task-references.js";
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
  return { task: describe(caller, record, { checklist, neighbours }) };
}

interface Step {
  number: number;
  label: string;
  done: boolean;
}

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
  { checklist, neighbours }: { checklist: Step[]; neighbours: Neighbour[] },
) {
  const today = todayOf(caller);
  const previous = neighbours.find(({ step }) => step === -1);
  const next = neighbours.find(({ step }) => step === 1);
  return {
    ...toTaskRow(record, today),
    description: record.description,
    checklist,
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

async function findChecklist(db: Tx, caller: Caller, taskId: string): Promise<Step[]> {
  const parameters = createParameters(caller.organizationId, taskId);
  return db.query(
    `SELECT position AS number, label, done_at IS NOT NULL AS done FROM task_checklist_items
     WHERE organization_id = $1 AND task_id = $2 AND ${isVisibleTaskSql(caller, parameters)}
     ORDER BY position`,
    parameters.values,
  );
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
