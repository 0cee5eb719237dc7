import type { VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import type { AssetState } from "../../../db/entities/assets.js";
import { changeAssetState, restoredStates } from "../../../domain/assets/change-asset-state.js";
import { changeInSet } from "../../../domain/history/change-several.js";
import { t, translated } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { seeOther } from "../../forms/form-reply.js";
import { StaleNotice } from "../../forms/stale-notice.js";
import { RadioChoices } from "../../forms/radio-choices.js";
import { Moment } from "../../layout/moment.js";
import { Facts } from "../../layout/facts.js";
import { assetStateLabels, deletionReasonLabels } from "../../text/value-labels.js";
import { assetForm, AssetFormPage } from "./asset-form.js";
import { toAddressOf } from "./open-asset.js";
import {
  ChangeDetailFields,
  changeDetailFields,
  seeChangedAsset,
  stateField,
  stateRight,
} from "./state.js";

const meanings: Record<(typeof restoredStates)[number], string> = translated({
  available: "Ready for use, but not in use.",
  in_use: "Running, or someone is working with it.",
  stored: "In storage, not ready for use.",
});

const nowTexts: Record<(typeof restoredStates)[number], (name: string) => string> = {
  available: (name) => t("{name} restored, now available.", { name }),
  in_use: (name) => t("{name} restored, now in use.", { name }),
  stored: (name) => t("{name} restored, now stored.", { name }),
};

const state = stateField(restoredStates);

/** `/assets/:id/restore`: returns a retired asset to lists and counts. */
export const restoreAssetForm = assetForm({
  action: "restore",
  right: stateRight,
  instead: (asset) =>
    asset.state === "deleted"
      ? undefined
      : seeOther(toAddressOf(asset), t("{name} isn't retired.", { name: asset.name })),
  fields: { state, ...changeDetailFields },
  begin: ({ subject: { asset } }) => ({ state: toFormer(asset.state_before_deletion) }),
  change: (tx, { caller, id, given: { state, note, effective_at: effectiveAt }, version }) =>
    changeInSet(tx, caller, "asset", (inSet) =>
      changeAssetState(tx, inSet, id, { state, note, effectiveAt, expectedVersion: version }),
    ),
  done: (change, { subject: { asset }, given: { state } }) =>
    seeChangedAsset(asset, nowTexts[state](asset.name), change),
  page: ({ subject: { asset } }) => <RestorePage asset={asset} />,
});

/** The former state, if it can be restored. Otherwise "available". */
function toFormer(state: AssetState | null): string {
  return restoredStates.find((one) => one === state) ?? "available";
}

function RestorePage({ asset }: { asset: AssetRecord }): VNode {
  const { deleted_at: at, deletion_reason: reason } = asset;
  return (
    <AssetFormPage asset={asset} title={t("Restore asset")}>
      <p>{t("It's back in lists and totals, with its history, number and open tasks.")}</p>
      <Facts
        facts={[
          [t("Retired"), at && <Moment at={at} />],
          [t("Reason"), reason && deletionReasonLabels[reason]],
        ]}
      />
      <StaleNotice what="asset" href={toAddressOf(asset)} />
      <PostForm class="panel after-facts">
        <RadioChoices
          name="state"
          legend={t("State from now on")}
          choices={restoredStates.map((value) => ({
            value,
            label: assetStateLabels[value],
            help: meanings[value],
          }))}
        />
        <ChangeDetailFields />
        <FormActions submit={t("Restore asset")} cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}
