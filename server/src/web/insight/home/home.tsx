import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { mcpPath } from "fettle-shared";
import type { VNode } from "preact";
import type { Tx } from "../../../db/database.js";
import { findAttention, type Attention } from "../../../domain/insight/attention.js";
import type { Caller } from "../../../domain/access/caller.js";
import { findPlacesWithRole, type WorkspaceRef } from "../../../domain/access/roles.js";
import { todayOf } from "../../../domain/access/clock.js";
import { countConnections } from "../../../domain/oauth/connections.js";
import { findFirstSteps, type StepsDone } from "../../../domain/organizations/first-steps.js";
import type { CursorCodec } from "../../../domain/shared/cursors.js";
import { unlessTooSlow } from "../../../db/query-errors.js";
import { getKeyFigures, type KeyFigures } from "../../../domain/insight/organization-stats.js";
import { listTasks, type TaskPage } from "../../../domain/tasks/task-queries.js";
import { findWorkspaceChoices } from "../../../domain/organizations/workspace-choices.js";
import { organizationsPages } from "../../accounts/organizations.js";
import { personOptions } from "../../forms/choices.js";
import type { Option } from "../../forms/controls.js";
import { Page } from "../../layout/layout.js";
import { NoOrganization } from "../../layout/notices.js";
import { sendPage } from "../../layout/reply.js";
import { formatWeekday, lastDayOfWeek } from "../../text/format.js";
import { SampleNote } from "../../organizations/sample/sample-links.js";
import { PeopleSuggestions } from "../../tasks/row-acts.js";
import { AttentionList, shownAtMost } from "./attention-list.js";
import { connectPages, ConnectPanel } from "./connect.js";
import { DueThisWeek } from "./due-this-week.js";
import { Figures } from "./figures.js";
import { FirstSteps, hideFirstStepsForm, StepsLeft } from "./first-steps.js";
import { VisiblePartNote, type OwnPlaces } from "./visible-part-note.js";
import { t, tRich } from "../../../language/translate.js";
import { DueOf, TaskSummary } from "../../tasks/task-summary.js";
import { requireMember, readMember } from "../../../plugins/members.js";

const shownAtFirst = 8;
const dueAtMost = 20;
const ownAtMost = 5;
const figureDays = 90;

/** `/`: the home page. */
export const homePages: FastifyPluginAsync = async (app) => {
  await app.register(organizationsPages);
  await app.register(connectPages);
  await app.register(async (forms) => {
    forms.addHook("preHandler", requireMember);
    await forms.register(hideFirstStepsForm);
  });

  app.get<{ Querystring: { attention?: unknown } }>(
    "/",
    {
      preHandler: async (request, reply) =>
        request.person === null ? reply.redirect("/signin", 303) : readMember(request, reply),
    },
    async (request, reply) => {
      const { caller, person } = request;
      if (caller === null) return sendPage(reply, <StrangerPage name={person?.name ?? ""} />);
      const isLong = request.query.attention === "all";
      const { db: own } = request;
      request.onlyReads = true;
      const [day, connectedApps, steps] = await Promise.all([
        readDay(request, caller, isLong ? shownAtMost : shownAtFirst),
        countConnections(own, person?.id ?? ""),
        findFirstSteps(own, caller),
      ]);
      const view = {
        caller,
        ...day,
        isLong,
        connectedApps,
        steps,
        mcpUrl: app.services.config.baseUrl + mcpPath,
        isSample: request.memberships.some(
          (membership) => membership.is_sample && membership.id === caller.organizationId,
        ),
      };
      return sendPage(reply, <HomePage {...view} />);
    },
  );
};

interface Day {
  today: string;
  /** Undefined if there is too much data to total in time. */
  figures: KeyFigures | undefined;
  /** Undefined if there is too much data to sort in time. */
  attention: Attention | undefined;
  due: TaskPage;
  /** For people who work rather than manage. */
  own: TaskPage | undefined;
  /** For people who don't see everything, and for an empty organization. */
  places: OwnPlaces | undefined;
  /** The possible assignees, and the places where the caller assigns work. */
  people: readonly Option[];
  manages: (place: WorkspaceRef) => boolean;
}

