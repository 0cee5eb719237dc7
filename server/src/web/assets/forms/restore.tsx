import type { VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import type { AssetState } from "../../../db/entities/asset.js";
import { changeAssetState, restoredStates } from "../../../domain/assets/change-asset-state.js";
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

const meanings: Record<(typeof restoredStates)[number], string> = {
  available: "Ready to be used, and nobody uses it now.",
  in_use: "Running, or with a person who works with it.",
  stored: "Put away, not ready for use.",
};

const state = stateField(restoredStates);

/** `/assets/:id/restore`: a retired asset back into lists and counts. */
export const restoreAssetForm = assetForm({
  action: "restore",
  right: stateRight,
  instead: (asset) =>
    asset.state === "deleted"
      ? undefined
      : seeOther(
          toAddressOf(asset),
          `${asset.name} is not retired: it is in the lists and counts.`,
        ),
  fields: (form) => ({ state, ...changeDetailFields(form) }),
  begin: ({ subject: { asset } }) => ({ state: toFormer(asset.state_before_deletion) }),
  change: (tx, { caller, id, given: { state, note, effective_at: effectiveAt }, version }) =>
    changeAssetState(tx, caller, id, { state, note, effectiveAt, expectedVersion: version }),
  done: (change, { subject: { asset }, given: { state } }) => {
    const now = assetStateLabels[state].toLowerCase();
    return seeChangedAsset(asset, `${asset.name} is restored and now: ${now}.`, change);
  },
  page: ({ subject: { asset }, caller: { timeZone } }) => (
    <RestorePage asset={asset} timeZone={timeZone} />
  ),
});

/** What it was before, where it can be that again. */
function toFormer(state: AssetState | null): string {
  return restoredStates.find((one) => one === state) ?? "available";
}

function RestorePage({ asset, timeZone }: { asset: AssetRecord; timeZone: string }): VNode {
  const { deleted_at: at, deletion_reason: reason } = asset;
  return (
    <AssetFormPage asset={asset} title="Restore asset">
      <p>It comes back into lists and counts, with its history, its number and its open tasks.</p>
      <Facts
        facts={[
          ["Retired", at && <Moment at={at} timeZone={timeZone} />],
          ["Reason", reason && deletionReasonLabels[reason]],
        ]}
      />
      <StaleNotice what="asset" href={toAddressOf(asset)} />
      <PostForm class="panel after-facts">
        <RadioChoices
          name="state"
          legend="State from now on"
          choices={restoredStates.map((value) => ({
            value,
            label: assetStateLabels[value],
            help: meanings[value],
          }))}
        />
        <ChangeDetailFields timeZone={timeZone} />
        <FormActions submit="Restore asset" cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}
