import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { mayAddAssets } from "../../../domain/assets/asset-permissions.js";
import {
  createAsset,
  type CreatedAsset,
  type NewAsset,
} from "../../../domain/assets/create-asset.js";
import { findCategoryNames } from "../../../domain/assets/categories.js";
import { findReferredAsset } from "../../../domain/references/referred-assets.js";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { createOnce } from "../../../domain/changes/idempotency.js";
import { requireOrganizationAdmin } from "../../../domain/access/roles.js";
import { commit } from "../../../domain/sql/transactions.js";
import { findWorkspaceChoices } from "../../../domain/workspaces/workspace-choices.js";
import { AppError } from "../../../errors.js";
import { personOptions } from "../../forms/choices.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { readForm } from "../../forms/form-fields.js";
import { createFormKey, readFields, readFormKey } from "../../forms/forms.js";
import { Page } from "../../layout/layout.js";
import { PageHead } from "../../layout/page-parts.js";
import type { FormError } from "../../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../../layout/reply.js";
import { toAssetErrors } from "./asset-errors.js";
import { withWarnings } from "./change-asset.js";
import { newFields, toCopy, type Values } from "./fields.js";
import { AssetFieldsets, type FieldsView } from "./fieldsets.js";
import { openAsset, toAddressOf } from "./open-asset.js";

const address = "/assets/new";

/** `/assets/new`: a new asset, empty or like another one. */
export const newAssetPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);

  app.get(address, async (request, reply) => {
    const values = await readStart(app, callerOf(request), request.query);
    return sendForm(app, request, reply, { values, errors: [], key: createFormKey() });
  });

  app.post(address, async (request, reply) => {
    const caller = callerOf(request);
    const { values, given, errors } = readForm(request.body, newFields);
    const key = readFormKey(request.body);
    if (errors.length > 0) return sendForm(app, request, reply, { values, errors, key });
    try {
      // `readForm` has refused a form without a name.
      const { asset, warnings } = await create(app, caller, key, { ...given, name: values.name });
      flash(request, withWarnings(`Added ${asset.name} as ${asset.inventory_number}.`, warnings), {
        href: `${address}?copy=${asset.id}`,
        label: "Add another like it",
      });
      return await reply.redirect(toAddressOf(asset), 303);
    } catch (error) {
      const refused = toAssetErrors(caller, error);
      const isUsed = error instanceof AppError && error.field === "request_key";
      const newKey = isUsed ? createFormKey() : key;
      return sendForm(app, request, reply, { values, errors: refused, key: newKey });
    }
  });
};

async function create(
  app: FastifyInstance,
  caller: Caller,
  requestKey: string,
  fields: NewAsset,
): Promise<CreatedAsset> {
  const intended = { tool: "web:create_asset", requestKey, arguments: fields };
  return commit(app.db, (tx) =>
    createOnce(tx, caller, intended, () => createAsset(tx, caller, fields)),
  );
}

/** What the form begins with: `copy`, `parent` and `workspace` of the address. */
async function readStart(app: FastifyInstance, caller: Caller, query: unknown): Promise<Values> {
  const { copy, parent, workspace } = readFields(query, ["copy", "parent", "workspace"]);
  const begun: Values = { state: "available" };
  if (copy !== "") {
    const { asset, parent: itsParent } = await openAsset(app.db.manager, caller, copy);
    return { ...begun, ...toCopy(asset, itsParent) };
  }
  const above = await findReferredAsset(app.db.manager, caller, parent);
  if (above !== undefined) {
    begun.parent_asset_id = above.inventory_number;
    begun.workspace_id = above.workspace_id ?? "";
    begun.location = above.location ?? "";
  }
  return workspace === "" ? begun : { ...begun, workspace_id: workspace };
}

interface NewForm {
  values: Values;
  errors: readonly FormError[];
  key: string;
}

async function sendForm(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { values, errors, key }: NewForm,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const db = app.db.manager;
  const [seen, people, categories, parent] = await Promise.all([
    findWorkspaceChoices(db, caller),
    personOptions(db, caller),
    findCategoryNames(db, caller),
    findReferredAsset(db, caller, (values.parent_asset_id ?? "").trim()),
  ]);
  if (!mayAddAssets(caller, seen)) await requireOrganizationAdmin(db, caller, "add assets");
  const workspaces = seen
    .filter(({ role }) => role !== "viewer")
    .map(({ id, name }) => ({ value: id, label: name }));
  const [only] = workspaces;
  const isOptional = isOrganizationAdmin(caller);
  if (!isOptional && workspaces.length === 1 && only !== undefined) {
    values.workspace_id ??= only.value;
  }
  const view: FieldsView = {
    values,
    errors,
    categories,
    people,
    parent,
    currency: caller.currency,
    mayNumber: seen.some(({ role }) => role === "admin") || isOptional,
    places: { workspaces, isOptional },
  };
  if (errors.length > 0) void reply.code(400);
  return sendPage(
    reply,
    <NewAssetPage frame={layoutProps(request, reply)} view={view} requestKey={key} />,
  );
}

function NewAssetPage({
  frame,
  view,
  requestKey,
}: {
  frame: LayoutProps;
  view: FieldsView;
  requestKey: string;
}): VNode {
  return (
    <Page title="Add an asset" current="/assets" {...frame}>
      <PageHead title="Add an asset" crumbs={[{ href: "/assets", label: "Assets" }]} />
      <PostForm frame={frame} action={address} errors={view.errors} class="panel folding-form">
        <input type="hidden" name="request_key" value={requestKey} />
        <AssetFieldsets {...view} />
        <FormActions submit="Add asset" cancel="/assets" />
      </PostForm>
    </Page>
  );
}
