import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { AssetChange } from "../../../domain/assets/asset-answers.js";
import { changeAssetState } from "../../../domain/assets/asset-states.js";
import { dryRun } from "../../../domain/sql/transactions.js";
import { FormActions, PostForm, Select, toOptions } from "../../forms/controls.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { choiceField, readForm } from "../../forms/form-fields.js";
import { readVersion } from "../../forms/forms.js";
import { ChangedMeanwhile } from "../../layout/page-parts.js";
import { callerOf, layoutProps, sendPage, flash } from "../../layout/reply.js";
import { choicesOf, deletionReasonLabels } from "../../text/value-labels.js";
import { countOf } from "../../text/format.js";
import { AssetFormPage, HiddenVersion, type AssetFormView } from "./asset-form-page.js";
import { changeAsset, withWarnings } from "./change-asset.js";
import { openAssetFor, toAddressOf, type AssetParams } from "./open-asset.js";
import { ChangeDetailFields, changeDetailFields } from "./state.js";

const address = "/assets/:id/retire";

/** `/assets/:id/retire`: out of lists and counts, with the way back. */
export const retireAssetPages: FastifyPluginAsync = async (app) => {
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
      if (asset.state === "deleted") {
        flash(request, `${asset.name} is retired already.`);
        return reply.redirect(toAddressOf(asset), 303);
      }
      const send = async (view: Partial<RetireView>) => {
        const effects = await dryRun(app.db, (tx) =>
          changeAssetState(tx, caller, asset.id, { state: "deleted" }),
        );
        const shown = { asset, effects, version: asset.version, errors: [], values: {} };
        const { timeZone } = caller;
        const frame = layoutProps(request, reply);
        if ((view.errors ?? []).length > 0) void reply.code(400);
        return sendPage(reply, <RetirePage {...shown} {...{ frame, timeZone }} {...view} />);
      };
      if (request.method === "GET") return send({});

      const { values, given, errors } = readForm(request.body, {
        reason: choiceField(toFieldLabel("reason"), choicesOf(deletionReasonLabels)),
        ...changeDetailFields(caller.timeZone),
      });
      const version = readVersion(request.body) ?? asset.version;
      if (errors.length > 0) return send({ values, errors, version });
      const { reason, note, effective_at: effectiveAt } = given;
      const outcome = await changeAsset(app.db, caller, version, (tx, expectedVersion) => {
        const how = { reason, note, effectiveAt, expectedVersion };
        return changeAssetState(tx, caller, asset.id, { state: "deleted", ...how });
      });
      if ("errors" in outcome) return send({ values, ...outcome });
      // Its page leads to restoring it.
      flash(request, describeRetired(asset.name, outcome.change));
      return reply.redirect(toAddressOf(asset), 303);
    },
  });
};

function describeRetired(name: string, change: AssetChange | undefined): string {
  if (change === undefined || change.changed.length === 0) return `${name} is retired.`;
  const tasks = change.open_tasks_hidden ?? 0;
  const hidden = tasks === 0 ? "" : ` ${describeHidden(tasks)}`;
  return withWarnings(`${name} is retired.${hidden}`, change.warnings);
}

function describeHidden(tasks: number): string {
  const verb = tasks === 1 ? "is" : "are";
  return `${countOf(tasks, "open task")} ${verb} hidden until it is restored.`;
}

interface RetireView extends AssetFormView {
  values: Partial<Record<"reason" | "note" | "effective_at", string>>;
  timeZone: string;
  /** What retiring it would bring about. */
  effects: AssetChange;
  isStale?: boolean;
}

function RetirePage(view: RetireView): VNode {
  const { frame, asset, version, errors, values, timeZone, effects, isStale = false } = view;
  const tasks = effects.open_tasks_hidden ?? 0;
  return (
    <AssetFormPage frame={frame} asset={asset} title="Retire asset">
      <p>Retiring is for what is sold, scrapped, lost or no longer needed. When you retire it:</p>
      <ul>
        <li>It leaves lists and counts. Its history and its inventory number are kept.</li>
        {tasks > 0 && <li>{describeHidden(tasks)}</li>}
        {effects.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
        <li>You can restore it at any time, from its page or from the list of retired assets.</li>
      </ul>
      {isStale && <ChangedMeanwhile what="asset" href={toAddressOf(asset)} />}
      <PostForm frame={frame} errors={errors} class="panel">
        <HiddenVersion version={version} />
        <Select
          name="reason"
          label={toFieldLabel("reason")}
          values={values}
          errors={errors}
          options={toOptions(deletionReasonLabels)}
          empty="Not given"
        />
        <ChangeDetailFields values={values} errors={errors} timeZone={timeZone} />
        <FormActions submit="Retire asset" cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}
