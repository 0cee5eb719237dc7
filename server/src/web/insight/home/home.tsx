import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { mcpPath } from "fettle-shared";
import type { ComponentChildren, VNode } from "preact";
import { findCoverPictures } from "../../../domain/files/find-files.js";
import {
  findAttention,
  type Attention,
  type AttentionEntry,
} from "../../../domain/insight/attention.js";
import { findBestMonth, type BestMonth } from "../../../domain/insight/best-month.js";
import { bandOf } from "../../../domain/insight/reasons.js";
import type { Caller } from "../../../domain/access/caller.js";
import { findPlacesWithRole, type WorkspaceRef } from "../../../domain/access/roles.js";
import { todayOf } from "../../../domain/access/clock.js";
import { countConnections } from "../../../domain/oauth/connections.js";
import { findFirstSteps, type StepsDone } from "../../../domain/organizations/first-steps.js";
import { unlessTooSlow } from "../../../db/query-errors.js";
import { getKeyFigures, type KeyFigures } from "../../../domain/insight/organization-stats.js";
import { findTaskAssets, type TaskAsset } from "../../../domain/tasks/task-assets.js";
import { findDoneBy } from "../../../domain/tasks/task-link-reviews.js";
import { findDueDays } from "../../../domain/tasks/plan-days.js";
import type { TaskPage } from "../../../domain/tasks/task-queries.js";
import { findWorkspaceChoices } from "../../../domain/organizations/workspace-choices.js";
import { organizationsPages } from "../../accounts/organizations.js";
import { personOptions } from "../../forms/choices.js";
import type { Option } from "../../forms/controls.js";
import { Page } from "../../layout/layout.js";
import { useLayout } from "../../layout/layout-context.js";
import { NoOrganization } from "../../layout/notices.js";
import { keepOfflineFor } from "../../layout/offline-cookie.js";
import { sendPage } from "../../layout/reply.js";
import { formatWeekday, lastDayOfWeek } from "../../text/format.js";
import { SampleNote } from "../../organizations/sample/sample-links.js";
import { arrangeOwn, listOwnTasks, type OwnTasks } from "../../tasks/own-tasks.js";
import { PeopleSuggestions } from "../../tasks/row-acts.js";
import { arrangeBands, type Bands } from "./arrange-bands.js";
import { AttentionList } from "./attention-list.js";
import { connectPages, ConnectPanel } from "./connect.js";
import { DueThisWeek, type DueWork } from "./due-this-week.js";
import { Figures } from "./figures.js";
import { FirstSteps, hideFirstStepsForm, StepsLeft } from "./first-steps.js";
import { OwnWork } from "./own-work.js";
import { VisiblePartNote, type OwnPlaces } from "./visible-part-note.js";
import { currentLocale, languageOf } from "../../../language/locale.js";
import { t, tRich } from "../../../language/translate.js";
import { requireMember, readMember } from "../../../plugins/members.js";

const rowsAtFirst = 4;
const rowsAtMost = 50;
/** Tasks read for each day of the week. Some of them may be the reader's own, shown elsewhere. */
const dueAtMost = 30;

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
      keepOfflineFor(reply, caller);
      const isLong = request.query.attention === "all";
      const { db: own } = request;
      request.onlyReads = true;
      const [day, connectedApps, steps] = await Promise.all([
        readDay(request, caller, isLong ? rowsAtMost : rowsAtFirst),
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
  best: BestMonth | undefined;
  /** Undefined if there is too much data to sort in time. */
  bands: Bands | undefined;
  /** Broken assets, by the task that repairs them. */
  broken: ReadonlyMap<string, AttentionEntry>;
  covers: ReadonlyMap<string, string>;
  /** The assets of the person's own tasks, by task id. */
  assets: ReadonlyMap<string, TaskAsset>;
  /** Contractors who marked the person's own tasks as done, by task id. */
  doneBy: ReadonlyMap<string, string>;
  due: DueWork | undefined;
  own: OwnTasks;
  /** True for people who don't manage all of their places. Their own work comes first. */
  isTechnician: boolean;
  /** For people who don't see everything, and for an empty organization. */
  places: OwnPlaces | undefined;
  /** The possible assignees, and the places where the caller assigns work. */
  people: readonly Option[];
  manages: (place: WorkspaceRef) => boolean;
}

async function readDay(
  { db, server }: FastifyRequest,
  caller: Caller,
  atMost: number,
): Promise<Day> {
  const today = todayOf(caller);
  const { cursors } = server.services;
  const week = { from: today, to: lastDayOfWeek(today), atMost: dueAtMost };
  const isMember = caller.organizationRole === "member";
  const [figures, best, attention, due, own, people, manages, places] = await Promise.all([
    unlessTooSlow(getKeyFigures(db, caller)),
    unlessTooSlow(findBestMonth(db, caller)),
    unlessTooSlow(findAttention(db, { caller, limit: rowsAtMost, isByBand: true })),
    unlessTooSlow(findDueDays(db, caller, {}, week)),
    listOwnTasks(db, caller, cursors),
    personOptions(db, caller),
    findPlacesWithRole(db, caller, "admin"),
    isMember ? findWorkspaceChoices(db, caller) : undefined,
  ]);
  const isTechnician = places?.some(({ role }) => role === "member") === true;
  const arranged = arrangeDay(attention, own, { today, isTechnician, atMost });
  const [covers, assets, doneBy] = await Promise.all([
    findCoverPictures(db, caller, assetsIn(arranged.bands)),
    findTaskAssets(db, caller, [...idsOf(arranged.own)]),
    findDoneBy(db, caller, [...idsOf(arranged.own)]),
  ]);
  const day = {
    today,
    figures,
    best,
    covers,
    assets,
    doneBy,
    due,
    people,
    manages,
    isTechnician,
    ...arranged,
  };
  if (!isEmpty(figures)) return { ...day, places };
  return { ...day, places: places ?? (await findWorkspaceChoices(db, caller)) };
}

/** Technicians' own work isn't in the bands, managers' work in the bands isn't their own. */
function arrangeDay(
  attention: Attention | undefined,
  page: TaskPage,
  { today, isTechnician, atMost }: { today: string; isTechnician: boolean; atMost: number },
): Pick<Day, "bands" | "broken" | "own"> {
  const broken = new Map(
    attention?.entries.flatMap((entry): [string, AttentionEntry][] =>
      bandOf[entry.reason] === "broken" && entry.task ? [[entry.task.id, entry]] : [],
    ),
  );
  const arrange = (skipped: ReadonlySet<string>) =>
    attention && arrangeBands(attention, { skipped, atMost });
  if (isTechnician) {
    const own = arrangeOwn(page, today);
    return { own, broken, bands: arrange(idsOf(own)) };
  }
  const bands = arrange(new Set());
  const shown = new Set(rowsIn(bands).map(({ task }) => task?.id));
  const tasks = page.tasks.filter(({ id }) => !shown.has(id));
  const total_count = page.total_count - (page.tasks.length - tasks.length);
  return { own: arrangeOwn({ tasks, total_count }, today), broken, bands };
}

function rowsIn(bands: Bands | undefined): AttentionEntry[] {
  if (bands === undefined) return [];
  const { broken, late, unassigned, watch } = bands;
  return [...broken.rows, ...late.rows.flat(), ...unassigned.rows, ...watch.rows];
}

function assetsIn(bands: Bands | undefined): string[] {
  return [...new Set(rowsIn(bands).flatMap(({ asset }) => asset?.id ?? []))];
}

function idsOf({ today, next }: OwnTasks): Set<string> {
  return new Set([...today, ...next].map(({ id }) => id));
}

function isEmpty(figures: KeyFigures | undefined): boolean {
  if (figures === undefined) return false;
  const { assets, tasks } = figures;
  return assets.total + assets.deleted + tasks.total === 0;
}

interface HomeView extends Day {
  /** True if the bands show all rows. */
  isLong: boolean;
  caller: Caller;
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
          <h1>{greet(caller.userName)}</h1>
          <p class="soft">
            <time dateTime={today}>{formatWeekday(today)}</time>
          </p>
          <VisiblePartNote caller={caller} places={places} />
          <FailingWebhooks />
          {isSample && <SampleNote />}
        </div>
      </header>
      {isEmpty(figures) ? <FirstSteps {...view} /> : <WorkingDay {...view} />}
    </Page>
  );
}

