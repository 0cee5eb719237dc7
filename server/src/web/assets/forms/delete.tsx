import type { VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import {
  forceDeleteAsset,
  type ForceDeletedAsset,
  type Loss,
} from "../../../domain/assets/asset-deletion.js";
import { findOwnDeletion } from "../../../domain/shared/referred-assets.js";
import { dryRun } from "../../../domain/history/transactions.js";
import { AppError } from "../../../errors.js";
import { t, tRich } from "../../../language/translate.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { textField } from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { seeOther, type FormReply } from "../../forms/form-reply.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink } from "../../layout/page-head.js";
import { DangerZone } from "../../layout/danger-zone.js";
import { Facts } from "../../layout/facts.js";
import { Notice } from "../../layout/notices.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { countOf, formatDay, formatMoney } from "../../text/format.js";
import { toAssetErrors } from "./asset-errors.js";
import { AssetFormPage } from "./asset-form.js";
import { noSuchAsset, openAssetFor, toAddressOf, type OpenedAsset } from "./open-asset.js";

/** `/assets/:id/delete`: the danger zone. For admins of the asset's workspace. */
export const deleteAssetForm = formRoute({
  path: "/assets/:id/delete",
  open: (form: FormRequest): Promise<OpenedAsset | FormReply> =>
    openAssetFor(form.db, form.caller, form.id, ["admin", "permanently delete assets"]).catch(
      (error: unknown) => findGone(error, form),
    ),
  fields: { confirm_inventory_number: textField(() => toFieldLabel("confirm_inventory_number")) },
  change: (tx, { caller, id, values: { confirm_inventory_number = "" } }) =>
    forceDeleteAsset(tx, caller, { asset_id: id, confirm_inventory_number }),
  toErrors: (error, form) => (isNotFound(error) ? findGone(error, form) : toAssetErrors(error)),
  done: (gone) => seeOther("/assets", describeGone(gone)),
  page: async ({ request, caller, subject: { asset } }) => {
    const deletion = { asset_id: asset.id, confirm_inventory_number: asset.inventory_number };
    const loss = await dryRun(request.db, (tx) => forceDeleteAsset(tx, caller, deletion));
    return <DeletePage asset={asset} loss={loss} />;
  },
});

function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === "not_found";
}

/** The form was sent twice, and the first one did the work. */
async function findGone(
  error: unknown,
  { request, db, caller, id }: FormRequest,
): Promise<FormReply> {
  if (!isNotFound(error) || request.method === "GET") throw error;
  const gone = await findOwnDeletion(db, caller, id);
  if (gone === undefined) throw noSuchAsset();
  const { name, inventory_number: number } = gone;
  return seeOther("/assets", t("{name} ({number}) permanently deleted.", { name, number }));
}

function describeGone(gone: ForceDeletedAsset): string {
  const { name, inventory_number: number, files_removed: files } = gone;
  const lost = { name, number, tasks: gone.tasks_removed, entries: gone.history_events_removed };
  return files === 0
    ? t(
        "{name} ({number}) permanently deleted, with {tasks, plural, one {# task} other {# tasks}} and {entries, plural, one {# history entry} other {# history entries}}.",
        lost,
      )
    : t(
        "{name} ({number}) permanently deleted, with {tasks, plural, one {# task} other {# tasks}}, {entries, plural, one {# history entry} other {# history entries}} and {files, plural, one {# file} other {# files}}.",
        { ...lost, files },
      );
}

interface DeleteView {
  asset: AssetRecord;
  loss: ForceDeletedAsset & Loss;
}

function DeletePage({ asset, loss }: DeleteView): VNode {
  return (
    <AssetFormPage asset={asset} title={t("Delete permanently")}>
      {asset.state !== "deleted" && (
        <Notice title={t("You probably want to retire it")}>
          <p>
            {t(
              "A retired asset also leaves lists and totals. It keeps its history for audits and can be restored.",
            )}
          </p>
          <p>
            <ActionLink href={`${toAddressOf(asset)}/retire`}>{t("Retire it instead")}</ActionLink>
          </p>
        </Notice>
      )}
      <DangerZone>
        <p>
          {tRich(
            "This permanently deletes {name} for everyone. It can't be undone, and its inventory number is never reused. You'll lose:",
            { name: <strong class="named">{asset.name}</strong> },
          )}
        </p>
        <LossFacts loss={loss} />
        <PostForm class="after-facts">
          <p>
            {tRich("To continue, type the inventory number: {number}", {
              number: <code class="exact">{asset.inventory_number}</code>,
            })}
          </p>
          <TextInput name="confirm_inventory_number" required />
          <FormActions submit={t("Delete permanently")} danger cancel={toAddressOf(asset)} />
        </PostForm>
      </DangerZone>
    </AssetFormPage>
  );
}

function LossFacts({ loss }: Pick<DeleteView, "loss">): VNode {
  const costs = Object.entries(loss.recorded_cost ?? {});
  const { files_removed: files, last_activity_at: last, warranty_expires_on: warranty } = loss;
  return (
    <Facts
      facts={[
        [t("Tasks"), countOf(loss.tasks_removed, "task")],
        [t("History"), countOf(loss.history_events_removed, "entry")],
        [t("Photos and files"), files === 0 ? null : countOf(files, "file")],
        [
          t("Recorded cost"),
          costs.map(([currency, cost]) => formatMoney(cost, currency)).join(", "),
        ],
        [t("Last activity"), last && <Moment at={new Date(last)} />],
        [t("Warranty ends"), warranty && formatDay(warranty)],
      ]}
    />
  );
}
