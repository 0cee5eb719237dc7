import type { VNode } from "preact";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { dryRun } from "../../domain/changes/transactions.js";
import {
  deleteWorkspace,
  type DeletedWorkspace,
} from "../../domain/workspaces/workspace-deletion.js";
import {
  getWorkspaceSettings,
  type WorkspaceSettings,
} from "../../domain/workspaces/workspace-settings.js";
import type { WorkspaceContents } from "../../domain/refusals/refusals.js";
import { isRefusal } from "../../errors.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { Page } from "../layout/layout.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { Notice } from "../layout/notices.js";
import { countOf } from "../text/format.js";
import { workspaceFormsAddress, workspacesAddress, workspacesCrumb } from "./addresses.js";

/** `/settings/workspaces/:id/delete`: says what is still in it, or asks once more. */
export const deleteWorkspaceForm = formRoute({
  path: `${workspaceFormsAddress}/:id/delete`,
  once: "delete_workspace",
  change: (tx, { caller, id }) => deleteWorkspace(tx, caller, id),
  toErrors: (error) => {
    toContents(error);
    return [];
  },
  done: ({ workspace: { name } }) =>
    seeOther(workspacesAddress, `The workspace ${name} is deleted.`),
  page: async ({ request, db, caller, id }) => {
    const workspace = await getWorkspaceSettings(db, caller, id);
    await requireOrganizationAdmin(db, caller, "delete workspaces");
    const foreseen = await dryRun(request.db, (tx) => deleteWorkspace(tx, caller, id)).catch(
      toContents,
    );
    return <DeletionPage workspace={workspace} foreseen={foreseen} />;
  },
});

/** What a refusal says is still in the workspace; every other error is thrown on. */
function toContents(error: unknown): WorkspaceContents {
  if (!isRefusal(error, "workspace_not_empty")) throw error;
  return error.params.contents;
}

interface DeletionView {
  workspace: WorkspaceSettings;
  foreseen: DeletedWorkspace | WorkspaceContents;
}

function DeletionPage({ workspace: { id, name }, foreseen }: DeletionView): VNode {
  const back = `${workspacesAddress}/${id}`;
  return (
    <Page title={`Delete ${name}`} current={`${workspacesAddress}/`}>
      <PageHead
        title={`Delete the workspace ${name}?`}
        crumbs={[workspacesCrumb, { href: back, label: name }]}
      />
      {"deleted" in foreseen ? (
        <>
          <p>{describeLoss(foreseen)}</p>
          <PostForm>
            <FormActions submit="Delete workspace" danger cancel={back} />
          </PostForm>
        </>
      ) : (
        <StillThere id={id} contents={foreseen} />
      )}
    </Page>
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
  const query = `workspace_id=${id}`;
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
