import { createHash } from "node:crypto";
import type { FastifyPluginAsync } from "fastify";
import type { CalendarCoverage, TaskPriority } from "../../../db/entities/tasks.js";
import type { Caller } from "../../../domain/access/caller.js";
import { findActivePerson } from "../../../domain/accounts/accounts.js";
import { defaultLocale, inLocale } from "../../../language/locale.js";
import { taskUrl } from "../../../domain/access/urls.js";
import {
  noteCalendarRead,
  openCalendar,
  type OpenedCalendar,
} from "../../../domain/tasks/calendar-feeds.js";
import { findCalendarTasks, type CalendarTask } from "../../../domain/tasks/calendar-tasks.js";
import { AppError } from "../../../errors.js";
import { t, translated } from "../../../language/translate.js";
import { isKnown } from "../../entity-tags.js";
import { formatMinutes, withColon } from "../../text/format.js";
import { taskStateLabels, taskTypeLabels } from "../../text/value-labels.js";
import { writeCalendar, type CalendarEvent } from "./write-calendar.js";
import { routeLimit } from "../../../traffic/bounds.js";

/** `/calendar/:token.ics`: a person's tasks for their calendar app, which has no session. */
export const calendarRoutes: FastifyPluginAsync = async (app) => {
  const limitPerson = app.services.createLimit("calendar");
  const limitOrganization = app.services.createLimit("calendars");

  app.route<{ Params: { token: string } }>({
    method: ["GET", "HEAD"],
    url: "/calendar/:token.ics",
    config: { rateLimit: routeLimit("calendar-of-address") },
    handler: async (request, reply) => {
      const { token } = request.params;
      const db = request.db;
      const opened = await openCalendar(db, app.services.config.baseUrl, token);
      if (opened === undefined) throw new AppError("not_found", "no_calendar");
      // Limits the person, not the address, which can be renewed and exists in each sample too.
      const { organizationId, userId } = await app.services.atHome(opened.caller);
      await limitPerson(`${organizationId} ${userId}`);
      await limitOrganization(organizationId);
      // Separate from the person's own responses, because anyone with the address may read slowly.
      request.reader = { organizationId: `calendars:${organizationId}`, userId };
      app.services.requireBackpressureRoom(request.reader);
      await app.services.enterOrganization(opened.caller, reply);
      // Calendar apps don't send the language of their reader.
      const reader = await findActivePerson(db, opened.caller.userId);
      // A large organization takes seconds. No one who signs in may wait for it.
      const reads = request.readsOf(opened.caller);
      const text = await inLocale(reader?.locale ?? defaultLocale, async () =>
        toText(opened, await findCalendarTasks(reads, opened.caller, opened.covers)),
      );
      await noteCalendarRead(db, opened.caller);
      const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
      void reply.headers({
        etag,
        "cache-control": "private, no-cache",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex",
      });
      if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply
        .header("content-disposition", 'inline; filename="maintenance-tasks.ics"')
        .type("text/calendar; charset=utf-8")
        .send(text);
    },
  });
};

function toText({ caller, covers }: OpenedCalendar, tasks: readonly CalendarTask[]): string {
  return writeCalendar({
    name: `${withColon(caller.organizationName)} ${coverageTitles[covers]}`,
    description: t("Your due tasks. Completed tasks disappear from the calendar."),
    events: tasks.map((task) => toEvent(caller, task)),
  });
}

const coverageTitles: Record<CalendarCoverage, string> = translated({
  own: "my maintenance tasks",
  all: "maintenance tasks",
});

const priorityWords: Record<TaskPriority, string> = translated({
  urgent: "Urgent priority",
  high: "High priority",
  medium: "Medium priority",
  low: "Low priority",
});

const priorities: Record<TaskPriority, number> = { urgent: 1, high: 3, medium: 5, low: 9 };

function toEvent(caller: Caller, task: CalendarTask): CalendarEvent {
  const { id, task_number: number, title, asset_name: asset, due_date: day } = task;
  const url = taskUrl(caller, id);
  return {
    uid: `${id}@${new URL(caller.baseUrl).hostname}`,
    day,
    changedAt: task.updated_at,
    sequence: task.version,
    summary: asset === null ? title : `${title} · ${asset}`,
    description: [
      `${number} · ${taskStateLabels[task.progress ?? task.state]} · ${priorityWords[task.priority]}`,
      ...(asset === null
        ? []
        : [t("Asset: {asset}", { asset: `${task.inventory_number ?? ""} ${asset}` })]),
      task.assigned_to === null
        ? t("Unassigned")
        : t("Assigned to {name}", { name: task.assigned_to }),
      ...(task.estimated_minutes === null
        ? []
        : [t("Estimated: {time}", { time: formatMinutes(task.estimated_minutes) })]),
      ...(task.repeats === null ? [] : [t("Repeats {rule}", { rule: task.repeats })]),
      url,
    ].join("\n"),
    location: toLocation(task),
    url,
    category: taskTypeLabels[task.type],
    priority: priorities[task.priority],
  };
}

function toLocation({
  workspace_name: place,
  workspace_address: address,
}: CalendarTask): string | undefined {
  return place === null ? undefined : [place, ...(address === null ? [] : [address])].join(", ");
}
