import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { listAssets, type AssetPage } from "../../domain/assets/asset-queries.js";
import type { CursorCodec } from "../../domain/shared/cursors.js";
import type { Total } from "../../domain/shared/totals.js";
import { findCoverPictures } from "../../domain/files/find-files.js";
import { listUsers, type UserPage } from "../../domain/people/people.js";
import { findReferredAsset } from "../../domain/shared/referred-assets.js";
import { getTaskId } from "../../domain/shared/task-references.js";
import { listTasks, type TaskPage } from "../../domain/tasks/task-queries.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { listWorkspaces, type WorkspacePage } from "../../domain/organizations/workspaces.js";
import { AppError } from "../../errors.js";
import { t } from "../../language/translate.js";
import { DidYouMean as SimilarAssets } from "../assets/list-parts.js";
import { findAssetChoices } from "../forms/found-assets.js";
import { readText } from "../forms/form-fields.js";
import { findCommentsAnywhere } from "../../domain/comments/find-comments.js";
import { AssetPicture } from "../layout/asset-picture.js";
import { Avatar } from "../layout/avatar.js";
import { AssetBadge, TaskBadge } from "../layout/badges.js";
import type { FormError } from "../layout/error-summary.js";
import { InventoryNumber } from "../layout/facts.js";
import { Page } from "../layout/layout.js";
import { Moment } from "../layout/moment.js";
import { EmptyState } from "../layout/notices.js";
import { PageHead } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { FilterForm } from "../lists/filters.js";
import { readFilterText } from "../lists/list-query.js";
import { WrongFilters } from "../lists/wrong-filters.js";
import { personAddress } from "../settings/members/parts.js";
import { SimilarTasks } from "../tasks/list-parts.js";
import { PersonName } from "../text/person-name.js";
import { countOf } from "../text/format.js";
import { requireMember } from "../../plugins/members.js";
import { findRecent, RecentRecords, type Recent } from "./recent.js";

const path = "/search";
const shownOfEach = 5;
/** There is no list of all comments. */
const shownComments = 20;

/** `/search`: finds everything that a person sees, by words or by number. */
export const searchPages: FastifyPluginAsync = async (app) => {
  app.get(path, { preHandler: requireMember }, async (request, reply) => {
    const caller = callerOf(request);
    const db = request.db;
    const asked = readText(request.query, "q").trim();
    const errors: FormError[] = [];
    const given = asked === "" ? undefined : asked;
    const query = readFilterText(given, { field: "q", label: t("Search"), max: 200 }, errors);
    const exact = query === undefined ? undefined : await findExact(db, caller, query);
    if (exact !== undefined) return reply.redirect(exact, 303);
    const found =
      query === undefined ? undefined : await search(db, caller, query, app.services.cursors);
    const recent = asked === "" ? await findRecent(db, caller, request) : [];
    const status = errors.length === 0 ? 200 : 400;
    return sendPage(reply.code(status), <SearchPage {...{ asked, found, recent, errors }} />);
  });
  // For fields that name an asset, while the person types.
  app.get(`${path}/assets`, { preHandler: requireMember }, async (request) => {
    const query = readText(request.query, "q");
    return findAssetChoices(request.db, callerOf(request), query, app.services.cursors);
  });
};

