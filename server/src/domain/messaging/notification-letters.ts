import type { Tx } from "../../db/database.js";
import type { NotificationChannel } from "../../db/entities/messaging.js";
import type { ProblemReport } from "../../db/entities/reports.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { findCommentsAnywhere, type CommentOfSubject } from "../comments/find-comments.js";
import { visibleAssetSql, visibleTaskSql } from "../access/visibility.js";
import type { MailedNotification } from "./mail-cipher.js";
import { reportSiteJoins, reportSiteName } from "../reports/report-sites.js";
import { findMemberCaller } from "../people/member-caller.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { getKeyFigures } from "../insight/organization-stats.js";
import { findDoneBy, findDoneNote } from "../tasks/task-link-reviews.js";
import { taskRowColumns, taskRowJoins, toTaskRow } from "../tasks/task-rows.js";
import type { StoredTaskRow, TaskRow } from "../tasks/task-rows.js";
import { isOpen, isOverdue } from "../tasks/task-states.js";
import { addDays } from "../shared/dates.js";
import {
  findNotificationChoices,
  topicsOf,
  type NotificationChoices,
} from "./notification-choices.js";

export interface LetterTask extends Pick<
  TaskRow,
  "id" | "task_number" | "title" | "due_date" | "days_overdue" | "asset_name" | "workspace_name"
> {
  assigned_to: string | null;
  /** The person who assigned the task, for emails about assignments. */
  assigned_by: string | null;
}

export interface LetterTasks {
  tasks: LetterTask[];
  total: number;
}

/** Contents of an email about work, as visible to its reader when it is sent. */
export type Letter = { reader: Caller } & (
  | { kind: "assigned"; assigned: LetterTasks }
  | { kind: "comment"; comments: CommentOfSubject[] }
  | { kind: "reminder"; dueTomorrow: LetterTasks; overdue: LetterTasks }
  | { kind: "report_answered"; reports: AnsweredReport[] }
  | { kind: "contractor_done"; done: DoneTasks }
  | { kind: "weekly_digest"; figures: DigestFigures; overdue: LetterTasks }
);

export interface AnsweredReport extends Pick<ProblemReport, "status" | "answer"> {
  asset: string;
}

/** Work that contractors marked as done. */
export interface DoneTasks extends LetterTasks {
  /** By task id. */
  contractors: ReadonlyMap<string, string>;
  /** The contractor's note, for a single task. */
  note: string | undefined;
}

export interface DigestFigures {
  overdue: number;
  due_in_7_days: number;
  unassigned: number;
  completed: number;
}

/**
 * Undefined if there is nothing to send: the reader has left, has unsubscribed, or can't see any of
 * the subjects.
 */
export async function readLetter(
  db: Tx,
  baseUrl: string,
  mail: MailedNotification,
  channel: NotificationChannel,
): Promise<Letter | undefined> {
  const reader = await findMemberCaller(db, baseUrl, mail);
  const ofChannels = await findNotificationChoices(db, mail);
  if (reader === undefined || ofChannels === undefined) return undefined;
  const choices = ofChannels[channel];
  if (!topicsOf[mail.kind].some((topic) => choices[topic])) return undefined;
  const [day = ""] = mail.subjects;
  switch (mail.kind) {
    case "assigned":
      return readAssigned(db, reader, mail.subjects);
    case "comment": {
      const wanted = { ids: mail.subjects };
      const { comments } = await findCommentsAnywhere(db, reader, wanted, shownComments);
      return comments.length === 0 ? undefined : { kind: "comment", reader, comments };
    }
    case "reminder":
      return readReminder(db, reader, day, choices);
    case "report_answered":
      return readAnswers(db, reader, mail.subjects);
    case "contractor_done":
      return readDone(db, reader, mail.subjects);
    case "weekly_digest":
      return readDigest(db, reader, day);
  }
}

const shownTasks = 20;
const shownComments = 20;

