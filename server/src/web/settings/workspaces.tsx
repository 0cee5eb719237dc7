import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import {
  listWorkspaces,
  type WorkspacePage,
  type WorkspaceRow,
} from "../../domain/workspaces/workspaces.js";
import { FilterForm } from "../lists/filters.js";
import { toPageQuery } from "../lists/list-query.js";
import { ActionLink } from "../layout/page-head.js";
import { Pager, ListCount } from "../lists/pager.js";
import { EmptyState } from "../layout/notices.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { workspaceRoleLabels } from "../text/value-labels.js";
import { countOf, withArticle } from "../text/format.js";
import { SettingsPage } from "./settings-layout.js";
import { readQuery, rowsOnPage } from "./settings-query.js";

export const workspacesAddress = "/settings/workspaces";
export const workspacesCrumb = { href: workspacesAddress, label: "Workspaces" };

/** `/settings/workspaces`: the workspaces with what is in them. */
export const workspaceSettingsPages: FastifyPluginAsync = async (app) => {
  app.get(workspacesAddress, async (request, reply) => {
    const caller = callerOf(request);
    const query = readQuery(request.query, ["q", "cursor"]);
    const { q, cursor } = query;
    const listing = { limit: rowsOnPage, query: q || undefined, cursor: cursor || undefined };
    const page = await listWorkspaces(request.db.manager, caller, listing, app.cursors);
    return sendPage(reply, <WorkspacesPage caller={caller} query={query} page={page} />);
  });
};

interface ListView {
  caller: Caller;
  query: { q: string; cursor: string };
  page: WorkspacePage;
}

function WorkspacesPage({ caller, query, page }: ListView): VNode {
  const isAdmin = isOrganizationAdmin(caller);
  const isSearch = query.q !== "";
  return (
    <SettingsPage
      title="Workspaces"
      current={workspacesAddress}
      width="wide"
      actions={
        isAdmin && <ActionLink href={`${workspacesAddress}/new`}>Add a workspace</ActionLink>
      }
    >
      <p class="soft">
        A workspace is a site, a building, a fleet or a team area. Who belongs to it sees what is in
        it.
      </p>
      {(isSearch || page.total_count > rowsOnPage) && (
        <FilterForm path={workspacesAddress} label="Workspaces" q={query.q} isNarrowed={isSearch} />
      )}
      {page.total_count === 0 ? (
        <NoWorkspace isAdmin={isAdmin} isSearch={isSearch} />
      ) : (
        <>
          <ListCount shown={page.workspaces.length} total={page.total_count} one="workspace" />
          <ul class="rows workspaces">
            {page.workspaces.map((workspace) => (
              <Workspace key={workspace.id} workspace={workspace} isAdmin={isAdmin} />
            ))}
          </ul>
        </>
      )}
      <Pager path={workspacesAddress} query={toPageQuery(query)} nextCursor={page.next_cursor} />
    </SettingsPage>
  );
}

function NoWorkspace({ isAdmin, isSearch }: { isAdmin: boolean; isSearch: boolean }): VNode {
  if (isSearch) {
    return (
      <EmptyState title="No workspace is found">
        <p>Try other words, or fewer of them.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isAdmin ? "No workspace yet" : "You belong to no workspace"}>
      <p>
        {isAdmin
          ? "Create the first one, then put assets into it and invite the people who look after them."
          : "Ask an admin of the organization to add you to one."}
      </p>
      {isAdmin && (
        <p>
          <ActionLink href={`${workspacesAddress}/new`}>Add a workspace</ActionLink>
        </p>
      )}
    </EmptyState>
  );
}

function Workspace({ workspace, isAdmin }: { workspace: WorkspaceRow; isAdmin: boolean }): VNode {
  const { id, name, description, my_role: role } = workspace;
  const overdue = workspace.overdue_tasks === 0 ? "" : `, ${workspace.overdue_tasks} overdue`;
  return (
    <li class="row">
      <div class="workspace">
        <h2>{name}</h2>
        {description !== null && <p class="soft">{description}</p>}
        <p class="soft numbers">
          {countOf(workspace.asset_count, "asset")} · {countOf(workspace.open_tasks, "open task")}
          {overdue} ·{" "}
          <a href={`/settings/members?workspace=${id}`}>
            {countOf(workspace.members, "member")}
            <span class="visually-hidden"> of {name}</span>
          </a>
          {!isAdmin && <> · You are {withArticle(workspaceRoleLabels[role].toLowerCase())}</>}
        </p>
      </div>
      {role === "admin" && (
        <p class="row-actions">
          <ActionLink href={`${workspacesAddress}/${id}`} quiet label={`Edit ${name}`}>
            Edit
          </ActionLink>
        </p>
      )}
    </li>
  );
}