/** The page of the one record with this number or id. */
async function findExact(db: Tx, caller: Caller, query: string): Promise<string | undefined> {
  const asset = await findReferredAsset(db, caller, query);
  if (asset !== undefined) return `/assets/${asset.id}`;
  if (idKindOf(query) !== "task" && !/^#?T-\d{1,9}$/i.test(query)) return undefined;
  try {
    return `/tasks/${await getTaskId(db, caller, query)}`;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

interface Found {
  assets: AssetPage;
  /** The id of each asset's newest picture, by asset id. */
  covers: ReadonlyMap<string, string>;
  tasks: TaskPage;
  people: UserPage;
  workspaces: WorkspacePage;
  comments: Awaited<ReturnType<typeof findCommentsAnywhere>>;
}

async function search(db: Tx, caller: Caller, query: string, cursors: CursorCodec): Promise<Found> {
  const limit = shownOfEach;
  const [assets, tasks, people, workspaces, comments] = await Promise.all([
    listAssets(db, caller, { query, state: "all", sort: "name", limit }, cursors),
    listTasks(db, caller, { query, state: "all", sort: "urgency", limit }, cursors),
    listUsers(db, caller, { query, sort: "name", limit }, cursors),
    listWorkspaces(db, caller, { query, limit }, cursors),
    findCommentsAnywhere(db, caller, { query }, shownComments),
  ]);
  const covers = await findCoverPictures(
    db,
    caller,
    assets.assets.map(({ id }) => id),
  );
  return { assets, covers, tasks, people, workspaces, comments };
}

interface SearchView {
  asked: string;
  found: Found | undefined;
  recent: readonly Recent[];
  errors: readonly FormError[];
}

function SearchPage({ asked, found, recent, errors }: SearchView): VNode {
  return (
    <Page title={asked === "" ? t("Search") : t("Search for {asked}", { asked })} current={path}>
      <PageHead title={t("Search")} />
      <FilterForm
        path={path}
        label={t("Everything")}
        q={asked}
        searchLabel={t("Search assets, tasks, comments, people and workspaces, or enter a number")}
        isNarrowed={false}
      />
      {errors.length > 0 && <WrongFilters errors={errors} />}
      {found !== undefined && <Results asked={asked} {...found} />}
      <RecentRecords records={recent} />
    </Page>
  );
}

function Results({ asked, ...found }: Found & { asked: string }): VNode {
  const { assets, covers, tasks, people, workspaces, comments } = found;
  const q = encodeURIComponent(asked);
  const total = [assets, tasks, people, workspaces, comments].reduce(
    (sum, one) => sum + one.total_count,
    0,
  );
  if (total === 0) return <Nothing asked={asked} assets={assets} tasks={tasks} />;
  return (
    <>
      <Group title={t("Assets")} one="asset" found={assets} all={`/assets?q=${q}&state=all`}>
        {assets.assets.map((asset) => (
          <Result
            key={asset.id}
            href={`/assets/${asset.id}`}
            name={asset.name}
            picture={<AssetPicture asset={asset} cover={covers.get(asset.id)} />}
            mark={<AssetBadge state={asset.state} />}
          >
            <InventoryNumber>{asset.inventory_number}</InventoryNumber>
            <span dir="auto">{asset.workspace_name ?? t("In no workspace")}</span>
          </Result>
        ))}
      </Group>
      <Group title={t("Tasks")} one="task" found={tasks} all={`/tasks?q=${q}&state=all`}>
        {tasks.tasks.map((task) => (
          <Result
            key={task.id}
            href={`/tasks/${task.id}`}
            name={task.title}
            mark={<TaskBadge state={task.progress ?? task.state} />}
          >
            <span>{task.task_number}</span>
            <span dir="auto">{task.asset_name ?? task.workspace_name}</span>
          </Result>
        ))}
      </Group>
      <Group title={t("Comments")} one="comment" found={comments}>
        {comments.comments.map(({ id, task_id, asset_id, subject, author, created_at, text }) => (
          <Result
            key={id}
            href={`${task_id === null ? `/assets/${asset_id ?? ""}` : `/tasks/${task_id}`}/comments#${id}`}
            name={subject}
          >
            <PersonName name={author} />
            <Moment at={created_at} />
            <span class="found-text" dir="auto">
              {text}
            </span>
          </Result>
        ))}
      </Group>
      <Group title={t("People")} one="person" found={people} all={`/settings/members?q=${q}`}>
        {people.users.map(({ id, name, email }) => (
          <Result key={id} href={personAddress(id)} name={name} picture={<Avatar name={name} />}>
            {email !== null && <span>{email}</span>}
          </Result>
        ))}
      </Group>
      <Group title={t("Workspaces")} one="workspace" found={workspaces} all={`/workspaces?q=${q}`}>
        {workspaces.workspaces.map(({ id, name, asset_count }) => (
          <Result key={id} href={`/workspaces/${id}`} name={name}>
            <span>{countOf(asset_count, "asset")}</span>
          </Result>
        ))}
      </Group>
    </>
  );
}

const idOf = {
  asset: "assets",
  comment: "comments",
  person: "people",
  task: "tasks",
  workspace: "workspaces",
};

/** The first few results of a kind, and a link to all. */
function Group({
  title,
  one,
  found,
  all,
  children,
}: {
  title: string;
  one: keyof typeof idOf;
  found: Total;
  /** The list of all, if there is one. */
  all?: string;
  children: ComponentChildren;
}): VNode | null {
  const { total_count: total, total_is_minimum: isMinimum } = found;
  if (total === 0) return null;
  const id = `found-${idOf[one]}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="things found">{children}</ul>
      {all !== undefined && total > shownOfEach && (
        <p>
          <a href={all}>
            {isMinimum === true
              ? t("More than {records} in the list", { records: countOf(total, one) })
              : t("All {records} in the list", { records: countOf(total, one) })}
          </a>
        </p>
      )}
    </section>
  );
}

function Result({
  href,
  name,
  picture,
  mark,
  children,
}: {
  href: string;
  name: string;
  picture?: VNode;
  mark?: VNode;
  children: ComponentChildren;
}): VNode {
  return (
    <li>
      {picture}
      <div>
        <a class="thing" href={href} dir="auto">
          {name}
        </a>
        <p class="about">{children}</p>
      </div>
      {mark}
    </li>
  );
}

function Nothing({
  asked,
  assets,
  tasks,
}: Pick<Found, "assets" | "tasks"> & { asked: string }): VNode {
  return (
    <EmptyState title={t("No results for “{asked}”", { asked })}>
      {assets.did_you_mean !== undefined && (
        <SimilarAssets path="/assets" suggestions={assets.did_you_mean} values={{}} />
      )}
      {tasks.did_you_mean !== undefined && <SimilarTasks tasks={tasks.did_you_mean} />}
      <p>{t("Try fewer words, a different spelling, or the number on the label.")}</p>
    </EmptyState>
  );
}