async function readDay(
  { db, server }: FastifyRequest,
  caller: Caller,
  limit: number,
): Promise<Day> {
  const today = todayOf(caller);
  const week = { due_from: today, due_to: lastDayOfWeek(today) };
  const isMember = caller.organizationRole === "member";
  const [figures, attention, due, own, people, manages, places] = await Promise.all([
    unlessTooSlow(getKeyFigures(db, caller, { days: figureDays })),
    unlessTooSlow(findAttention(db, { caller, limit })),
    listTasks(
      db,
      caller,
      { state: "open", ...week, sort: "due_date", limit: dueAtMost },
      server.services.cursors,
    ),
    isMember ? listOwnWork(db, caller, server.services.cursors) : undefined,
    personOptions(db, caller),
    findPlacesWithRole(db, caller, "admin"),
    isMember ? findWorkspaceChoices(db, caller) : undefined,
  ]);
  const day = { today, figures, attention, due, own, people, manages };
  if (!isEmpty(figures)) return { ...day, places };
  return { ...day, places: places ?? (await findWorkspaceChoices(db, caller)) };
}

function listOwnWork(db: Tx, caller: Caller, cursors: CursorCodec): Promise<TaskPage> {
  const mine = { state: "open", assigned_to_user_id: caller.userId } as const;
  return listTasks(db, caller, { ...mine, sort: "urgency", limit: ownAtMost }, cursors);
}

function isEmpty(figures: KeyFigures | undefined): boolean {
  if (figures === undefined) return false;
  const { assets, tasks } = figures;
  return assets.total + assets.deleted + tasks.total === 0;
}

interface HomeView extends Day {
  caller: Caller;
  isLong: boolean;
  connectedApps: number;
  mcpUrl: string;
  steps: StepsDone | undefined;
  isSample: boolean;
}

function HomePage(view: HomeView): VNode {
  const { caller, today, figures, places, isSample } = view;
  return (
    <Page title={t("Home")} width="wide" current="/">
      <header class="page-head home-head">
        <div>
          <h1>{tRich("Welcome, {name}", { name: <bdi>{caller.userName}</bdi> })}</h1>
          <p class="soft">
            <time dateTime={today}>{formatWeekday(today)}</time>
          </p>
          <VisiblePartNote caller={caller} places={places} />
          {isSample && <SampleNote />}
        </div>
      </header>
      {isEmpty(figures) ? <FirstSteps {...view} /> : <WorkingDay {...view} />}
    </Page>
  );
}

function WorkingDay(view: HomeView): VNode {
  const { caller, today, figures, attention, due, isLong, connectedApps, mcpUrl, steps } = view;
  return (
    <div class="home">
      <div class="home-main">
        <PeopleSuggestions people={view.people} />
        {steps !== undefined && <StepsLeft steps={steps} />}
        <OwnWork own={view.own} today={today} />
        <AttentionList {...{ attention, isLong, today }} manages={view.manages} />
        <DueThisWeek due={due} today={today} />
      </div>
      <div class="home-side">
        <Figures figures={figures} caller={caller} today={today} />
        <ConnectPanel connectedApps={connectedApps} mcpUrl={mcpUrl} />
      </div>
    </div>
  );
}

function StrangerPage({ name }: { name: string }): VNode {
  return (
    <Page title={t("Home")} current="/">
      <h1>{tRich("Welcome, {name}", { name: <bdi>{name}</bdi> })}</h1>
      <NoOrganization />
    </Page>
  );
}

/** The reader's most urgent open tasks, shown before everyone's. */
function OwnWork({ own, today }: { own: TaskPage | undefined; today: string }): VNode | null {
  if (own === undefined || own.tasks.length === 0) return null;
  return (
    <section aria-labelledby="own">
      <h2 id="own">{t("Your work")}</h2>
      <ul class="things due">
        {own.tasks.map((task) => (
          <TaskSummary key={task.id} task={task} isOwn>
            <DueOf task={task} today={today} />
          </TaskSummary>
        ))}
      </ul>
      {own.total_count > own.tasks.length && (
        <p>
          <a href="/tasks?assignee=me">
            {t("View all your {count} open tasks", { count: own.total_count })}
          </a>
        </p>
      )}
    </section>
  );
}
