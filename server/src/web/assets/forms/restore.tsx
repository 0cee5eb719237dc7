import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { AssetState } from "../../../db/entities/asset.js";
import { changeAssetState, restoredStates } from "../../../domain/assets/asset-states.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { choiceField, readForm, required } from "../../forms/form-fields.js";
import { readVersion } from "../../forms/forms.js";
import { ChangedMeanwhile, Facts } from "../../layout/page-parts.js";
import { Moment } from "../../layout/moment.js";
import { callerOf, layoutProps, sendPage, flash } from "../../layout/reply.js";
import { assetStateLabels, deletionReasonLabels } from "../../text/value-labels.js";
import { AssetFormPage, Choices, HiddenVersion, type AssetFormView } from "./asset-form-page.js";
import { changeAsset, withWarnings } from "./change-asset.js";
import { openAssetFor, toAddressOf, type AssetParams } from "./open-asset.js";
import { ChangeDetailFields, changeDetailFields } from "./state.js";

const address = "/assets/:id/restore";

const meanings: Record<(typeof restoredStates)[number], string> = {
  available: "Ready to be used, and nobody uses it now.",
  in_use: "Running, or with a person who works with it.",
  stored: "Put away, not ready for use.",
};

/** `/assets/:id/restore`: a retired asset back into lists and counts. */
export const restoreAssetPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);

  app.route<AssetParams>({
    method: ["GET", "POST"],
    url: address,
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { asset } = await openAssetFor(app.db.manager, caller, request.params.id, [
        "member",
        "change the state of an asset",
      ]);
      if (asset.state !== "deleted") {
        flash(request, `${asset.name} is not retired: it is in the lists and counts.`);
        return reply.redirect(toAddressOf(asset), 303);
      }
      const send = (view: Partial<RestoreView>) => {
        const values = { state: toFormer(asset.state_before_deletion) };
        const shown = { asset, version: asset.version, errors: [], values };
        const { timeZone } = caller;
        const frame = layoutProps(request, reply);
        if ((view.errors ?? []).length > 0) void reply.code(400);
        return sendPage(reply, <RestorePage {...shown} {...{ frame, timeZone }} {...view} />);
      };
      if (request.method === "GET") return send({});

      const state = choiceField(toFieldLabel("state"), restoredStates);
      const { values, given, errors } = readForm(request.body, {
        state: required(state, "Choose the state that the asset is in now."),
        ...changeDetailFields(caller.timeZone),
      });
      const version = readVersion(request.body) ?? asset.version;
      if (given.state === undefined || errors.length > 0) return send({ values, errors, version });
      const { state: to, note, effective_at: effectiveAt } = given;
      const outcome = await changeAsset(app.db, caller, version, (tx, expectedVersion) =>
        changeAssetState(tx, caller, asset.id, { state: to, note, effectiveAt, expectedVersion }),
      );
      if ("errors" in outcome) return send({ values, ...outcome });
      const sentence = `${asset.name} is restored and now: ${assetStateLabels[to].toLowerCase()}.`;
      const warnings = outcome.change?.changed.length === 0 ? [] : (outcome.change?.warnings ?? []);
      flash(request, withWarnings(sentence, warnings));
      return reply.redirect(toAddressOf(asset), 303);
    },
  });
};

/** What it was before, where it can be that again. */
function toFormer(state: AssetState | null): string {
  return restoredStates.find((one) => one === state) ?? "available";
}

interface RestoreView extends AssetFormView {
  values: Partial<Record<"state" | "note" | "effective_at", string>>;
  timeZone: string;
  isStale?: boolean;
}

function RestorePage(view: RestoreView): VNode {
  const { frame, asset, version, errors, values, timeZone, isStale = false } = view;
  const { deleted_at: at, deletion_reason: reason } = asset;
  return (
    <AssetFormPage frame={frame} asset={asset} title="Restore asset">
      <p>It comes back into lists and counts, with its history, its number and its open tasks.</p>
      <Facts
        facts={[
          ["Retired", at && <Moment at={at} timeZone={timeZone} />],
          ["Reason", reason && deletionReasonLabels[reason]],
        ]}
      />
      {isStale && <ChangedMeanwhile what="asset" href={toAddressOf(asset)} />}
      <PostForm frame={frame} errors={errors} class="panel after-facts">
        <HiddenVersion version={version} />
        <Choices
          name="state"
          legend="State from now on"
          choices={restoredStates.map((value) => ({
            value,
            label: assetStateLabels[value],
            help: meanings[value],
          }))}
          value={values.state}
          errors={errors}
        />
        <ChangeDetailFields values={values} errors={errors} timeZone={timeZone} />
        <FormActions submit="Restore asset" cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}
