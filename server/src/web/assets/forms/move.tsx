import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { updateAsset, type AssetUpdate } from "../../../domain/assets/asset-updates.js";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { idKindOf } from "../../../domain/values/ids.js";
import { workspaceOptions } from "../../forms/choices.js";
import { FormActions, PostForm, Select, TextInput, type Option } from "../../forms/controls.js";
import { toFieldLabel } from "../../text/field-labels.js";
import {
  choiceField,
  readForm,
  required,
  textField,
  type FormField,
} from "../../forms/form-fields.js";
import { readVersion } from "../../forms/forms.js";
import { ChangedMeanwhile } from "../../layout/page-parts.js";
import { callerOf, layoutProps, sendPage, flash } from "../../layout/reply.js";
import { AssetFormPage, HiddenVersion, type AssetFormView } from "./asset-form-page.js";
import { changeAsset, withWarnings } from "./change-asset.js";
import { openAssetFor, toAddressOf, type AssetParams, type OpenedAsset } from "./open-asset.js";

const address = "/assets/:id/move";

/** Stands for no workspace, which is a choice of its own here. */
const nowhere = "none";

const placeField: FormField<string> = {
  label: toFieldLabel("workspace_id"),
  read: (text) =>
    idKindOf(text) === "workspace" ? text : choiceField("Workspace", [nowhere]).read(text),
};

const fields = {
  workspace_id: required(placeField, "Choose where the asset goes."),
  location: textField(toFieldLabel("location")),
};

/** `/assets/:id/move`: to another workspace, or to none. */
export const moveAssetPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requireMember);

  app.route<AssetParams>({
    method: ["GET", "POST"],
    url: address,
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { asset } = await openAssetFor(app.db.manager, caller, request.params.id, [
        "member",
        "move assets",
      ]);
      const send = async (view: Partial<MoveView>) => {
        const workspaces = await workspaceOptions(app.db.manager, caller, { least: "member" });
        const places = toPlaces(caller, asset, workspaces);
        const values = { workspace_id: "", location: asset.location ?? "" };
        const shown = { asset, version: asset.version, errors: [], values, places };
        if ((view.errors ?? []).length > 0) void reply.code(400);
        return sendPage(
          reply,
          <MovePage frame={layoutProps(request, reply)} {...shown} {...view} />,
        );
      };
      if (request.method === "GET") return send({});

      const { values, given, errors } = readForm(request.body, fields);
      const version = readVersion(request.body) ?? asset.version;
      const { workspace_id: to } = given;
      if (to === undefined || errors.length > 0) return send({ values, errors, version });
      const update = toMove(asset, to, values.location.trim());
      const outcome = await changeAsset(app.db, caller, version, (tx, expected) =>
        updateAsset(tx, caller, asset.id, { ...update, expected_version: expected }),
      );
      if ("errors" in outcome) return send({ values, ...outcome });
      const { asset: moved } = await openAssetFor(app.db.manager, caller, asset.id, [
        "member",
        "move assets",
      ]);
      const where =
        moved.workspace_name === null ? "in no workspace" : `in ${moved.workspace_name}`;
      flash(
        request,
        withWarnings(`${asset.name} is now ${where}.`, outcome.change?.warnings ?? []),
      );
      return reply.redirect(toAddressOf(asset), 303);
    },
  });
};

/** The details of a retired asset stay, its location too. */
function toMove(asset: OpenedAsset["asset"], to: string, location: string): AssetUpdate {
  const isKept = asset.state === "deleted" || location === (asset.location ?? "");
  const cleared = [
    ...(to === nowhere ? (["workspace_id"] as const) : []),
    ...(!isKept && location === "" ? (["location"] as const) : []),
  ];
  return {
    ...(to !== nowhere && { workspace_id: to }),
    ...(!isKept && location !== "" && { location }),
    ...(cleared.length > 0 && { clear_fields: cleared }),
  };
}

/** Everywhere else; only admins of the organization look after what is in no workspace. */
function toPlaces(
  caller: Caller,
  asset: OpenedAsset["asset"],
  workspaces: readonly Option[],
): Option[] {
  const others = workspaces.filter(({ value }) => value !== asset.workspace_id);
  const mayLeave = isOrganizationAdmin(caller) && asset.workspace_id !== null;
  return mayLeave ? [...others, { value: nowhere, label: "In no workspace" }] : others;
}

interface MoveView extends AssetFormView {
  values: Partial<Record<"workspace_id" | "location", string>>;
  places: readonly Option[];
  isStale?: boolean;
}

function MovePage(view: MoveView): VNode {
  const { frame, asset, version, errors, values, places, isStale = false } = view;
  if (places.length === 0) {
    return (
      <AssetFormPage frame={frame} asset={asset} title="Move asset">
        <p>There is no other workspace that you may add assets to.</p>
      </AssetFormPage>
    );
  }
  const { assigned_to: responsible } = asset;
  return (
    <AssetFormPage frame={frame} asset={asset} title="Move asset">
      <p>
        Its tasks, open and finished, move with it.{" "}
        {responsible !== null &&
          `${responsible} stays responsible only as a member of the new workspace. `}
        Parts of it stay where they are.
      </p>
      {isStale && <ChangedMeanwhile what="asset" href={toAddressOf(asset)} />}
      <PostForm frame={frame} errors={errors} class="panel">
        <HiddenVersion version={version} />
        <Select
          name="workspace_id"
          label="To workspace"
          values={values}
          errors={errors}
          options={places}
          empty="Choose a workspace"
          required
        />
        {asset.state !== "deleted" && (
          <TextInput
            name="location"
            label={toFieldLabel("location")}
            values={values}
            errors={errors}
            maxLength={200}
            help="Where inside the new workspace. What stands here now is where it is today."
          />
        )}
        <FormActions submit="Move asset" cancel={toAddressOf(asset)} />
      </PostForm>
    </AssetFormPage>
  );
}
