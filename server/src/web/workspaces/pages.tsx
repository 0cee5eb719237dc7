import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import {
  listWorkspaces,
  type WorkspacePage as FoundWorkspaces,
  type WorkspaceRow,
} from "../../domain/workspaces/workspaces.js";
import { FilterForm } from "../lists/filters.js";
import { toPageQuery } from "../lists/list-query.js";
import { readForm, textField } from "../forms/form-fields.js";
import { Page } from "../layout/layout.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { Pager, ListCount } from "../lists/pager.js";
import { EmptyState } from "../layout/notices.js";
import { ErrorSummary, type FormError } from "../layout/error-summary.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { workspaceRoleLabels } from "../text/value-labels.js";
import { countOf, formatNumber } from "../text/format.js";

const address = "/workspaces";
const rowsOnPage = 30;
const maxQuery = 200;
/** The list gives the beginning of longer ones. */
const shownOfDescription = 120;
const listFields = { q: textField("Search"), cursor: textField("Page") };

/** `/workspaces`: the places of an organization. Tools give `/workspaces#wsp_…` as an address. */
export const workspacePages: FastifyPluginAsync = async (app) => {
  app.get(address, { preHandler: app.requireMember }, async (request, reply) => {
    const caller = callerOf(request);
    const { values, given } = readForm(request.query, listFields);
    const tooLong = values.q.length > maxQuery;
    const found = await listWorkspaces(
      request.db.manager,
      caller,
      {
        query: tooLong ? undefined : given.q?.trim(),
        limit: rowsOnPage,
        cursor: given.cursor,
      },
      app.cursors,
    );
    const view = { caller, found, values };
    const errors = tooLong ? [{ field: "q", message: queryTooLong }] : [];
    return sendPage(reply.code(tooLong ? 400 : 200), <WorkspacesPage {...view} errors={errors} />);
  });
};

const queryTooLong = `Search for ${maxQuery} characters at most.`;

interface WorkspacesView {
  caller: Caller;
  found: FoundWorkspaces;
  values: Record<keyof typeof listFields, string>;
  errors: readonly FormError[];
}

function WorkspacesPage({ caller, found, values, errors }: WorkspacesView): VNode {
  const { workspaces, total_count, next_cursor } = found;
  const isAdmin = isOrganizationAdmin(caller);
  const query = toPageQuery(values);
  const isSearched = query.has("q");
  const isEverything = !isSearched && !query.has("cursor");
  return (
    <Page title="Workspaces" width="wide" current={address}>
      <PageHead
        title="Workspaces"
        {...(isAdmin && {
          actions: <ActionLink href="/settings/workspaces/new">Add a workspace</ActionLink>,
        })}
      />
      <ErrorSummary errors={errors} />
      {total_count === 0 && isEverything ? (
        <NoWorkspace isAdmin={isAdmin} organization={caller.organizationName} />
      ) : (
        <>
          <FilterForm path={address} label="Workspaces" q={values.q} isNarrowed={isSearched} />
          {total_count === 0 ? (
            <EmptyState title="No workspace is called that">
              <p>
                <a href={address}>See all workspaces</a>
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
          <Pager path={address} query={query} nextCursor={next_cursor} />
        </>
      )}
    </Page>
  );
}

function NoWorkspace({ isAdmin, organization }: { isAdmin: boolean; organization: string }): VNode {
  if (!isAdmin) {
    return (
      <EmptyState title="You belong to no workspace yet">
        <p>Ask an owner or admin of {organization} to add you to one.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="There is no workspace yet">
      <p>
        A workspace is a site, a building, a fleet or the area of a team. People see the assets and
        tasks of the workspaces they belong to.
      </p>
      <p>
        <ActionLink href="/settings/workspaces/new">Add a workspace</ActionLink>
      </p>
    </EmptyState>
  );
}

function Place({ workspace, isAdmin }: { workspace: WorkspaceRow; isAdmin: boolean }): VNode {
  const { id, name, description, address: postal, my_role } = workspace;
  return (
    <li id={id} class="place">
      <div>
        <h2>{name}</h2>
        {description !== null && (
          <p>{description.length === shownOfDescription ? `${description}…` : description}</p>
        )}
        {postal !== null && <p class="soft">{postal}</p>}
        {!isAdmin && <p class="soft">Your role: {workspaceRoleLabels[my_role].toLowerCase()}</p>}
      </div>
      <Counts workspace={workspace} />
      {my_role === "admin" && (
        <a class="place-edit" href={`/settings/workspaces/${id}`}>
          Edit<span class="visually-hidden"> {name}</span>
        </a>
      )}
    </li>
  );
}

function Counts({ workspace }: { workspace: WorkspaceRow }): VNode {
  const { id, name, asset_count, open_tasks, overdue_tasks, members } = workspace;
  const of = <span class="visually-hidden"> of {name}</span>;
  return (
    <ul class="counts">
      <li>
        <a href={`/assets?workspace=${id}`}>
          {countOf(asset_count, "asset")}
          {of}
        </a>
      </li>
      <li>
        <a href={`/tasks?workspace=${id}`}>
          {countOf(open_tasks, "open task")}
          {of}
        </a>
      </li>
      <li>
        {overdue_tasks > 0 && (
          <a class="bad" href={`/tasks?state=overdue&workspace=${id}`}>
            {formatNumber(overdue_tasks)} overdue
            {of}
          </a>
        )}
      </li>
      <li class="soft">{countOf(members, "member")}</li>
    </ul>
  );
}
