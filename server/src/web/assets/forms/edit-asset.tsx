import type { VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import { findAssetPermissions } from "../../../domain/assets/asset-permissions.js";
import { updateAsset } from "../../../domain/assets/asset-updates.js";
import { findCategoryNames } from "../../../domain/assets/categories.js";
import { changeInSet } from "../../../domain/history/change-several.js";
import { findReferredAsset } from "../../../domain/shared/referred-assets.js";
import { t, tRich } from "../../../language/translate.js";
import { personOptions, withAssigned } from "../../forms/choices.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { seeOther } from "../../forms/form-reply.js";
import { findChanged, PresentValues, StaleNotice } from "../../forms/stale-notice.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { listOf } from "../../text/format.js";
import { toValueLabel } from "../../text/value-labels.js";
import { assetForm, AssetFormPage, RetiredNotice } from "./asset-form.js";
import { editFieldsOf, toUpdate, toValues, type Values } from "./fields.js";
import { AssetFieldsets, type FieldsView } from "./fieldsets.js";
import { toAddressOf } from "./open-asset.js";
import { withWarnings } from "../../text/warnings-for-people.js";

/** `/assets/:id/edit`: the asset's details. State and workspace have their own forms. */
export const editAssetForm = assetForm({
  action: "edit",
  right: ["member", "edit assets"],
  fields: ({ request }) => editFieldsOf(request.body),
  begin: ({ subject: { asset, parent } }) => toValues(asset, parent),
  change: async (tx, { caller, id, subject: { asset, parent }, given, values, version }) => {
    const changed = findChanged(values, toValues(asset, parent));
    if (changed.length === 0) return undefined;
    const update = { ...toUpdate({ given }, changed), expected_version: version };
    return changeInSet(tx, caller, "asset", (inSet) => updateAsset(tx, inSet, id, update));
  },
  done: (change, { subject: { asset, parent }, values }) => {
    const { warnings = [], changed = [], set } = change ?? {};
    const fields = findChanged(values, toValues(asset, parent)).map(toFieldLabel);
    const text =
      change === undefined || changed.length === 0
        ? t("Nothing changed: everything already has the values you entered.")
        : t("Saved for {name}: {fields}.", { name: change.asset.name, fields: listOf(fields) });
    return seeOther(toAddressOf(asset), withWarnings(text, warnings), undefined, { undo: set });
  },
  page: async ({ db, caller, subject, values }) => {
    const { asset } = subject;
    const [people, categories, parent, may] = await Promise.all([
      personOptions(db, caller),
      findCategoryNames(db, caller),
      findReferredAsset(db, caller, (values.parent_asset_id ?? "").trim()),
      findAssetPermissions(db, caller, asset),
    ]);
    const fields: FieldsView = {
      categories,
      parent,
      people: withAssigned(people, asset),
      currency: caller.currency,
      mayNumber: may.admin,
    };
    const present = toValues(asset, subject.parent);
    return <EditAssetPage asset={asset} fields={fields} present={present} />;
  },
});

interface EditView {
  asset: AssetRecord;
  fields: FieldsView;
  present: Values;
}

function EditAssetPage({ asset, fields, present }: EditView): VNode {
  const title = t("Edit details");
  if (asset.state === "deleted") {
    return (
      <AssetFormPage asset={asset} title={title}>
        <RetiredNotice asset={asset} text={t("Restore it to edit its details.")} />
      </AssetFormPage>
    );
  }
  const describe = (field: string, value: string) =>
    field === "assigned_to_user_id"
      ? (fields.people.find((one) => one.value === value)?.label ?? value)
      : toValueLabel(field, value);
  return (
    <AssetFormPage asset={asset} title={title}>
      <p class="soft">
        {tRich("Looking for state or workspace? <state>Change state</state> · <move>Move</move>", {
          state: (words) => <a href={`${toAddressOf(asset)}/state`}>{words}</a>,
          move: (words) => <a href={`${toAddressOf(asset)}/move`}>{words}</a>,
        })}
      </p>
      <StaleNotice what="asset" href={toAddressOf(asset)}>
        <PresentValues present={present} describe={describe} />
      </StaleNotice>
      <PostForm class="panel folding-form">
        <AssetFieldsets {...fields} />
        <FormActions submit={t("Save changes")} cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}
