import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import { todayOf } from "../../domain/access/clock.js";
import type { Caller } from "../../domain/access/caller.js";
import { searchHistory, type HistoryPage } from "../../domain/history/history-queries.js";
import { idKindOf } from "../../domain/shared/ids.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { findTasksById } from "../../domain/tasks/tasks-by-id.js";
import { findCoverPictures, findFilesOf, type ShownFile } from "../../domain/files/find-files.js";
import { findReportsOn, type ReportRow } from "../../domain/reports/find-reports.js";
import { t, tRich } from "../../language/translate.js";
import { CommentsSection, readComments, type CommentsView } from "../comments/comments-section.js";
import { FilesSection } from "../files/gallery.js";
import { useForm } from "../forms/form-context.js";
import { readText } from "../forms/form-fields.js";
import { HistoryList } from "../history/history-list.js";
import { Page } from "../layout/layout.js";
import { Pager } from "../lists/pager.js";
import { Notice } from "../layout/notices.js";
import { ErrorSummary } from "../layout/error-summary.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { noteOpened } from "../search/recent.js";
import { findTaskLinks, type ShownTaskLink } from "../../domain/tasks/task-links.js";
import { DoneNotices, LinksSection } from "./links/links-section.js";
import { isOpen, readTask, toAddressOf, toUsualMoment, type OpenedTask } from "./read-task.js";
import { Checklist, Description, Record } from "./task-content.js";
import { TaskFacts } from "./task-facts.js";
import { TaskHead } from "./task-head.js";
import { nameOf } from "./describe-task.js";

const eventsOnPage = 20;

/** `/tasks/:id`: one task, also by its number. */
export const taskPage: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>("/tasks/:id", async (request, reply) => {
    const { id } = request.params;
    const opened = await readTask(request.db, callerOf(request), id);
    if (idKindOf(id) !== "task") return reply.redirect(toAddressOf(opened.task), 302);
    noteOpened(request, reply, id);
    return sendPage(reply, await showTask(request, opened));
  });
};

/** The page of a task. Appears again if a button on it was refused. */
export async function showTask(
  request: FastifyRequest,
  opened: OpenedTask,
  selected?: readonly number[],
): Promise<VNode> {
  const {
    db,
    server: {
      services: { cursors, files: room },
    },
  } = request;
  const caller = callerOf(request);
  const { previous_task_id: previous, next_task_id: next } = opened.task;
  const ids = [previous, next].filter((one) => one !== null);
  const cursor = readText(request.query, "cursor") || undefined;
  const listing = { task_id: opened.task.id, order: "newest", limit: eventsOnPage } as const;
  const assetId = opened.task.asset_id;
  const { task, may } = opened;
  const [neighbours, history, files, covers, reports, comments, links] = await Promise.all([
    findTasksById(db, caller, ids),
    searchHistory(db, caller, { ...listing, cursor }, cursors),
    findFilesOf(db, caller, { task_id: opened.task.id }),
    findCoverPictures(db, caller, assetId === null ? [] : [assetId]),
    findReportsOn(db, caller, { task_id: opened.task.id }),
    readComments(db, caller, { task_id: task.id }, { place: task, mayComment: may.change }),
    may.change ? findTaskLinks(db, caller, task.id) : [],
  ]);
  const { maxMegabytes } = room;
  const cover = covers.get(assetId ?? "");
  const seen = { opened, caller, neighbours, history, cursor, files, cover, reports, maxMegabytes };
  const view = { ...seen, selected, links };
  return <TaskPage {...view} comments={comments} />;
}

interface TaskView {
  opened: OpenedTask;
  /** The checks of a refused form. */
  selected: readonly number[] | undefined;
  caller: Caller;
  /** The previous and next occurrences, by id. */
  neighbours: ReadonlyMap<string, TaskRow>;
  history: HistoryPage;
  cursor: string | undefined;
  files: readonly ShownFile[];
  /** The id of the asset's newest picture. */
  cover: string | undefined;
  /** The reports that the task was created for. */
  reports: readonly ReportRow[];
  /** The links of contractors, for people who can change the task. */
  links: readonly ShownTaskLink[];
  comments: CommentsView;
  /** The limit for one added file. */
  maxMegabytes: number;
}

function TaskPage(view: TaskView): VNode {
  const { opened, caller } = view;
  const { task, asset } = opened;
  const today = todayOf(caller);
  return (
    <Page title={nameOf(task)} width="wide" current="/tasks/">
      <ErrorSummary errors={useForm().errors} />
      <TaskHead opened={opened} today={today} />
      {asset?.state === "deleted" && (
        <Notice kind="warning" title={t("The asset is retired")}>
          <p>
            {tRich("You can edit its tasks again once it's restored, on <a>its page</a>.", {
              a: (words: ComponentChildren) => <a href={`/assets/${asset.id}`}>{words}</a>,
            })}
          </p>
        </Notice>
      )}
      {isOpen(opened) && <DoneNotices task={task} links={view.links} />}
      <div class="task-page">
        <div class="task-work">
          <Description task={task} />
          <Checklist opened={opened} selected={view.selected} />
          <Record task={task} />
        </div>
        <TaskFacts {...view} today={today} />
        <div class="task-files">
          <LinksSection task={task} links={view.links} />
          <CommentsSection {...view.comments} />
          <FilesSection
            files={view.files}
            mayChange={opened.may.change}
            action={`${toAddressOf(task)}/files`}
            maxMegabytes={view.maxMegabytes}
            moment={toUsualMoment(opened)}
          />
        </div>
        <History {...view} />
      </div>
    </Page>
  );
}

function History({ opened: { task }, caller, history, cursor }: TaskView): VNode {
  const query = new URLSearchParams(cursor === undefined ? {} : { cursor });
  return (
    <section class="task-history" aria-labelledby="history">
      <h2 id="history">{t("History")}</h2>
      <HistoryList events={history.events} caller={caller} about="task" />
      <Pager path={toAddressOf(task)} query={query} nextCursor={history.next_cursor} />
    </section>
  );
}
