import type { VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import { updateAsset, type AssetUpdate } from "../../../domain/assets/asset-updates.js";
import { changeInSet } from "../../../domain/history/change-several.js";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { idKindOf } from "../../../domain/shared/ids.js";
import { t } from "../../../language/translate.js";
import { workspaceOptions } from "../../forms/choices.js";
import { FormActions, PostForm, Select, TextInput, type Option } from "../../forms/controls.js";
import { choiceField, required, textField, type FormField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { StaleNotice } from "../../forms/stale-notice.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { assetForm, AssetFormPage } from "./asset-form.js";
import { openAsset, toAddressOf } from "./open-asset.js";
import { withWarnings } from "../../text/warnings-for-people.js";

/** The value for no workspace, which is an explicit choice here. */
const nowhere = "none";

const nowhereField = choiceField(() => toFieldLabel("workspace_id"), [nowhere]);
const workspaceField: FormField<string> = {
  ...nowhereField,
  read: (text) => (idKindOf(text) === "workspace" ? text : nowhereField.read(text)),
};

/** `/assets/:id/move`: moves the asset to another workspace, or to none. */
export const moveAssetForm = assetForm({
  action: "move",
  right: ["member", "move assets"],
  fields: {
    workspace_id: required(workspaceField, "Choose where to move the asset."),
    location: textField(() => toFieldLabel("location")),
  },
  begin: ({ subject: { asset } }) => ({ location: asset.location ?? "" }),
  change: (tx, { caller, id, subject: { asset }, given, values, version }) => {
    const move = toMove(asset, given.workspace_id, (values.location ?? "").trim());
    return changeInSet(tx, caller, "asset", (inSet) =>
      updateAsset(tx, inSet, id, { ...move, expected_version: version }),
    );
  },
  done: async ({ warnings, set }, { db, caller, id }) => {
    const { asset } = await openAsset(db, caller, id);
    const { name, workspace_name: workspace } = asset;
    const text =
      workspace === null
        ? t("{name} is now in no workspace.", { name })
        : t("{name} is now in {workspace}.", { name, workspace });
    return seeOther(toAddressOf(asset), withWarnings(text, warnings), undefined, { undo: set });
  },
  page: async ({ db, caller, subject: { asset } }) => {
    const options = await workspaceOptions(db, caller);
    return <MovePage asset={asset} workspaces={findOthers(caller, asset, options)} />;
  },
});

/** Retired assets keep their details, including the location. */
function toMove(asset: AssetRecord, to: string, location: string): AssetUpdate {
  const isKept = asset.state === "deleted" || location === (asset.location ?? "");
  const cleared = [
    ...(to === nowhere ? (["workspace_id"] as const) : []),
    ...(!isKept && location === "" ? (["location"] as const) : []),
  ];
  return {
    ...(to !== nowhere && { workspace_id: to }),
    ...(!isKept && location !== "" && { location }),
    ...(cleared.length > 0 && { clear_fields: cleared }),
  };
}

/** All other places. Only organization admins manage assets without a workspace. */
function findOthers(caller: Caller, asset: AssetRecord, workspaces: readonly Option[]): Option[] {
  const others = workspaces.filter(({ value }) => value !== asset.workspace_id);
  const mayLeave = isOrganizationAdmin(caller) && asset.workspace_id !== null;
  return mayLeave ? [...others, { value: nowhere, label: t("In no workspace") }] : others;
}

interface MoveView {
  asset: AssetRecord;
  workspaces: readonly Option[];
}

function MovePage({ asset, workspaces }: MoveView): VNode {
  if (workspaces.length === 0) {
    return (
      <AssetFormPage asset={asset} title={t("Move asset")}>
        <p>{t("There's no other workspace you can add assets to.")}</p>
      </AssetFormPage>
    );
  }
  const { assigned_to: responsible } = asset;
  return (
    <AssetFormPage asset={asset} title={t("Move asset")}>
      <p>
        {t("Its open and finished tasks move with it.")}{" "}
        {responsible !== null &&
          `${t("{name} is still the assignee only if they're a member of the new workspace.", { name: responsible })} `}
        {t("Its parts don't move.")}
      </p>
      <StaleNotice what="asset" href={toAddressOf(asset)} />
      <PostForm class="panel">
        <Select
          name="workspace_id"
          label={t("To workspace")}
          options={workspaces}
          empty={t("Choose a workspace")}
        />
        {asset.state !== "deleted" && (
          <TextInput
            name="location"
            maxLength={200}
            help={t("Location in the new workspace, prefilled with the current one.")}
          />
        )}
        <FormActions submit={t("Move asset")} cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}
