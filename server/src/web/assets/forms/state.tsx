import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { AssetState } from "../../../db/entities/asset.js";
import { changeAssetState } from "../../../domain/assets/asset-states.js";
import { FormActions, PostForm, TextArea, TextInput } from "../../forms/controls.js";
import { toFieldLabel } from "../../text/field-labels.js";
import {
  choiceField,
  momentField,
  readForm,
  required,
  textField,
} from "../../forms/form-fields.js";
import { readVersion } from "../../forms/forms.js";
import { ActionLink, ChangedMeanwhile } from "../../layout/page-parts.js";
import { Notice } from "../../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash } from "../../layout/reply.js";
import { assetStateLabels } from "../../text/value-labels.js";
import { AssetFormPage, Choices, HiddenVersion, type AssetFormView } from "./asset-form-page.js";
import { changeAsset, withWarnings } from "./change-asset.js";
import { presentStates } from "./fields.js";
import { openAssetFor, toAddressOf, type AssetParams } from "./open-asset.js";

const address = "/assets/:id/state";

const meanings: Partial<Record<AssetState, string>> = {
  available: "Ready to be used, and nobody uses it now.",
  in_use: "Running, or with a person who works with it.",
  in_maintenance: "Work is being done on it. It counts as down.",
  out_of_service: "Broken or blocked, and no work has begun. It counts as down.",
  stored: "Put away, not ready for use. It is left out of reliability figures.",
};

/** "effective_at" and "note", which every change of state may have. */
export function changeDetailFields(timeZone: string) {
  return {
    note: textField(toFieldLabel("note")),
    effective_at: momentField(toFieldLabel("effective_at"), timeZone),
  };
}

/** `/assets/:id/state`: from one present state to another. */
export const assetStatePages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);

  app.get<AssetParams>(address, async (request, reply) => {
    const { asset } = await openAssetFor(app.db.manager, callerOf(request), request.params.id, [
      "member",
      "change the state of an asset",
    ]);
    const { timeZone } = callerOf(request);
    const view = { asset, version: asset.version, errors: [], timeZone, values: {} };
    return sendPage(reply, <StatePage frame={layoutProps(request, reply)} {...view} />);
  });

  app.post<AssetParams>(address, async (request, reply) => {
    const caller = callerOf(request);
    const { asset } = await openAssetFor(app.db.manager, caller, request.params.id, [
      "member",
      "change the state of an asset",
    ]);
    const stateField = choiceField(toFieldLabel("state"), presentStates);
    const { values, given, errors } = readForm(request.body, {
      state: required(stateField, "Choose the state that the asset is in now."),
      ...changeDetailFields(caller.timeZone),
    });
    const version = readVersion(request.body);
    const send = (
      view: Pick<AssetFormView, "errors"> & { isStale?: boolean; version?: number },
    ) => {
      const shown = {
        frame: layoutProps(request, reply),
        asset,
        timeZone: caller.timeZone,
        values,
      };
      void reply.code(400);
      return sendPage(reply, <StatePage {...shown} version={version ?? asset.version} {...view} />);
    };
    const { state, note, effective_at: effectiveAt } = given;
    if (state === undefined || errors.length > 0) return send({ errors });
    const outcome = await changeAsset(app.db, caller, version, (tx, expectedVersion) =>
      changeAssetState(tx, caller, asset.id, { state, note, effectiveAt, expectedVersion }),
    );
    if ("errors" in outcome) {
      return send({ ...outcome, version: outcome.version ?? asset.version });
    }
    const sentence = `${asset.name} is now: ${assetStateLabels[state].toLowerCase()}.`;
    const { change } = outcome;
    const warnings = change === undefined || change.changed.length === 0 ? [] : change.warnings;
    flash(request, withWarnings(sentence, warnings));
    return reply.redirect(toAddressOf(asset), 303);
  });
};

interface StateView extends AssetFormView {
  values: Partial<Record<"state" | "note" | "effective_at", string>>;
  timeZone: string;
  isStale?: boolean;
}

function StatePage(view: StateView): VNode {
  const { frame, asset, version, errors, values, timeZone, isStale = false } = view;
  const title = "Change state";
  if (asset.state === "deleted") {
    return (
      <AssetFormPage frame={frame} asset={asset} title={title}>
        <Notice title="This asset is retired">
          <p>Restore it to use it again.</p>
          <p>
            <ActionLink href={`${toAddressOf(asset)}/restore`}>Restore asset</ActionLink>
          </p>
        </Notice>
      </AssetFormPage>
    );
  }
  const choices = presentStates
    .filter((value) => value !== asset.state)
    .map((value) => ({ value, label: assetStateLabels[value], help: meanings[value] ?? "" }));
  return (
    <AssetFormPage frame={frame} asset={asset} title={title}>
      {isStale && <ChangedMeanwhile what="asset" href={toAddressOf(asset)} />}
      <PostForm frame={frame} errors={errors} class="panel">
        <HiddenVersion version={version} />
        <Choices
          name="state"
          legend="New state"
          choices={choices}
          value={values.state}
          errors={errors}
        />
        <ChangeDetailFields values={values} errors={errors} timeZone={timeZone} />
        <FormActions submit="Change state" cancel={toAddressOf(asset)} />
      </PostForm>
      <p class="soft after-form">
        Is it gone for good? <a href={`${toAddressOf(asset)}/retire`}>Retire it</a> instead.
      </p>
    </AssetFormPage>
  );
}

/** Why, and since when. */
export function ChangeDetailFields({
  values,
  errors,
  timeZone,
}: Pick<StateView, "values" | "errors" | "timeZone">): VNode {
  return (
    <>
      <TextArea
        name="note"
        label={toFieldLabel("note")}
        values={values}
        errors={errors}
        maxLength={1000}
        rows={3}
        help="Why, for the history."
      />
      <TextInput
        name="effective_at"
        label={toFieldLabel("effective_at")}
        type="datetime-local"
        values={values}
        errors={errors}
        help={`Left empty, it is now. Time in ${timeZone.replaceAll("_", " ")}, at most 90 days back.`}
      />
    </>
  );
}
