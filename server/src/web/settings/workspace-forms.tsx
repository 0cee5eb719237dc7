import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { workspaceFields } from "../../db/entities/workspace.js";
import { clearableNames } from "../../db/fields.js";
import { isOrganizationAdmin } from "../../domain/access/caller.js";
import { createOnce } from "../../domain/changes/idempotency.js";
import { requireOrganizationAdmin, requireRoleIn } from "../../domain/access/roles.js";
import { commit } from "../../domain/sql/transactions.js";
import {
  getWorkspaceSettings,
  type WorkspaceSettings,
} from "../../domain/workspaces/workspace-settings.js";
import { updateWorkspace } from "../../domain/workspaces/workspace-updates.js";
import { createWorkspace } from "../../domain/workspaces/workspaces.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { FieldControl } from "../forms/field-control.js";
import { readForm, required, wholeField, type Given } from "../forms/form-fields.js";
import { toFormFields, toFormValues } from "../forms/record-fields.js";
import { createFormKey, newVersionOf, readFormKey, toFormErrors } from "../forms/forms.js";
import { ActionLink, DangerZone, PageHead } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { SettingsPage } from "./settings-frame.js";
import { workspacesAddress, workspacesCrumb, type WorkspaceParams } from "./workspaces.js";

const texts = toFormFields(workspaceFields);
const fields = { ...texts, name: required(texts.name, "Enter a name.") };
const version = { expected_version: wholeField("Version") };

type Values = Partial<Record<string, string>>;

interface Shown {
  values: Values;
  errors: readonly FormError[];
}

/** `/settings/workspaces/new` */
export const newWorkspacePages: FastifyPluginAsync = async (app) => {
  app.get(`${workspacesAddress}/new`, async (request, reply) =>
    showNew(request, reply, { values: {}, errors: [] }),
  );

  app.post(`${workspacesAddress}/new`, async (request, reply) => {
    const caller = callerOf(request);
    const { values, given, errors } = readForm(request.body, fields);
    const { name, description, address } = given;
    if (name === undefined) return showNew(request, reply.code(400), { values, errors });
    const workspace = { name, description, address };
    try {
      const created = await commit(app.db, (tx) =>
        createOnce(tx, caller, intend("create", request.body, workspace), () =>
          createWorkspace(tx, caller, workspace),
        ),
      );
      const { id } = created.workspace;
      flash(request, `The workspace ${created.workspace.name} is there.`, {
        href: `/settings/members?workspace=${id}`,
        label: "See who is in it",
      });
      return await reply.redirect(workspacesAddress, 303);
    } catch (error) {
      return showNew(request, reply.code(400), { values, errors: toFormErrors(error) });
    }
  });

  async function showNew(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: Shown,
  ): Promise<FastifyReply> {
    await requireOrganizationAdmin(app.db.manager, callerOf(request), "create workspaces");
    return sendPage(reply, <NewPage frame={layoutProps(request, reply)} {...shown} />);
  }
};

