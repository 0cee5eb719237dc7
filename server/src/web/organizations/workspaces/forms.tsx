import type { VNode } from "preact";
import { workspaceFields } from "../../../db/entities/organizations.js";
import { isOrganizationAdmin } from "../../../domain/access/caller.js";
import { requireOrganizationAdmin, requireRoleIn } from "../../../domain/access/roles.js";
import {
  getWorkspaceSettings,
  type WorkspaceSettings,
} from "../../../domain/organizations/workspace-settings.js";
import {
  clearableWorkspaceFields,
  updateWorkspace,
} from "../../../domain/organizations/workspace-updates.js";
import { createWorkspace } from "../../../domain/organizations/workspaces.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { FieldControl } from "../../forms/field-control.js";
import { required } from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import { seeOther } from "../../forms/form-reply.js";
import { StaleLink } from "../../forms/stale-notice.js";
import { toFormFields, toFormValues } from "../../forms/record-fields.js";
import { Page } from "../../layout/layout.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { DangerZone } from "../../layout/danger-zone.js";
import { workspaceFormsAddress, workspacesAddress, workspacesCrumb } from "./addresses.js";

const texts = toFormFields(workspaceFields);
const fields = { ...texts, name: required(texts.name, "Enter a name.") };

/** `/settings/workspaces/new` */
export const newWorkspaceForm = formRoute({
  path: `${workspaceFormsAddress}/new`,
  fields,
  once: "create_workspace",
  change: (tx, { caller, given }) => createWorkspace(tx, caller, given),
  done: ({ workspace: { id, name } }) =>
    seeOther(`${workspacesAddress}/${id}`, t("Workspace {name} added.", { name })),
  page: async ({ db, caller }) => {
    await requireOrganizationAdmin(db, caller, "create workspaces");
    return (
      <Page title={t("Add a workspace")} current={`${workspacesAddress}/`}>
        <PageHead title={t("Add a workspace")} crumbs={[workspacesCrumb]} />
        <WorkspaceForm submit={t("Add workspace")} cancel={workspacesAddress} />
      </Page>
    );
  },
});

/** `/settings/workspaces/:id` */
export const editWorkspaceForm = formRoute({
  path: `${workspaceFormsAddress}/:id`,
  open: async ({ db, caller, id }) => {
    const workspace = await getWorkspaceSettings(db, caller, id);
    await requireRoleIn(db, caller, workspace, "admin", "edit workspaces");
    return workspace;
  },
  version: ({ version }) => version,
  fields,
  begin: ({ subject }) => toFormValues(workspaceFields, subject),
  once: "update_workspace",
  // Fields that are left empty are cleared.
  change: (tx, { caller, id, given, version }) =>
    updateWorkspace(tx, caller, id, {
      ...given,
      expected_version: version,
      clear_fields: clearableWorkspaceFields.filter((field) => given[field] === undefined),
    }),
  done: ({ workspace: { id, name } }) =>
    seeOther(`${workspacesAddress}/${id}`, t("Workspace {name} saved.", { name })),
  page: ({ caller, subject }) => (
    <EditPage workspace={subject} mayDelete={isOrganizationAdmin(caller)} />
  ),
});

function WorkspaceForm({ submit, cancel }: { submit: string; cancel: string }): VNode {
  return (
    <PostForm>
      <FieldControl name="name" field={workspaceFields.name} />
      <FieldControl name="description" field={workspaceFields.description} />
      <FieldControl name="address" field={workspaceFields.address} rows={3} />
      <FormActions submit={submit} cancel={cancel} />
    </PostForm>
  );
}

interface EditView {
  workspace: WorkspaceSettings;
  mayDelete: boolean;
}

function EditPage({ workspace: { id, name }, mayDelete }: EditView): VNode {
  const address = `${workspaceFormsAddress}/${id}`;
  const back = `${workspacesAddress}/${id}`;
  return (
    <Page title={t("Edit {name}", { name })} current={`${workspacesAddress}/`}>
      <PageHead
        title={t("Edit {name}", { name })}
        crumbs={[workspacesCrumb, { href: back, label: name }]}
      />
      <StaleLink href={address} />
      <WorkspaceForm submit={t("Save workspace")} cancel={back} />
      {mayDelete && (
        <DangerZone title={t("Delete this workspace")}>
          <p>
            {t("You can delete a workspace once it's empty. Its members stay in the organization.")}
          </p>
          <ActionLink href={`${address}/delete`} quiet>
            {t("Delete {name}", { name })}
          </ActionLink>
        </DangerZone>
      )}
    </Page>
  );
}
