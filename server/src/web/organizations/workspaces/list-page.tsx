import type { ComponentChildren, VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import {
  listWorkspaces,
  type WorkspacePage as FoundWorkspaces,
  type WorkspaceRow,
} from "../../../domain/organizations/workspaces.js";
import { exportWorkspaces } from "../../../domain/exchange/export-lists.js";
import { workspaceColumns } from "../../../domain/exchange/headings.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { ImportLink } from "../../lists/export-links.js";
import { ListBody, listRoute } from "../../lists/list-route.js";
import { FilterForm } from "../../lists/filters.js";
import { toPageQuery } from "../../lists/list-query.js";
import { readForm, textField } from "../../forms/form-fields.js";
import { Page } from "../../layout/layout.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { ListCount } from "../../lists/pager.js";
import { EmptyState } from "../../layout/notices.js";
import { ErrorSummary, type FormError } from "../../layout/error-summary.js";
import { workspaceFormsAddress, workspacesAddress as address } from "./addresses.js";
import { countOf, formatNumber } from "../../text/format.js";
import { Markdown } from "../../text/markdown.js";

const rowsOnPage = 30;
const maxQuery = 200;
/** The list truncates longer descriptions. */
const shownOfDescription = 120;
const listFields = { q: textField("Search"), cursor: textField("Page") };

/**
 * `/workspaces`: the places of an organization. Tools formerly used `/workspaces#wsp_…` as an
 * address.
 */
export const workspaceListPages = listRoute({
  path: address,
  read: (_, query) => readFilters(query),
  find: async ({ app, db, caller }, listing) => ({
    page: await listWorkspaces(db, caller, listing, app.services.cursors),
  }),
  more: async () => ({}),
  page: (view) => <WorkspacesPage {...view} />,
  columns: workspaceColumns,
  rows: (db, caller, { query }) => exportWorkspaces(db, caller, query),
});

function readFilters(asked: unknown) {
  const { values, given } = readForm(asked, listFields);
  const errors = findWrong(given.q);
  const query = errors.length > 0 ? undefined : given.q?.trim();
  return { values, listing: { query, limit: rowsOnPage, cursor: given.cursor }, errors };
}

function findWrong(q = ""): FormError[] {
  if (q.length <= maxQuery) return [];
  return [{ field: "q", message: t("Search for at most {max} characters.", { max: maxQuery }) }];
}

interface WorkspacesView {
  caller: Caller;
  page: FoundWorkspaces;
  filters: Pick<ReturnType<typeof readFilters>, "values">;
  errors: readonly FormError[];
}

function WorkspacesPage({ caller, page, filters: { values }, errors }: WorkspacesView): VNode {
  const { workspaces, total_count } = page;
  const isAdmin = isOrganizationAdmin(caller);
  const query = toPageQuery(values);
  const isSearched = query.has("q");
  const isEverything = !isSearched && !query.has("cursor");
  return (
    <Page title={t("Workspaces")} width="wide" current={address}>
      <PageHead
        title={t("Workspaces")}
        {...(isAdmin && {
          actions: (
            <>
              <ImportLink kind="workspaces" />
              <ActionLink href={`${workspaceFormsAddress}/new`}>{t("Add a workspace")}</ActionLink>
            </>
          ),
        })}
      />
      <ErrorSummary errors={errors} />
      {total_count === 0 && isEverything ? (
        <NoWorkspace isAdmin={isAdmin} organization={caller.organizationName} />
      ) : (
        <>
          <FilterForm path={address} label={t("Workspaces")} q={values.q} isNarrowed={isSearched} />
          <ListBody path={address} values={values} page={page}>
            {total_count === 0 ? (
              <EmptyState title={t("No workspace has that name")}>
                <p>
                  <a href={address}>{t("View all workspaces")}</a>
                </p>
              </EmptyState>
            ) : (
              <ListCount shown={workspaces.length} total={total_count} one="workspace" />
            )}
            {workspaces.length > 0 && (
              <ul class="places">
                {workspaces.map((workspace) => (
                  <Place key={workspace.id} workspace={workspace} isAdmin={isAdmin} />
                ))}
              </ul>
            )}
          </ListBody>
        </>
      )}
    </Page>
  );
}

function NoWorkspace({ isAdmin, organization }: { isAdmin: boolean; organization: string }): VNode {
  if (!isAdmin) {
    return (
      <EmptyState title={t("You're not in a workspace yet")}>
        <p>
          {t("Ask an owner or admin of {organization} to add you to a workspace.", {
            organization,
          })}
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t("No workspaces yet")}>
      <p>
        {t(
          "A workspace is a site, a building, a fleet or a team's area. People see the assets and tasks of their workspaces.",
        )}
      </p>
      <p>
        <ActionLink href={`${workspaceFormsAddress}/new`}>{t("Add a workspace")}</ActionLink>
      </p>
    </EmptyState>
  );
}

const ownRoles = translated({
  admin: "Your role: admin",
  member: "Your role: member",
  viewer: "Your role: viewer",
});

function Place({ workspace, isAdmin }: { workspace: WorkspaceRow; isAdmin: boolean }): VNode {
  const { id, name, description, address: postal, my_role } = workspace;
  return (
    <li id={id} class="place">
      <div>
        <h2>
          <a class="thing" href={`${address}/${id}`}>
            <bdi>{name}</bdi>
          </a>
        </h2>
        {description !== null && (
          <Markdown
            text={description.length === shownOfDescription ? `${description}…` : description}
          />
        )}
        {postal !== null && (
          <p class="soft" dir="auto">
            {postal}
          </p>
        )}
        {!isAdmin && <p class="soft">{ownRoles[my_role]}</p>}
        {my_role !== "viewer" && (
          <p>
            <a href={`/rounds/new?workspace=${id}`}>
              {tRich("Start a round<hidden> in {name}</hidden>", { name, hidden })}
            </a>
          </p>
        )}
      </div>
      <Counts workspace={workspace} />
      {my_role === "admin" && (
        <a class="place-edit" href={`${workspaceFormsAddress}/${id}`}>
          {tRich("Edit<hidden> {name}</hidden>", { name, hidden })}
        </a>
      )}
    </li>
  );
}

function hidden(words: ComponentChildren): VNode {
  return <span class="visually-hidden">{words}</span>;
}

function Counts({ workspace }: { workspace: WorkspaceRow }): VNode {
  const { id, name, asset_count, open_tasks, overdue_tasks, members } = workspace;
  const place = <span class="visually-hidden">{t(" in {name}", { name })}</span>;
  return (
    <ul class="counts">
      <li>
        <a href={`/assets?workspace_id=${id}`}>
          {countOf(asset_count, "asset")}
          {place}
        </a>
      </li>
      <li>
        <a href={`/tasks?workspace_id=${id}`}>
          {countOf(open_tasks, "open task")}
          {place}
        </a>
      </li>
      <li>
        {overdue_tasks > 0 && (
          <a class="bad" href={`/tasks?state=overdue&workspace_id=${id}`}>
            {t("{number} overdue", { number: formatNumber(overdue_tasks) })}
            {place}
          </a>
        )}
      </li>
      <li class="soft">{countOf(members, "member")}</li>
    </ul>
  );
}