function FailingWebhooks(): VNode | null {
  const { failingWebhooks: count } = useLayout();
  if (count === 0) return null;
  return (
    <p>
      <a class="tag bad" href="/settings/webhooks">
        {t("{count, plural, one {# webhook fails} other {# webhooks fail}}", { count })}
      </a>
    </p>
  );
}

function WorkingDay(view: HomeView): VNode {
  const { caller, today, bands, own, assets, due, isTechnician, places, steps } = view;
  const worksIn = (id: string | null) =>
    places === undefined || places.some((place) => place.id === id && place.role !== "viewer");
  const ownWork = (
    <OwnWork
      own={own}
      isFirst={isTechnician}
      {...{ today, assets, doneBy: view.doneBy, worksIn }}
      broken={view.broken}
    />
  );
  const hasOwn = own.today.length + own.next.length > 0;
  const attention = (
    <AttentionList
      bands={bands}
      isAfterOwn={isTechnician && hasOwn}
      hasAssets={view.figures === undefined || view.figures.assets.total > 0}
      manages={view.manages}
      today={today}
      covers={view.covers}
    />
  );
  return (
    <div class="home">
      <div class="home-main">
        <PeopleSuggestions people={view.people} />
        {steps !== undefined && <StepsLeft steps={steps} />}
        {isTechnician && ownWork}
        {isTechnician && own.today.length > 0 ? (
          <details class="others" open={view.isLong}>
            <summary>
              {t("Needs attention")} <MattersCount bands={bands} />
            </summary>
            {attention}
          </details>
        ) : (
          attention
        )}
        {!isTechnician && ownWork}
      </div>
      <div class="home-side">
        <DueThisWeek due={due} own={[...own.today, ...own.next]} today={today} />
      </div>
      <div class="home-foot">
        <Figures figures={view.figures} best={view.best} caller={caller} today={today} />
        <ConnectPanel connectedApps={view.connectedApps} mcpUrl={view.mcpUrl} />
      </div>
    </div>
  );
}

/** By first name, or in German by full name. Not by names that don't start with the first name. */
function greet(name: string): ComponentChildren {
  const [first = ""] = name.split(" ");
  const shown = languageOf(currentLocale()) === "de" ? name : first;
  const isPlain = !/[.,]/.test(first) && shown !== "";
  return isPlain ? tRich("Welcome, {name}", { name: <bdi>{shown}</bdi> }) : t("Welcome");
}

function MattersCount({ bands }: Pick<Day, "bands">): VNode | null {
  if (bands === undefined) return null;
  const counted = [bands.broken, bands.late, bands.unassigned];
  const total = counted.reduce((sum, band) => sum + band.total, 0);
  return <span class="count">{counted.some((band) => band.isCapped) ? `${total}+` : total}</span>;
}

function StrangerPage({ name }: { name: string }): VNode {
  return (
    <Page title={t("Home")} current="/">
      <h1>{greet(name)}</h1>
      <NoOrganization />
    </Page>
  );
}
