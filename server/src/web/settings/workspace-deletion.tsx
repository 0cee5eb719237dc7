import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import { createOnce } from "../../domain/changes/idempotency.js";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { commit, dryRun } from "../../domain/sql/transactions.js";
import {
  deleteWorkspace,
  type DeletedWorkspace,
  type WorkspaceContents,
} from "../../domain/workspaces/workspace-deletion.js";
import {
  getWorkspaceSettings,
  type WorkspaceSettings,
} from "../../domain/workspaces/workspace-settings.js";
import { AppError } from "../../errors.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { createFormKey, readFormKey } from "../forms/forms.js";
import { ActionLink, PageHead } from "../layout/page-parts.js";
import { Notice } from "../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { countOf } from "../text/format.js";
import { SettingsPage } from "./settings-frame.js";
import { workspacesAddress, workspacesCrumb, type WorkspaceParams } from "./workspaces.js";

/** `/settings/workspaces/:id/delete`: says what is still in it, or asks once more. */
export const workspaceDeletionPages: FastifyPluginAsync = async (app) => {
  const address = `${workspacesAddress}/:id/delete`;

  app.get<WorkspaceParams>(address, async (request, reply) => {
    const caller = callerOf(request);
    const workspace = await getWorkspaceSettings(app.db.manager, caller, request.params.id);
    await requireOrganizationAdmin(app.db.manager, caller, "delete workspaces");
    return show(request, reply, workspace, await foresee(caller, workspace.id));
  });

  app.post<WorkspaceParams>(address, async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const requestKey = readFormKey(request.body);
    const intended = { tool: "web:delete_workspace", requestKey, arguments: { id } };
    try {
      const { workspace } = await commit(app.db, (tx) =>
        createOnce(tx, caller, intended, () => deleteWorkspace(tx, caller, id)),
      );
      flash(request, `The workspace ${workspace.name} is deleted.`);
      return await reply.redirect(workspacesAddress, 303);
    } catch (error) {
      const contents = toContents(error);
      const workspace = await getWorkspaceSettings(app.db.manager, caller, id);
      return show(request, reply.code(400), workspace, contents);
    }
  });

  async function foresee(
    caller: Caller,
    id: string,
  ): Promise<DeletedWorkspace | WorkspaceContents> {
    try {
      return await dryRun(app.db, (tx) => deleteWorkspace(tx, caller, id));
    } catch (error) {
      return toContents(error);
    }
  }
};

/** What a refusal says is still in the workspace; every other error is thrown on. */
function toContents(error: unknown): WorkspaceContents {
  if (!(error instanceof AppError) || error.code !== "not_empty") throw error;
  return error.details as unknown as WorkspaceContents;
}

async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  workspace: WorkspaceSettings,
  foreseen: DeletedWorkspace | WorkspaceContents,
): Promise<FastifyReply> {
  const frame = layoutProps(request, reply);
  return sendPage(reply, <DeletionPage {...{ frame, workspace, foreseen }} />);
}

interface DeletionView {
  frame: LayoutProps;
  workspace: WorkspaceSettings;
  foreseen: DeletedWorkspace | WorkspaceContents;
}

function DeletionPage({ frame, workspace, foreseen }: DeletionView): VNode {
  const { id, name } = workspace;
  const back = `${workspacesAddress}/${id}`;
  return (
    <SettingsPage title={`Delete ${name}`} current={back} frame={frame}>
      <PageHead
        title={`Delete the workspace ${name}?`}
        crumbs={[workspacesCrumb, { href: back, label: name }]}
      />
      {"deleted" in foreseen ? (
        <>
          <p>{describeLoss(foreseen)}</p>
          <PostForm frame={frame}>
            <input type="hidden" name="request_key" value={createFormKey()} />
            <FormActions submit="Delete workspace" danger cancel={back} />
          </PostForm>
        </>
      ) : (
        <StillThere id={id} contents={foreseen} />
      )}
    </SettingsPage>
  );
}

function describeLoss({
  members_removed: members,
  invites_revoked: invites,
}: DeletedWorkspace): string {
  const people =
    members === 0
      ? "Nobody belongs to it."
      : `${countOf(members, "person belongs", "people belong")} to it and ${members === 1 ? "stays" : "stay"} in the organization.`;
  const open =
    invites === 0 ? "" : ` ${countOf(invites, "open invitation")} to it will be withdrawn.`;
  return `Nothing is in this workspace. ${people}${open} This cannot be undone.`;
}

function StillThere({ id, contents }: { id: string; contents: WorkspaceContents }): VNode {
  const {
    assets,
    deleted_assets: retired,
    tasks,
    finished_tasks: finished,
    own_tasks: own,
  } = contents;
  const query = `workspace=${id}`;
  return (
    <>
      <Notice kind="warning" title="This workspace is not empty">
        <p>
          It can be deleted once nothing is in it any more. Move this to another workspace first:
        </p>
        <ul>
          {assets > 0 && (
            <li>
              <a href={`/assets?${query}&state=all`}>{countOf(assets, "asset")}</a>
              {retired > 0 && `, ${retired} of them retired`}. Their tasks move along.
            </li>
          )}
          {own > 0 && (
            <li>
              <a href={`/tasks?${query}&state=all`}>{countOf(own, "task")} without an asset</a>
            </li>
          )}
          {tasks > own && (
            <li>
              {countOf(tasks - own, "task")} of these assets
              {finished > 0 && `, finished ones among them`}.
            </li>
          )}
        </ul>
      </Notice>
      <ActionLink href={workspacesAddress} quiet>
        Back to the workspaces
      </ActionLink>
    </>
  );
}
