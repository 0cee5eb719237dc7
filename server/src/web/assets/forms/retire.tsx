import type { VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import type { AssetChange } from "../../../domain/assets/asset-answers.js";
import { changeAssetState } from "../../../domain/assets/change-asset-state.js";
import { mergeAsset } from "../../../domain/tasks/merge-asset.js";
import { changeInSet } from "../../../domain/history/change-several.js";
import { dryRun } from "../../../domain/history/transactions.js";
import { FormActions, PostForm, Select, TextInput, toOptions } from "../../forms/controls.js";
import { choiceField, assetField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { StaleNotice } from "../../forms/stale-notice.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { choicesOf, deletionReasonLabels } from "../../text/value-labels.js";
import { assetForm, AssetFormPage } from "./asset-form.js";
import { toAddressOf } from "./open-asset.js";
import { ChangeDetailFields, changeDetailFields, seeChangedAsset, stateRight } from "./state.js";
import { describeWarning } from "../../text/warnings-for-people.js";
import { t } from "../../../language/translate.js";

const reason = choiceField(() => toFieldLabel("reason"), choicesOf(deletionReasonLabels));
const merged_into = assetField(() => toFieldLabel("merged_into"));

/** `/assets/:id/retire`: removes the asset from lists and counts. It can be restored. */
export const retireAssetForm = assetForm({
  action: "retire",
  right: stateRight,
  instead: (asset) =>
    asset.state === "deleted"
      ? seeOther(toAddressOf(asset), t("{name} is already retired.", { name: asset.name }))
      : undefined,
  fields: { reason, merged_into, ...changeDetailFields },
  change: (tx, { caller, id, given, version }): Promise<AssetChange & { set?: string }> => {
    const { reason, merged_into: into, note, effective_at: effectiveAt } = given;
    const how = { state: "deleted", reason, note, effectiveAt, expectedVersion: version } as const;
    return into === undefined
      ? changeInSet(tx, caller, "asset", (inSet) => changeAssetState(tx, inSet, id, how))
      : mergeAsset(tx, caller, id, { ...how, into });
  },
  // The asset's page offers to restore it.
  done: (change, { subject: { asset } }) => {
    const tasks = change.changed.length === 0 ? 0 : (change.open_tasks_hidden ?? 0);
    const hidden = tasks === 0 ? "" : ` ${describeHidden(tasks)}`;
    return seeChangedAsset(asset, `${t("{name} retired.", { name: asset.name })}${hidden}`, change);
  },
  page: async ({ request, caller, subject: { asset } }) => {
    const effects = await dryRun(request.db, (tx) =>
      changeAssetState(tx, caller, asset.id, { state: "deleted" }),
    );
    return <RetirePage asset={asset} effects={effects} />;
  },
});

function describeHidden(tasks: number): string {
  return t(
    "{tasks, plural, one {# open task is} other {# open tasks are}} hidden until you restore the asset.",
    { tasks },
  );
}

interface RetireView {
  asset: AssetRecord;
  effects: AssetChange;
}

function RetirePage({ asset, effects }: RetireView): VNode {
  const tasks = effects.open_tasks_hidden ?? 0;
  return (
    <AssetFormPage asset={asset} title={t("Retire asset")}>
      <p>
        {t(
          "Retire an asset that was sold, scrapped, lost or is no longer needed. When you retire it:",
        )}
      </p>
      <ul>
        <li>
          {t(
            "It no longer appears in lists and totals. Its history and inventory number are kept.",
          )}
        </li>
        {tasks > 0 && <li>{describeHidden(tasks)}</li>}
        {effects.warnings.map(describeWarning).map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
        <li>{t("You can restore it at any time from its page or the list of retired assets.")}</li>
      </ul>
      <StaleNotice what="asset" href={toAddressOf(asset)} />
      <PostForm class="panel">
        <Select
          name="reason"
          options={toOptions(deletionReasonLabels)}
          empty={t("Not specified")}
        />
        <TextInput
          name="merged_into"
          help={t(
            "If this is a duplicate: inventory number of the asset to keep. Open tasks move there.",
          )}
        />
        <ChangeDetailFields />
        <FormActions submit={t("Retire asset")} danger cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}
