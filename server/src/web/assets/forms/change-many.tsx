import type { VNode } from "preact";
import type { Tx } from "../../../db/database.js";
import { assetStates } from "../../../db/entities/assets.js";
import type { Caller } from "../../../domain/access/caller.js";
import { findAssetsById } from "../../../domain/assets/assets-by-id.js";
import { updateAsset, type AssetUpdate } from "../../../domain/assets/asset-updates.js";
import { changeAssetState } from "../../../domain/assets/change-asset-state.js";
import { changeMany } from "../../../domain/history/change-many.js";
import { omit } from "../../../domain/shared/omit.js";
import { t } from "../../../language/translate.js";
import { personOptions, unassigned, workspaceOptions } from "../../forms/choices.js";
import { Checkbox, Select, TextInput, toOptions, type Option } from "../../forms/controls.js";
import { checkboxField, choiceField, listField, textField } from "../../forms/form-fields.js";
import { personField } from "../../forms/person-choice.js";
import type { Given } from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import {
  afterMany,
  ChangeManyPage,
  readChosen,
  whatIsMissing,
  type Chosen,
} from "../../lists/chosen-records.js";
import { assetStateLabels } from "../../text/value-labels.js";

const path = "/assets";

const fields = {
  workspace_id: textField("Workspace"),
  assigned_to_user_id: personField("Assignee"),
  state: choiceField("State", assetStates),
  add_tags: listField("Add tags", ","),
  remove_tags: listField("Remove tags", ","),
  sure: checkboxField("Yes, retire them"),
};

/** `/assets/change`: changes several listed assets at once. */
export const changeAssetsForm = formRoute({
  path: `${path}/change`,
  open: (form) => readChosen(form, { path, one: "asset", find: (ids) => findNames(form, ids) }),
  fields,
  check: ({ given }) => whatIsMissing(given, { loss: "deleted", fields }),
  once: "change_assets",
  change: (tx, { caller, subject: { records }, given }) =>
    changeMany(tx, caller, {
      noun: "asset",
      records,
      change: (inSet, id) => changeOne(tx, inSet, id, given),
    }),
  done: (result, { subject: { back } }) => afterMany(result, "asset", back),
  page: async ({ db, caller, subject, values }) => {
    const [people, workspaces] = await Promise.all([
      personOptions(db, caller),
      workspaceOptions(db, caller),
    ]);
    const asksIfSure = values.state === "deleted";
    return <ChangeAssetsPage chosen={subject} {...{ people, workspaces, asksIfSure }} />;
  },
});

async function changeOne(tx: Tx, caller: Caller, id: string, asked: Given<typeof fields>) {
  const { state } = asked;
  const given = omit(asked, "state", "sure");
  const { workspace_id: place, assigned_to_user_id: person, ...tags } = given;
  const update: AssetUpdate = { ...tags, clear_fields: [] };
  for (const [field, value] of Object.entries({
    workspace_id: place,
    assigned_to_user_id: person,
  })) {
    const name = field as "workspace_id" | "assigned_to_user_id";
    if (value === "none") update.clear_fields?.push(name);
    else update[name] = value;
  }
  const isUpdated = Object.keys(given).length > 0;
  const updated = isUpdated ? await updateAsset(tx, caller, id, update) : { changed: [] };
  if (state === undefined) return updated;
  const { changed } = await changeAssetState(tx, caller, id, { state });
  return { changed: [...updated.changed, ...changed] };
}

async function findNames({ db, caller }: FormRequest, ids: readonly string[]) {
  const found = await findAssetsById(db, caller, ids);
  return found.map((asset) => ({ id: asset.id, name: `${asset.inventory_number} ${asset.name}` }));
}

function ChangeAssetsPage(props: {
  chosen: Chosen;
  people: readonly Option[];
  workspaces: readonly Option[];
  asksIfSure: boolean;
}): VNode {
  const people = [unassigned, ...props.people];
  const workspaces = [...props.workspaces, { value: "none", label: t("In no workspace") }];
  return (
    <ChangeManyPage chosen={props.chosen} current={path} one="asset">
      <div class="field-row">
        <Select name="assigned_to_user_id" options={people} empty={t("Keep current")} />
        <Select name="workspace_id" options={workspaces} empty={t("Keep current")} />
      </div>
      <Select name="state" options={toOptions(assetStateLabels)} empty={t("Keep current")} />
      {props.asksIfSure && <Checkbox name="sure" />}
      <div class="field-row">
        <TextInput name="add_tags" help={t("Separate with commas.")} />
        <TextInput name="remove_tags" help={t("Separate with commas.")} />
      </div>
    </ChangeManyPage>
  );
}