/** `/settings/workspaces/:id` */
export const editWorkspacePages: FastifyPluginAsync = async (app) => {
  app.get<WorkspaceParams>(`${workspacesAddress}/:id`, async (request, reply) => {
    const workspace = await find(request);
    return showEdit(request, reply, workspace, { values: toValues(workspace), errors: [] });
  });

  app.post<WorkspaceParams>(`${workspacesAddress}/:id`, async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const { values, given, errors } = readForm(request.body, { ...fields, ...version });
    const refuse = async (refused: Shown) =>
      showEdit(request, reply.code(400), await find(request), refused);
    if (given.name === undefined || errors.length > 0) return refuse({ values, errors });
    const update = toUpdate({ ...given, name: given.name });
    try {
      const { workspace } = await commit(app.db, (tx) =>
        createOnce(tx, caller, intend("update", request.body, { id, ...update }), () =>
          updateWorkspace(tx, caller, id, update),
        ),
      );
      flash(request, `The workspace ${workspace.name} is saved.`);
      return await reply.redirect(workspacesAddress, 303);
    } catch (error) {
      const expected_version = String(newVersionOf(error) ?? values.expected_version);
      return refuse({ values: { ...values, expected_version }, errors: toFormErrors(error) });
    }
  });

  async function find(request: FastifyRequest<WorkspaceParams>): Promise<WorkspaceSettings> {
    const caller = callerOf(request);
    const workspace = await getWorkspaceSettings(app.db.manager, caller, request.params.id);
    await requireRoleIn(app.db.manager, caller, workspace, "admin", "change workspaces");
    return workspace;
  }

  async function showEdit(
    request: FastifyRequest,
    reply: FastifyReply,
    workspace: WorkspaceSettings,
    shown: Shown,
  ): Promise<FastifyReply> {
    const frame = layoutProps(request, reply);
    const mayDelete = isOrganizationAdmin(callerOf(request));
    return sendPage(reply, <EditPage {...{ frame, workspace, mayDelete, ...shown }} />);
  }
};

/** Sent twice, a form does what it asks for once. */
function intend(what: "create" | "update", body: unknown, given: object) {
  return { tool: `web:${what}_workspace`, requestKey: readFormKey(body), arguments: given };
}

function toValues(workspace: WorkspaceSettings): Values {
  const { version: number } = workspace;
  return { ...toFormValues(workspaceFields, workspace), expected_version: String(number) };
}

/** What was left empty shall be empty. */
function toUpdate(given: Given<typeof fields & typeof version> & { name: string }) {
  const { name, description, address, expected_version } = given;
  return {
    name,
    description,
    address,
    expected_version,
    clear_fields: clearableNames(workspaceFields).filter((field) => given[field] === undefined),
  };
}

interface FormView extends Shown {
  frame: LayoutProps;
}

function NewPage({ frame, values, errors }: FormView): VNode {
  return (
    <SettingsPage title="Add a workspace" current={`${workspacesAddress}/new`} frame={frame}>
      <PageHead title="Add a workspace" crumbs={[workspacesCrumb]} />
      <PostForm frame={frame} errors={errors}>
        <WorkspaceFields values={values} errors={errors} />
        <FormActions submit="Add workspace" cancel={workspacesAddress} />
      </PostForm>
    </SettingsPage>
  );
}

function WorkspaceFields(shown: Shown): VNode {
  return (
    <>
      <input type="hidden" name="request_key" value={createFormKey()} />
      <FieldControl name="name" field={workspaceFields.name} required {...shown} />
      <FieldControl name="description" field={workspaceFields.description} {...shown} />
      <FieldControl name="address" field={workspaceFields.address} rows={3} {...shown} />
    </>
  );
}

function EditPage({
  frame,
  workspace,
  mayDelete,
  values,
  errors,
}: FormView & { workspace: WorkspaceSettings; mayDelete: boolean }): VNode {
  const address = `${workspacesAddress}/${workspace.id}`;
  return (
    <SettingsPage title={`Edit ${workspace.name}`} current={address} frame={frame}>
      <PageHead title={`Edit ${workspace.name}`} crumbs={[workspacesCrumb]} />
      {values.expected_version !== undefined && errors.some(({ field }) => field === undefined) && (
        <p>
          <a href={address}>Look at the workspace as it is now</a>
        </p>
      )}
      <PostForm frame={frame} errors={errors}>
        <input type="hidden" name="expected_version" value={values.expected_version ?? ""} />
        <WorkspaceFields values={values} errors={errors} />
        <FormActions submit="Save workspace" cancel={workspacesAddress} />
      </PostForm>
      {mayDelete && (
        <DangerZone title="Delete this workspace">
          <p>
            A workspace can be deleted when nothing is in it. Who belongs to it stays in the
            organization.
          </p>
          <ActionLink href={`${address}/delete`} quiet>
            Delete {workspace.name}
          </ActionLink>
        </DangerZone>
      )}
    </SettingsPage>
  );
}
