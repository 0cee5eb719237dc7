import type { ComponentChildren, VNode } from "preact";
import {
  findPlacesWithRole,
  workspaceRefOf,
  type WorkspaceRef,
} from "../../domain/access/roles.js";
import { mayAddTasks } from "../../domain/tasks/task-permissions.js";
import { exportTasks } from "../../domain/exchange/export-lists.js";
import { taskColumns as exportedColumns } from "../../domain/exchange/headings.js";
import { findSavedViews, type View } from "../../domain/people/saved-views.js";
import { findTaskAssets, type TaskAsset } from "../../domain/tasks/task-assets.js";
import { listTasks, type TaskListing, type TaskPage } from "../../domain/tasks/task-queries.js";
import { findWorkspaceChoices } from "../../domain/organizations/workspace-choices.js";
import { t, tRich } from "../../language/translate.js";
import { personOptions } from "../forms/choices.js";
import { toNamedOptions, type Option } from "../forms/controls.js";
import { ChosenBar, ListTable, type ColumnChoice } from "../lists/list-table.js";
import { Page } from "../layout/layout.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { toAddress } from "../lists/pager.js";
import { EmptyState } from "../layout/notices.js";
import { type FormError } from "../layout/error-summary.js";
import { countOf, formatNumber } from "../text/format.js";
import { Views } from "../lists/saved-views.js";
import { ListBody, listRoute } from "../lists/list-route.js";
import { ImportLink } from "../lists/export-links.js";
import { WrongFilters } from "../lists/wrong-filters.js";
import {
  isNarrowed,
  quickViews,
  readFilters,
  toQuery,
  usual,
  type QuickView,
  type ReadFilters,
} from "./list-filters.js";
import { chooseTaskColumns, Filters, SimilarTasks, TaskListRow } from "./list-parts.js";
import { PeopleSuggestions } from "./row-acts.js";

const path = "/tasks";
const nothing: Pick<ListView, "page" | "assets"> = {
  page: { tasks: [], total_count: 0, overdue_count: 0 },
  assets: new Map(),
};

/** `/tasks`: the organization's maintenance tasks, open ones first. */
export const taskListPages = listRoute({
  path,
  usual,
  read: readFilters,
  find: async ({ app, db, caller }, listing) => {
    const page = await listTasks(db, caller, listing, app.services.cursors);
    const ids = page.tasks.map(({ id }) => id);
    return { page, assets: await findTaskAssets(db, caller, ids) };
  },
  nothing,
  countAll: async ({ app, db, caller }) => {
    const all = { state: "all", sort: "urgency", limit: 1 } as const;
    return (await listTasks(db, caller, all, app.services.cursors)).total_count;
  },
  more: async ({ db, caller }) => {
    const [workspaces, people, mayChange, savedViews] = await Promise.all([
      findWorkspaceChoices(db, caller),
      personOptions(db, caller),
      findPlacesWithRole(db, caller, "member"),
      findSavedViews(db, caller, "tasks"),
    ]);
    const mayAdd = mayAddTasks(caller, workspaces);
    return { workspaces: toNamedOptions(workspaces), people, mayChange, mayAdd, savedViews };
  },
  page: (view) => <TasksPage {...view} views={quickViews(view.caller, view.today)} />,
  columns: exportedColumns,
  rows: exportTasks,
});

interface ListView {
  filters: ReadFilters;
  chosenColumns: readonly string[];
  workspaces: readonly Option[];
  people: readonly Option[];
  views: readonly QuickView[];
  savedViews: readonly View[];
  page: TaskPage;
  /** By task id. */
  assets: ReadonlyMap<string, TaskAsset>;
  errors: readonly FormError[];
  mayAdd: boolean;
  /** True if the caller may change records in a workspace. */
  mayChange: (place: WorkspaceRef) => boolean;
  /** True if there are no tasks yet. */
  isFirstStep: boolean;
  today: string;
}