/** Returns matching open tasks visible to the reader, earliest due date first. */
async function findTasks(
  db: Tx,
  reader: Caller,
  today: string,
  toCondition: (parameters: Parameters) => string,
): Promise<LetterTasks> {
  const parameters = createParameters(reader.organizationId, reader.userId);
  const rows = await db.query<StoredTaskRow & { assigned_by: string | null; total: number }>(
    `SELECT ${taskRowColumns}, by.name AS assigned_by, count(*) OVER ()::int AS total
     FROM maintenance_tasks t ${taskRowJoins}
     LEFT JOIN notifications n ON n.organization_id = $1 AND n.user_id = $2 AND n.kind = 'assigned'
       AND n.subject = t.id
     LEFT JOIN users by ON by.id = n.actor_user_id
     WHERE t.organization_id = $1 AND NOT t.hidden AND ${isOpen("t")} AND ${toCondition(parameters)}
       AND ${visibleTaskSql(reader, parameters, "t")}
     ORDER BY t.due_date NULLS LAST, t.id LIMIT ${shownTasks}`,
    parameters.values,
  );
  const tasks = rows.map((row) => ({ ...toTaskRow(row, today), assigned_by: row.assigned_by }));
  return { tasks, total: rows[0]?.total ?? 0 };
}

async function readAssigned(
  db: Tx,
  reader: Caller,
  ids: readonly string[],
): Promise<Letter | undefined> {
  const assigned = await findTasks(
    db,
    reader,
    todayOf(reader),
    ({ add }) => `t.assigned_to_user_id = $2 AND t.id = ANY (${add(ids)}::text[])`,
  );
  return assigned.total === 0 ? undefined : { kind: "assigned", reader, assigned };
}

async function readReminder(
  db: Tx,
  reader: Caller,
  today: string,
  choices: NotificationChoices,
): Promise<Letter | undefined> {
  const own = "t.assigned_to_user_id = $2";
  const dueTomorrow = choices.due_tomorrow
    ? await findTasks(
        db,
        reader,
        today,
        ({ add }) => `${own} AND t.due_date = ${add(addDays(today, 1))}::date`,
      )
    : nothing;
  const overdue = choices.overdue
    ? await findTasks(db, reader, today, ({ add }) => `${own} AND ${isOverdue("t", add(today))}`)
    : nothing;
  if (dueTomorrow.total + overdue.total === 0) return undefined;
  return { kind: "reminder", reader, dueTomorrow, overdue };
}

const nothing: LetterTasks = { tasks: [], total: 0 };

async function readAnswers(
  db: Tx,
  reader: Caller,
  ids: readonly string[],
): Promise<Letter | undefined> {
  const parameters = createParameters(reader.organizationId, reader.userId, ids);
  // A merged report has the outcome of the report it was merged into.
  const reports = await db.query<AnsweredReport>(
    `SELECT ${reportSiteName} AS asset, coalesce(said.status, r.status) AS status,
       coalesce(said.answer, r.answer) AS answer
     FROM problem_reports r ${reportSiteJoins("r")}
     LEFT JOIN problem_reports said ON said.organization_id = r.organization_id
       AND said.id = r.merged_into AND said.status <> 'open'
     WHERE r.organization_id = $1 AND r.reported_by = $2 AND r.id = ANY ($3::text[])
       AND r.status <> 'open' AND ${visibleAssetSql(reader, parameters, "site")}
     ORDER BY r.created_at, r.id LIMIT ${shownTasks}`,
    parameters.values,
  );
  return reports.length === 0 ? undefined : { kind: "report_answered", reader, reports };
}

/** Only work that still waits for approval. */
async function readDone(
  db: Tx,
  reader: Caller,
  links: readonly string[],
): Promise<Letter | undefined> {
  const found = await findTasks(
    db,
    reader,
    todayOf(reader),
    ({ add }) => `t.id IN (SELECT l.task_id FROM task_links l
      WHERE l.organization_id = $1 AND l.id = ANY (${add(links)}::text[])
        AND l.done_at IS NOT NULL)`,
  );
  const ids = found.tasks.map(({ id }) => id);
  const [first] = ids;
  if (first === undefined) return undefined;
  const contractors = await findDoneBy(db, reader, ids);
  const note = ids.length === 1 ? await findDoneNote(db, reader, first) : undefined;
  return { kind: "contractor_done", reader, done: { ...found, contractors, note } };
}

const week = 7;

async function readDigest(db: Tx, reader: Caller, today: string): Promise<Letter | undefined> {
  const { tasks, period } = await getKeyFigures(db, reader, { days: week });
  const figures = {
    overdue: tasks.by_state.overdue,
    due_in_7_days: tasks.due_in_7_days,
    unassigned: tasks.unassigned_open,
    completed: period.completed_tasks,
  };
  if (Object.values(figures).every((figure) => figure === 0)) return undefined;
  const overdue = await findTasks(db, reader, today, ({ add }) => isOverdue("t", add(today)));
  return { kind: "weekly_digest", reader, figures, overdue };
}
