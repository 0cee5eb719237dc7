import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { todayOf } from "../../domain/access/clock.js";
import type { Caller } from "../../domain/access/caller.js";
import { searchHistory, type HistoryPage } from "../../domain/history/history-queries.js";
import { idKindOf } from "../../domain/values/ids.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { findTasksById } from "../../domain/tasks/tasks-by-id.js";
import { readFields } from "../forms/forms.js";
import { HistoryList } from "../history/history-list.js";
import { Page } from "../layout/layout.js";
import { Pager } from "../layout/page-parts.js";
import { ErrorSummary, Notice, type FormError } from "../layout/parts.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { readTask, toAddressOf, type OpenedTask } from "./read-task.js";
import { Checklist, Description, Record } from "./task-content.js";
import { TaskFacts } from "./task-facts.js";
import { TaskHead } from "./task-head.js";
import { nameOf } from "./describe-task.js";

const eventsOnPage = 20;

/** `/tasks/:id`: everything about one task, also by its number. */
export const taskPage: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>("/tasks/:id", async (request, reply) => {
    const { id } = request.params;
    if (idKindOf(id) === "task") return sendPage(reply, await showTask(request, id));
    const { task } = await readTask(app.db.manager, callerOf(request), id);
    return reply.redirect(toAddressOf(task), 302);
  });
};

/** The page of a task; with errors, because something on it was refused. */
export async function showTask(
  request: FastifyRequest,
  id: string,
  errors: readonly FormError[] = [],
): Promise<VNode> {
  const { db, cursors } = request.server;
  const caller = callerOf(request);
  const opened = await readTask(db.manager, caller, id);
  const { previous_task_id: previous, next_task_id: next } = opened.task;
  const ids = [previous, next].filter((one) => one !== null);
  const cursor = readFields(request.query, ["cursor"]).cursor || undefined;
  const listing = { task_id: opened.task.id, order: "newest", limit: eventsOnPage } as const;
  const [neighbours, history] = await Promise.all([
    findTasksById(db.manager, caller, ids),
    searchHistory(db.manager, caller, { ...listing, cursor }, cursors),
  ]);
  return <TaskPage {...{ opened, caller, neighbours, history, cursor, errors }} />;
}

export interface TaskView {
  opened: OpenedTask;
  caller: Caller;
  /** The occurrences before and after, by id. */
  neighbours: ReadonlyMap<string, TaskRow>;
  history: HistoryPage;
  cursor: string | undefined;
  errors: readonly FormError[];
}

function TaskPage(view: TaskView): VNode {
  const { opened, caller, errors } = view;
  const { task, asset } = opened;
  const today = todayOf(caller);
  return (
    <Page title={nameOf(task)} width="wide" current="/tasks/">
      <ErrorSummary errors={errors} />
      <TaskHead opened={opened} today={today} />
      {asset?.state === "deleted" && (
        <Notice kind="warning" title="The asset is retired">
          <p>
            Its tasks stay as they are and can be changed again when it is restored, on{" "}
            <a href={`/assets/${asset.id}`}>its page</a>.
          </p>
        </Notice>
      )}
      <div class="task-page">
        <div class="task-work">
          <Description task={task} />
          <Checklist opened={opened} />
          <Record task={task} />
        </div>
        <TaskFacts {...{ opened, caller, today }} neighbours={view.neighbours} />
        <History {...view} />
      </div>
    </Page>
  );
}

function History({ opened: { task }, caller, history, cursor }: TaskView): VNode {
  const query = new URLSearchParams(cursor === undefined ? {} : { cursor });
  return (
    <section class="task-history" aria-labelledby="history">
      <h2 id="history">History</h2>
      <HistoryList events={history.events} caller={caller} about="task" />
      <Pager path={toAddressOf(task)} query={query} nextCursor={history.next_cursor} />
    </section>
  );
}
