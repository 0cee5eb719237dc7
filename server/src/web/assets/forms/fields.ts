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

/** Fields shared by the forms that add and change an asset. */
const fields = {
  ...toFormFields(assetFields),
  assigned_to_user_id: personField(() => toFieldLabel("assigned_to_user_id")),
  parent_asset_id: assetField(() => toFieldLabel("parent_asset_id")),
  workspace_id: idField(() => toFieldLabel("workspace_id"), "workspace"),
};
const name = required(fields.name, "Enter a name.");

/** All states except the one that only retiring sets. */
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

/** Expects an inventory number only if the form contained one. */
export function editFieldsOf(body: unknown): typeof editFields | typeof editFieldsWithNumber {
  const hasNumber = typeof body === "object" && body !== null && "inventory_number" in body;
  return hasNumber ? editFieldsWithNumber : editFields;
}

export type FieldName = keyof typeof newFields;
export type Values = Partial<Record<FieldName, string>>;

export function toValues(asset: AssetRecord, parent: ReferredAsset | undefined): Values {
  return {
    ...toFormValues(editFieldsWithNumber, asset),
    parent_asset_id: parent?.inventory_number ?? "",
  };
}

/** Fields that are specific to one asset and not copied. */
const ownFields: readonly FieldName[] = ["inventory_number", "serial_number", "condition"];

export function toCopy(asset: AssetRecord, parent: ReferredAsset | undefined): Values {
  const values = { ...toValues(asset, parent), workspace_id: asset.workspace_id ?? "" };
  const copied = Object.entries(values).filter(([name]) => !ownFields.includes(name as FieldName));
  return Object.fromEntries(copied);
}

/** The update for the changed fields. Sets or clears each. */
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
