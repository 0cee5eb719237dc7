import type { VNode } from "preact";
import {
  addMeter,
  changeMeter,
  readingOfMeter,
  removeMeter,
} from "../../domain/meters/change-meters.js";
import { requireRoleIn, workspaceRefOf } from "../../domain/access/roles.js";
import { AssetFormPage, RetiredNotice } from "../assets/forms/asset-form.js";
import { toTabAddress } from "../assets/asset-head.js";
import { toAddressOf } from "../assets/forms/open-asset.js";
import { FormActions, PostForm, Suggestions, TextInput } from "../forms/controls.js";
import { required, textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import type { FormRequest } from "../forms/form-spec.js";
import { DangerZone } from "../layout/danger-zone.js";
import { openMeter, openMeters, toMetersAddress } from "./open-meters.js";
import { t, tRich } from "../../language/translate.js";

const fields = {
  name: required(textField("Name"), "Enter a name, such as Odometer."),
  unit: required(textField("Unit"), "Enter a unit, such as km, h or cycles."),
};

/** Throws if the caller may not change the asset. The error names people to ask. */
async function openFor<Opened extends Awaited<ReturnType<typeof openMeters>>>(
  form: FormRequest,
  open: (form: FormRequest) => Promise<Opened>,
): Promise<Opened> {
  const opened = await open(form);
  await requireRoleIn(form.db, form.caller, workspaceRefOf(opened.asset), "member", "edit assets");
  return opened;
}

/** `/assets/:id/meters/new` */
export const newMeterForm = formRoute({
  path: "/assets/:id/meters/new",
  open: (form) => openFor(form, openMeters),
  fields,
  once: "add_meter",
  change: (tx, { caller, subject: { asset }, given }) => addMeter(tx, caller, asset.id, given),
  done: ({ id, name }, { subject: { asset } }) =>
    seeOther(
      `${toMetersAddress(asset)}/${id}`,
      t("{name} added. Record the first reading.", { name }),
    ),
  page: ({ subject: { asset } }) => (
    <AssetFormPage asset={asset} title={t("Add a meter")}>
      {asset.state === "deleted" ? (
        <RetiredNotice asset={asset} text={t("Restore it to add a meter.")} />
      ) : (
        <PostForm class="panel">
          <MeterFields />
          <FormActions submit={t("Add meter")} cancel={toAddressOf(asset)} />
        </PostForm>
      )}
    </AssetFormPage>
  ),
});

/** `/assets/:id/meters/:meter/edit` */
export const editMeterForm = formRoute({
  path: "/assets/:id/meters/:meter/edit",
  open: (form) => openFor(form, openMeter),
  fields,
  version: ({ meter }) => readingOfMeter(meter),
  begin: ({ subject: { meter } }) => ({ name: meter.name, unit: meter.unit }),
  change: (tx, { caller, subject: { asset, meter }, given, version: expected }) =>
    changeMeter(tx, caller, asset.id, { ...given, id: meter.id, expected }),
  done: ({ name }, { subject: { asset, meter } }) =>
    seeOther(`${toMetersAddress(asset)}/${meter.id}`, t("{name} saved.", { name })),
  page: ({ subject: { asset, meter } }) => (
    <AssetFormPage asset={asset} title={t("Rename {name}", { name: meter.name })}>
      <PostForm class="panel">
        <MeterFields />
        <p class="help">{t("Existing readings aren't converted.")}</p>
        <FormActions submit={t("Save changes")} cancel={`${toMetersAddress(asset)}/${meter.id}`} />
      </PostForm>
    </AssetFormPage>
  ),
});

/** `/assets/:id/meters/:meter/remove`: asks for confirmation. */
export const removeMeterForm = formRoute({
  path: "/assets/:id/meters/:meter/remove",
  open: (form) => openFor(form, openMeter),
  change: (tx, { caller, subject: { asset, meter } }) =>
    removeMeter(tx, caller, asset.id, meter.id),
  done: ({ name }, { subject: { asset } }) =>
    seeOther(toTabAddress(asset, "readings"), t("{name} removed.", { name })),
  page: ({ subject: { asset, meter } }) => (
    <AssetFormPage asset={asset} title={t("Remove a meter")}>
      <DangerZone>
        <p>
          {tRich("This removes {name} with all its readings.", {
            name: <strong class="named">{meter.name}</strong>,
          })}{" "}
          {t("Was the meter replaced? Select that, and enter the new meter's first reading.")}
        </p>
        <PostForm>
          <FormActions
            submit={t("Remove meter")}
            danger
            cancel={`${toMetersAddress(asset)}/${meter.id}`}
          />
        </PostForm>
      </DangerZone>
    </AssetFormPage>
  ),
});

function MeterFields(): VNode {
  return (
    <div class="field-row">
      <TextInput name="name" maxLength={60} help={t("Such as Odometer or Spindle hours.")} />
      <TextInput name="unit" maxLength={20} list="units" help={t("Such as km, h or cycles.")} />
      <Suggestions id="units" values={["km", "h", t("cycles"), "mi"]} />
    </div>
  );
}
