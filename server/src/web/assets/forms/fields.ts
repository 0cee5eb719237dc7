import { assetFields } from "../../../db/entities/assets.js";
import { omit } from "../../../domain/shared/omit.js";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import { clearableFields, type AssetUpdate } from "../../../domain/assets/asset-updates.js";
import type { ReferredAsset } from "../../../domain/shared/referred-assets.js";
import { toFieldLabel } from "../../text/field-labels.js";
import {
  assetField,
  choiceField,
  type Given,
  idField,
  type ReadForm,
  required,
} from "../../forms/form-fields.js";
import { personField } from "../../forms/person-choice.js";
import { toFormFields, toFormValues } from "../../forms/record-fields.js";
import { assetStateLabels, choicesOf } from "../../text/value-labels.js";

/** What the forms that add and change an asset have in common. */
const fields = {
  ...toFormFields(assetFields),
  assigned_to_user_id: personField(() => toFieldLabel("assigned_to_user_id")),
  parent_asset_id: assetField(() => toFieldLabel("parent_asset_id")),
  workspace_id: idField(() => toFieldLabel("workspace_id"), "workspace"),
};
const name = required(fields.name, "Enter a name.");

/** Every state but the one that only retiring an asset leads to. */
export const presentStates = choicesOf(assetStateLabels).filter((state) => state !== "deleted");

export const newFields = {
  ...fields,
  name,
  state: choiceField(() => toFieldLabel("state"), presentStates),
};

const editFieldsWithNumber = {
  ...omit(fields, "workspace_id"),
  name,
  criticality: required(fields.criticality, "Choose a criticality."),
  inventory_number: required(fields.inventory_number, "Enter an inventory number."),
};
const editFields = omit(editFieldsWithNumber, "inventory_number");

/** Only a form that shows the number asks for one. */
export function editFieldsOf(body: unknown): typeof editFields | typeof editFieldsWithNumber {
  const hasNumber = typeof body === "object" && body !== null && "inventory_number" in body;
  return hasNumber ? editFieldsWithNumber : editFields;
}

export type FieldName = keyof typeof newFields;
export type Values = Partial<Record<FieldName, string>>;

/** What the fields of an asset say before anybody types. */
export function toValues(asset: AssetRecord, parent: ReferredAsset | undefined): Values {
  return {
    ...toFormValues(editFieldsWithNumber, asset),
    parent_asset_id: parent?.inventory_number ?? "",
  };
}

/** What belongs to one thing alone does not go with a copy of it. */
const ownFields: readonly FieldName[] = ["inventory_number", "serial_number", "condition"];

/** What another asset like this one begins with. */
export function toCopy(asset: AssetRecord, parent: ReferredAsset | undefined): Values {
  const values = { ...toValues(asset, parent), workspace_id: asset.workspace_id ?? "" };
  const copied = Object.entries(values).filter(([name]) => !ownFields.includes(name as FieldName));
  return Object.fromEntries(copied);
}

/** The change of these fields: a value, or to be emptied. */
export function toUpdate(
  { given }: Pick<ReadForm<typeof editFieldsWithNumber>, "given">,
  changed: readonly string[],
): AssetUpdate {
  const values = new Map(Object.entries(given));
  const set = Object.fromEntries(
    changed.filter((name) => values.has(name)).map((name) => [name, values.get(name)]),
  ) as Given<typeof editFieldsWithNumber>;
  const cleared = clearableFields.filter((name) => {
    const isChanged = changed.some((one) => one === name);
    return isChanged && !values.has(name);
  });
  return { ...set, ...(cleared.length > 0 && { clear_fields: cleared }) };
}
