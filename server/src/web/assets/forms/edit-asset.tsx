import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { findAssetPermissions } from "../../../domain/assets/asset-permissions.js";
import { updateAsset } from "../../../domain/assets/asset-updates.js";
import { findCategoryNames } from "../../../domain/assets/categories.js";
import { findReferredAsset } from "../../../domain/references/referred-assets.js";
import { personOptions } from "../../forms/choices.js";
import { FormActions, PostForm, type Option } from "../../forms/controls.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { readForm } from "../../forms/form-fields.js";
import { readVersion } from "../../forms/forms.js";
import { ActionLink, ChangedMeanwhile, ThereNow } from "../../layout/page-parts.js";
import { Notice, type FormError } from "../../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash } from "../../layout/reply.js";
import { toValueLabel } from "../../text/value-labels.js";
import { AssetFormPage, HiddenVersion, type AssetFormView } from "./asset-form-page.js";
import { changeAsset, withWarnings } from "./change-asset.js";
import { editFieldsOf, findChanged, toUpdate, toValues, type Values } from "./fields.js";
import { AssetFieldsets, type FieldsView } from "./fieldsets.js";
import { openAssetFor, toAddressOf, type AssetParams, type OpenedAsset } from "./open-asset.js";

const address = "/assets/:id/edit";
const right = ["member", "change assets"] as const;

/** `/assets/:id/edit`: what is known about an asset; state and workspace have forms of their own. */
export const editAssetPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);

  app.get<AssetParams>(address, async (request, reply) => {
    const opened = await openAssetFor(app.db.manager, callerOf(request), request.params.id, [
      ...right,
    ]);
    const values = toValues(opened.asset, opened.parent);
    const { version } = opened.asset;
    return sendForm(app, request, reply, { opened, values, errors: [], version, isStale: false });
  });

  app.post<AssetParams>(address, async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const opened = await openAssetFor(app.db.manager, caller, id, [...right]);
    const { asset, parent } = opened;
    const form = readForm(request.body, editFieldsOf(request.body));
    const version = readVersion(request.body) ?? 0;
    const { values } = form;
    if (form.errors.length > 0) {
      const errors = form.errors;
      return sendForm(app, request, reply, { opened, values, errors, version, isStale: false });
    }
    const changed = findChanged(values, toValues(asset, parent));
    if (changed.length === 0) return sayUnchanged(request, reply, asset);
    const update = toUpdate(form, changed);
    const outcome = await changeAsset(app.db, caller, version, (tx, expected) =>
      updateAsset(tx, caller, id, { ...update, expected_version: expected }),
    );
    if ("change" in outcome) {
      const { change } = outcome;
      if (change === undefined || change.changed.length === 0) {
        return sayUnchanged(request, reply, asset, change?.warnings);
      }
      flash(request, withWarnings(describeSaved(change.asset.name, changed), change.warnings));
      return reply.redirect(toAddressOf(asset), 303);
    }
    return sendForm(app, request, reply, {
      ...{ values, ...outcome },
      opened: outcome.isStale ? await openAssetFor(app.db.manager, caller, id, [...right]) : opened,
    });
  });
};

function sayUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: { id: string },
  warnings: readonly string[] = [],
): FastifyReply {
  flash(
    request,
    withWarnings("Nothing had to be changed: everything is as you entered it.", warnings),
  );
  return reply.redirect(toAddressOf(asset), 303);
}

function describeSaved(name: string, changed: readonly string[]): string {
  const words = changed.map(toFieldLabel);
  const list = new Intl.ListFormat("en-GB", { type: "conjunction" }).format(words);
  return `Saved for ${name}: ${list}.`;
}

interface EditForm {
  opened: OpenedAsset;
  values: Values;
  errors: readonly FormError[];
  version: number;
  isStale: boolean;
}

async function sendForm(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { opened, values, errors, version, isStale }: EditForm,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const db = app.db.manager;
  const { asset } = opened;
  const [people, categories, parent, may] = await Promise.all([
    personOptions(db, caller),
    findCategoryNames(db, caller),
    findReferredAsset(db, caller, (values.parent_asset_id ?? "").trim()),
    findAssetPermissions(db, caller, asset),
  ]);
  const fields: FieldsView = {
    values,
    errors,
    categories,
    people: withPresent(people, asset.assigned_to_user_id, asset.assigned_to),
    parent,
    currency: caller.currency,
    mayNumber: may.admin,
  };
  if (errors.length > 0) void reply.code(400);
  const present = isStale ? toValues(asset, opened.parent) : undefined;
  return sendPage(
    reply,
    <EditAssetPage
      frame={layoutProps(request, reply)}
      asset={asset}
      version={version}
      errors={errors}
      fields={fields}
      present={present}
    />,
  );
}

/** Whoever is responsible can be kept, also when that person could not be chosen anew. */
function withPresent(people: Option[], id: string | null, name: string | null): Option[] {
  if (id === null || people.some(({ value }) => value === id)) return people;
  return [{ value: id, label: name ?? id }, ...people];
}

interface EditView extends AssetFormView {
  fields: FieldsView;
  /** What is there now, when the form was made on an older version. */
  present: Values | undefined;
}

function EditAssetPage({ frame, asset, version, errors, fields, present }: EditView): VNode {
  const title = "Change details";
  if (asset.state === "deleted") {
    return (
      <AssetFormPage frame={frame} asset={asset} title={title}>
        <Notice title="This asset is retired">
          <p>Its details stay as they are. Restore it to change them.</p>
          <p>
            <ActionLink href={`${toAddressOf(asset)}/restore`}>Restore asset</ActionLink>
          </p>
        </Notice>
      </AssetFormPage>
    );
  }
  return (
    <AssetFormPage frame={frame} asset={asset} title={title}>
      <p class="soft">
        Elsewhere: <a href={`${toAddressOf(asset)}/state`}>change its state</a>,{" "}
        <a href={`${toAddressOf(asset)}/move`}>move it to another workspace</a>.
      </p>
      {present !== undefined && (
        <ChangedMeanwhile what="asset" href={toAddressOf(asset)}>
          <Differences fields={fields} present={present} />
        </ChangedMeanwhile>
      )}
      <PostForm frame={frame} errors={errors} class="panel folding-form">
        <HiddenVersion version={version} />
        <AssetFieldsets {...fields} />
        <FormActions submit="Save changes" cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}

/** Where what is there now is not what the form says. */
function Differences({ fields, present }: { fields: FieldsView; present: Values }): VNode {
  const show = (field: string, value: string) =>
    field === "assigned_to_user_id"
      ? (fields.people.find((one) => one.value === value)?.label ?? value)
      : toValueLabel(field, value);
  const values = findChanged(fields.values, present).map((field) => ({
    field,
    words: show(field, present[field] ?? ""),
  }));
  return <ThereNow values={values} />;
}