function TasksPage(view: ListView): VNode {
  const { filters, page, errors, mayAdd, isFirstStep } = view;
  const columns = chooseTaskColumns(view.chosenColumns, filters.values, page.tasks, view.assets);
  return (
    <Page title={t("Tasks")} width="wide" current={path}>
      <PageHead
        title={t("Tasks")}
        actions={
          mayAdd && (
            <>
              <ImportLink kind="tasks" />
              <ActionLink href="/tasks/quick" quiet>
                {t("Quick add")}
              </ActionLink>
              <ActionLink href="/tasks/new">{t("Add a task")}</ActionLink>
            </>
          )
        }
      />
      {isFirstStep && errors.length === 0 ? (
        <FirstStep mayAdd={mayAdd} />
      ) : (
        <>
          <Views
            path={path}
            usual={view.views}
            saved={view.savedViews}
            current={toQuery(filters.values)}
          />
          <Filters path={path} columns={columns} {...view} />
          {errors.length > 0 && <WrongFilters errors={errors} />}
          <ListBody path={path} values={filters.values} usual={usual} page={page}>
            <Count page={page} state={filters.listing.state} />
            {page.tasks.length === 0 ? (
              <NothingFound {...view} />
            ) : (
              <List columns={columns} {...view} />
            )}
          </ListBody>
        </>
      )}
    </Page>
  );
}

/** "30 of 214 tasks, 12 overdue". The overdue count appears only where some can be overdue. */
function Count({
  page: { tasks, total_count: total, overdue_count: overdue, ...page },
  state,
}: Pick<ListView, "page"> & { state: TaskListing["state"] }) {
  if (total === 0) return null;
  const isMixed = state !== "overdue" && state !== "completed" && state !== "cancelled";
  const counted = (count: string, isMinimum = false) =>
    isMinimum ? t("more than {counted}", { counted: count }) : count;
  const all = counted(countOf(total, "task"), page.total_is_minimum);
  const shown =
    tasks.length === total
      ? all
      : t("{shown} of {all}", { shown: formatNumber(tasks.length), all });
  const late = counted(formatNumber(overdue), page.overdue_is_minimum);
  const ofLate =
    overdue === 0
      ? t("{tasks}, none overdue", { tasks: shown })
      : t("{tasks}, {late} overdue", { tasks: shown, late });
  return <p class="list-count">{isMixed ? ofLate : shown}</p>;
}

function List({
  columns: { shown },
  page,
  assets,
  mayChange,
  ...view
}: ListView & { columns: ColumnChoice }): VNode {
  const { tasks } = page;
  const isActing = tasks.some((task) => mayChange(workspaceRefOf(task)));
  return (
    <>
      {isActing && <PeopleSuggestions people={view.people} />}
      <ListTable
        label={t("Tasks")}
        columns={shown}
        sort={{ path, values: view.filters.values, usual }}
        hasActs={isActing}
      >
        {tasks.map((task) => (
          <TaskListRow
            key={task.id}
            task={task}
            asset={assets.get(task.id)}
            columns={shown}
            mayChange={mayChange(workspaceRefOf(task))}
            isActing={isActing}
            {...view}
          />
        ))}
      </ListTable>
      {isActing && (
        <ChosenBar path={path} mayChange>
          <button type="submit" class="quiet" name="part" value="due">
            {t("Reschedule")}
          </button>
          <button type="submit" class="quiet" name="part" value="assignee">
            {t("Assign")}
          </button>
        </ChosenBar>
      )}
    </>
  );
}

function FirstStep({ mayAdd }: { mayAdd: boolean }): VNode {
  return (
    <EmptyState title={t("No tasks yet")}>
      <p>
        {t(
          "Plan inspections, repairs and cleaning, one-off or recurring. The most urgent work is always on top.",
        )}
      </p>
      {mayAdd ? (
        <p>
          <ActionLink href="/tasks/new">{t("Add a task")}</ActionLink>
        </p>
      ) : (
        <p>{t("An organization admin or a workspace member can add the first one.")}</p>
      )}
    </EmptyState>
  );
}

function NothingFound({ filters, page, errors }: ListView): VNode {
  const { state } = filters.listing;
  const isAllDone = errors.length === 0 && !isNarrowed(filters);
  if (isAllDone && state === "overdue") {
    return (
      <EmptyState title={t("Nothing is overdue")}>
        <p>{t("You're up to date.")}</p>
      </EmptyState>
    );
  }
  if (isAllDone && state === "open") {
    return (
      <EmptyState title={t("All done")}>
        <p>{t("All tasks are finished.")}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t("No tasks match")}>
      {page.did_you_mean !== undefined && <SimilarTasks tasks={page.did_you_mean} />}
      <p>
        {tRich("<a>Show all tasks</a>, or change the search.", {
          a: (words: ComponentChildren) => (
            <a href={toAddress(path, toQuery({ state: "all" }))}>{words}</a>
          ),
        })}
      </p>
    </EmptyState>
  );
}
