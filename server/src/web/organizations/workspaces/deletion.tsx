import type { ComponentChildren, VNode } from "preact";
import { requireOrganizationAdmin } from "../../../domain/access/roles.js";
import { dryRun } from "../../../domain/history/transactions.js";
import {
  deleteWorkspace,
  type DeletedWorkspace,
} from "../../../domain/organizations/workspace-deletion.js";
import {
  getWorkspaceSettings,
  type WorkspaceSettings,
} from "../../../domain/organizations/workspace-settings.js";
import type { WorkspaceContents } from "../../../domain/shared/refusals.js";
import { isRefusal } from "../../../errors.js";
import { t, tRich } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { formRoute } from "../../forms/form-route.js";
import { seeOther } from "../../forms/form-reply.js";
import { Page } from "../../layout/layout.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { Notice } from "../../layout/notices.js";
import { countOf } from "../../text/format.js";
import { workspaceFormsAddress, workspacesAddress, workspacesCrumb } from "./addresses.js";

/** `/settings/workspaces/:id/delete`: lists the remaining contents, or asks for confirmation. */
export const deleteWorkspaceForm = formRoute({
  path: `${workspaceFormsAddress}/:id/delete`,
  once: "delete_workspace",
  change: (tx, { caller, id }) => deleteWorkspace(tx, caller, id),
  toErrors: (error) => {
    toContents(error);
    return [];
  },
  done: ({ workspace: { name } }) =>
    seeOther(workspacesAddress, t("Workspace {name} deleted.", { name })),
  page: async ({ request, db, caller, id }) => {
    const workspace = await getWorkspaceSettings(db, caller, id);
    await requireOrganizationAdmin(db, caller, "delete workspaces");
    const foreseen = await dryRun(request.db, (tx) => deleteWorkspace(tx, caller, id)).catch(
      toContents,
    );
    return <DeletionPage workspace={workspace} foreseen={foreseen} />;
  },
});

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
    <Page title={t("Delete {name}", { name })} current={`${workspacesAddress}/`}>
      <PageHead
        title={t("Delete the workspace {name}?", { name })}
        crumbs={[workspacesCrumb, { href: back, label: name }]}
      />
      {"deleted" in foreseen ? (
        <>
          <p>{describeLoss(foreseen)}</p>
          <PostForm>
            <FormActions submit={t("Delete workspace")} danger cancel={back} />
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
  rounds_kept: rounds = 0,
  reports_deleted: reports = 0,
}: DeletedWorkspace): string {
  const sentences = [
    members === 0
      ? t("This workspace has no assets, tasks or members.")
      : t("This workspace has no assets or tasks."),
    members > 0 &&
      t(
        "{members, plural, one {# member stays in the organization.} other {# members stay in the organization.}}",
        { members },
      ),
    invites > 0 &&
      t(
        "{invites, plural, one {# open invitation to it will be withdrawn.} other {# open invitations to it will be withdrawn.}}",
        { invites },
      ),
    rounds > 0 &&
      t(
        "{rounds, plural, one {# round is kept. Owners and admins can still view it.} other {# rounds are kept. Owners and admins can still view them.}}",
        { rounds },
      ),
    reports > 0 &&
      t(
        "{reports, plural, one {# report on its places will be deleted.} other {# reports on its places will be deleted.}}",
        { reports },
      ),
    t("This can't be undone."),
  ];
  return sentences.filter((sentence) => sentence !== false).join(" ");
}

function StillThere({ id, contents }: { id: string; contents: WorkspaceContents }): VNode {
  return (
    <>
      <Notice kind="warning" title={t("This workspace isn't empty")}>
        <p>{t("You can delete it once it's empty. First move these to another workspace:")}</p>
        <Contents id={id} contents={contents} />
      </Notice>
      <ActionLink href={workspacesAddress} quiet>
        {t("Back to the workspaces")}
      </ActionLink>
    </>
  );
}

function Contents({ id, contents }: { id: string; contents: WorkspaceContents }): VNode {
  const {
    assets,
    deleted_assets: retired,
    tasks,
    finished_tasks: finished,
    own_tasks: own,
  } = contents;
  const query = `workspace_id=${id}`;
  const assetWords = {
    assets: countOf(assets, "asset"),
    a: (words: ComponentChildren) => <a href={`/assets?${query}&state=all`}>{words}</a>,
  };
  return (
    <ul>
      {assets > 0 && (
        <li>
          {retired > 0
            ? tRich("<a>{assets}</a>, including {retired} retired. Their tasks move with them.", {
                ...assetWords,
                retired,
              })
            : tRich("<a>{assets}</a>. Their tasks move with them.", assetWords)}
        </li>
      )}
      {own > 0 && (
        <li>
          <a href={`/tasks?${query}&state=all`}>
            {t("{own, plural, one {# task without an asset} other {# tasks without an asset}}", {
              own,
            })}
          </a>
        </li>
      )}
      {tasks > own && (
        <li>
          {finished > 0
            ? t(
                "{count, plural, one {# task of these assets, including finished tasks.} other {# tasks of these assets, including finished tasks.}}",
                { count: tasks - own },
              )
            : t("{count, plural, one {# task of these assets.} other {# tasks of these assets.}}", {
                count: tasks - own,
              })}
        </li>
      )}
    </ul>
  );
}
