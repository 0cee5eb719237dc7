import type { VNode } from "preact";
import { createAsset } from "../../../domain/assets/create-asset.js";
import { findCategoryNames } from "../../../domain/assets/categories.js";
import { findReferredAsset } from "../../../domain/shared/referred-assets.js";
import { isOrganizationAdmin } from "../../../domain/access/caller.js";
import { requireMemberSomewhere } from "../../../domain/access/roles.js";
import { findWorkspaceChoices } from "../../../domain/organizations/workspace-choices.js";
import { t } from "../../../language/translate.js";
import { personOptions, toWritable } from "../../forms/choices.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { formRoute } from "../../forms/form-route.js";
import type { Form, FormRequest } from "../../forms/form-spec.js";
import { seeOther } from "../../forms/form-reply.js";
import { Page } from "../../layout/layout.js";
import { PageHead } from "../../layout/page-head.js";
import { toAssetErrors } from "./asset-errors.js";
import { newFields, toCopy, type Values } from "./fields.js";
import { AssetFieldsets, type FieldsView } from "./fieldsets.js";
import { openAsset, toAddressOf } from "./open-asset.js";
import { withWarnings } from "../../text/warnings-for-people.js";

const address = "/assets/new";

/** `/assets/new`: a new asset, empty or as a copy. */
export const newAssetForm = formRoute({
  path: address,
  fields: newFields,
  begin: readStart,
  once: "create_asset",
  change: (tx, { caller, given }) => createAsset(tx, caller, given),
  toErrors: toAssetErrors,
  done: ({ asset, warnings }) => {
    const { name, inventory_number: number } = asset;
    const text = withWarnings(t("{name} added as {number}.", { name, number }), warnings);
    const to = { href: `${address}?copy=${asset.id}`, label: t("Add another like this") };
    return seeOther(toAddressOf(asset), text, to);
  },
  page: async (form) => <NewAssetPage {...await readChoices(form)} />,
});

/** The form's initial values: `copy`, `parent`, `workspace`, `number` and `serial` of the query. */
async function readStart({ db, caller, query }: FormRequest): Promise<Values> {
  const begun: Values = { state: "available" };
  if (query("copy") !== "") {
    const { asset, parent } = await openAsset(db, caller, query("copy"));
    return { ...begun, ...toCopy(asset, parent) };
  }
  const above = await findReferredAsset(db, caller, query("parent"));
  if (above !== undefined) {
    begun.parent_asset_id = above.inventory_number;
    begun.workspace_id = above.workspace_id ?? "";
    begun.location = above.location ?? "";
  }
  const named = {
    workspace_id: query("workspace"),
    inventory_number: query("number"),
    serial_number: query("serial"),
  };
  return {
    ...begun,
    ...Object.fromEntries(Object.entries(named).filter(([, text]) => text !== "")),
  };
}

async function readChoices(form: Form<undefined, typeof newFields>): Promise<FieldsView> {
  const { db, caller, values } = form;
  const [seen, people, categories, parent] = await Promise.all([
    findWorkspaceChoices(db, caller),
    personOptions(db, caller),
    findCategoryNames(db, caller),
    findReferredAsset(db, caller, (values.parent_asset_id ?? "").trim()),
  ]);
  await requireMemberSomewhere(db, caller, "add assets");
  const workspaces = toWritable(seen);
  const [only, ...others] = workspaces;
  const isOptional = isOrganizationAdmin(caller);
  if (!isOptional && only !== undefined && others.length === 0) {
    values.workspace_id ??= only.value;
  }
  return {
    categories,
    people,
    parent,
    currency: caller.currency,
    mayNumber: seen.some(({ role }) => role === "admin") || isOptional,
    places: { workspaces, isOptional },
  };
}

function NewAssetPage(view: FieldsView): VNode {
  return (
    <Page title={t("Add an asset")} current="/assets">
      <PageHead title={t("Add an asset")} crumbs={[{ href: "/assets", label: t("Assets") }]} />
      <PostForm action={address} class="panel folding-form">
        <AssetFieldsets {...view} />
        <FormActions submit={t("Add asset")} cancel="/assets" />
      </PostForm>
    </Page>
  );
}
