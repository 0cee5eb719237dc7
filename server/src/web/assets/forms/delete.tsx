import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import {
  forceDeleteAsset,
  type ForceDeletedAsset,
  type Loss,
} from "../../../domain/assets/asset-deletion.js";
import { findOwnDeletion } from "../../../domain/references/referred-assets.js";
import { commit, dryRun } from "../../../domain/sql/transactions.js";
import { AppError } from "../../../errors.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { readFields } from "../../forms/forms.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink, DangerZone, Facts } from "../../layout/page-parts.js";
import { Notice, type FormError } from "../../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../../layout/reply.js";
import { countOf, formatDay, formatMoney } from "../../text/format.js";
import { toAssetErrors } from "./asset-errors.js";
import { AssetFormPage } from "./asset-form-page.js";
import {
  noSuchAsset,
  openAssetFor,
  toAddressOf,
  type AssetParams,
  type OpenedAsset,
} from "./open-asset.js";

const address = "/assets/:id/delete";

/** `/assets/:id/delete`: the danger zone, for admins of its workspace. */
export const deleteAssetPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);

  const open = (request: FastifyRequest<AssetParams>) =>
    openAssetFor(app.db.manager, callerOf(request), request.params.id, [
      "admin",
      "permanently delete assets",
    ]);

  const send = async (
    request: FastifyRequest<AssetParams>,
    reply: FastifyReply,
    { asset }: OpenedAsset,
    { typed = "", errors = [] }: { typed?: string; errors?: readonly FormError[] } = {},
  ) => {
    const caller = callerOf(request);
    const loss = await dryRun(app.db, (tx) =>
      forceDeleteAsset(tx, caller, {
        asset_id: asset.id,
        confirm_inventory_number: asset.inventory_number,
      }),
    );
    if (errors.length > 0) void reply.code(400);
    const frame = layoutProps(request, reply);
    const view = { frame, asset, loss, typed, errors, timeZone: caller.timeZone };
    return sendPage(reply, <DeletePage {...view} />);
  };

  app.get<AssetParams>(address, async (request, reply) =>
    send(request, reply, await open(request)),
  );

  app.post<AssetParams>(address, async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const { confirm_inventory_number: typed } = readFields(request.body, [
      "confirm_inventory_number",
    ]);
    try {
      const opened = await open(request);
      try {
        const deletion = { asset_id: id, confirm_inventory_number: typed };
        const gone = await commit(app.db, (tx) => forceDeleteAsset(tx, caller, deletion));
        flash(request, describeGone(gone));
      } catch (error) {
        const errors = toAssetErrors(caller, error);
        return await send(request, reply, opened, { typed, errors });
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      // The form was sent twice: what it asked for was done the first time.
      const gone = await findOwnDeletion(app.db.manager, caller, id);
      if (gone === undefined) throw noSuchAsset();
      flash(request, `${gone.name} (${gone.inventory_number}) is permanently deleted.`);
    }
    return reply.redirect("/assets", 303);
  });
};

function describeGone(gone: ForceDeletedAsset): string {
  const what = describeRemoved(gone);
  return `${gone.name} (${gone.inventory_number}) is permanently deleted, with ${what}.`;
}

function describeRemoved({
  tasks_removed: tasks,
  history_events_removed: events,
}: ForceDeletedAsset) {
  return `${countOf(tasks, "task")} and ${countOf(events, "entry", "entries")} of its history`;
}

interface DeleteView {
  frame: LayoutProps;
  asset: OpenedAsset["asset"];
  loss: ForceDeletedAsset & Loss;
  typed: string;
  errors: readonly FormError[];
  timeZone: string;
}

function DeletePage({ frame, asset, loss, typed, errors, timeZone }: DeleteView): VNode {
  const costs = Object.entries(loss.recorded_cost ?? {});
  const { last_activity_at: last, warranty_expires_on: warranty } = loss;
  return (
    <AssetFormPage frame={frame} asset={asset} title="Delete permanently">
      {asset.state !== "deleted" && (
        <Notice title="You probably want to retire it">
          <p>
            A retired asset leaves lists and counts too, keeps its history for audits, and can be
            restored.
          </p>
          <p>
            <ActionLink href={`${toAddressOf(asset)}/retire`}>Retire it instead</ActionLink>
          </p>
        </Notice>
      )}
      <DangerZone>
        <p>
          This erases <strong class="named">{asset.name}</strong> for everybody. It cannot be
          undone, and nobody can bring it back. Its inventory number is never given again. This will
          be lost:
        </p>
        <Facts
          facts={[
            ["Tasks", countOf(loss.tasks_removed, "task")],
            ["History", countOf(loss.history_events_removed, "entry", "entries")],
            [
              "Recorded cost",
              costs.map(([currency, cost]) => formatMoney(cost, currency)).join(", "),
            ],
            ["Last activity", last && <Moment at={new Date(last)} timeZone={timeZone} />],
            ["Warranty until", warranty && formatDay(warranty)],
          ]}
        />
        <PostForm frame={frame} errors={errors} class="after-facts">
          <p>
            To go on, type the inventory number: <code class="exact">{asset.inventory_number}</code>
          </p>
          <TextInput
            name="confirm_inventory_number"
            label="Inventory number"
            values={{ confirm_inventory_number: typed }}
            errors={errors}
            required
          />
          <FormActions submit="Delete permanently" danger cancel={toAddressOf(asset)} />
        </PostForm>
      </DangerZone>
    </AssetFormPage>
  );
}
