import type { VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import type { AssetState } from "../../../db/entities/assets.js";
import type { AssetChange } from "../../../domain/assets/asset-answers.js";
import { changeInSet } from "../../../domain/history/change-several.js";
import { changeAssetState } from "../../../domain/assets/change-asset-state.js";
import { FormActions, PostForm, TextArea, TextInput } from "../../forms/controls.js";
import { choiceField, momentField, required, textField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { StaleNotice } from "../../forms/stale-notice.js";
import { RadioChoices } from "../../forms/radio-choices.js";
import { describeZone } from "../../text/format.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { assetStateLabels } from "../../text/value-labels.js";
import { assetForm, AssetFormPage, RetiredNotice } from "./asset-form.js";
import { presentStates } from "./fields.js";
import { toAddressOf } from "./open-asset.js";
import { withWarnings } from "../../text/warnings-for-people.js";
import { t, tRich, translated } from "../../../language/translate.js";

const meanings: Record<(typeof presentStates)[number], string> = translated({
  available: "Ready for use, but not in use.",
  in_use: "Running, or someone is working with it.",
  in_maintenance: "Being worked on. Counts as downtime.",
  out_of_service: "Broken or blocked, and work hasn't started. Counts as downtime.",
  stored: "In storage, not ready for use. Not counted in reliability.",
});

const nowTexts: Record<(typeof presentStates)[number], (name: string) => string> = {
  available: (name) => t("{name} is now available.", { name }),
  in_use: (name) => t("{name} is now in use.", { name }),
  in_maintenance: (name) => t("{name} is now in maintenance.", { name }),
  out_of_service: (name) => t("{name} is now out of service.", { name }),
  stored: (name) => t("{name} is now stored.", { name }),
};

export const stateRight = ["member", "change the state of an asset"] as const;

const note = textField(() => toFieldLabel("note"));

/** "effective_at" and "note", optional for every state change. */
export const changeDetailFields = {
  note,
  effective_at: momentField(() => toFieldLabel("effective_at")),
};

/** A required choice among the given states. */
export function stateField<const State extends AssetState>(states: readonly State[]) {
  const field = choiceField(() => toFieldLabel("state"), states);
  return required(field, "Choose the asset's current state.");
}

const state = stateField(presentStates);

/** `/assets/:id/state`: changes between the states of assets that are not retired. */
export const assetStateForm = assetForm({
  action: "state",
  right: stateRight,
  fields: { state, ...changeDetailFields },
  change: (tx, { caller, id, given: { state, note, effective_at: effectiveAt }, version }) =>
    changeInSet(tx, caller, "asset", (inSet) =>
      changeAssetState(tx, inSet, id, { state, note, effectiveAt, expectedVersion: version }),
    ),
  done: (change, { subject: { asset }, given: { state } }) =>
    seeChangedAsset(asset, nowTexts[state](asset.name), change),
  page: ({ subject: { asset } }) => <StatePage asset={asset} />,
});

/** Redirects to the asset with a message and, if anything changed, the domain's warnings. */
export function seeChangedAsset(
  asset: AssetRecord,
  sentence: string,
  { changed, warnings, set }: AssetChange & { set?: string },
) {
  const isDone = changed.length > 0;
  const text = withWarnings(sentence, isDone ? warnings : []);
  return seeOther(toAddressOf(asset), text, undefined, { undo: set });
}

function StatePage({ asset }: { asset: AssetRecord }): VNode {
  const title = t("Change state");
  if (asset.state === "deleted") {
    return (
      <AssetFormPage asset={asset} title={title}>
        <RetiredNotice asset={asset} text={t("Restore it to use it again.")} />
      </AssetFormPage>
    );
  }
  const choices = presentStates
    .filter((value) => value !== asset.state)
    .map((value) => ({ value, label: assetStateLabels[value], help: meanings[value] }));
  return (
    <AssetFormPage asset={asset} title={title}>
      <StaleNotice what="asset" href={toAddressOf(asset)} />
      <PostForm class="panel">
        <RadioChoices name="state" legend={t("New state")} choices={choices} />
        <ChangeDetailFields />
        <FormActions submit={t("Change state")} cancel={toAddressOf(asset)} />
      </PostForm>
      <p class="soft after-form">
        {tRich("Gone for good? <a>Retire it</a> instead.", {
          a: (words) => <a href={`${toAddressOf(asset)}/retire`}>{words}</a>,
        })}
      </p>
    </AssetFormPage>
  );
}

export function ChangeDetailFields(): VNode {
  return (
    <>
      <TextArea name="note" maxLength={1000} rows={3} help={t("Optional. Shown in the history.")} />
      <TextInput
        name="effective_at"
        type="datetime-local"
        help={t("Leave blank to use the current time. Up to 90 days ago, {zone} time.", {
          zone: describeZone(),
        })}
      />
    </>
  );
}
