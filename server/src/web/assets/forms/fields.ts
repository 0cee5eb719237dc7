import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import { clearableFields, type AssetUpdate } from "../../../domain/assets/asset-updates.js";
import type { ReferredAsset } from "../../../domain/references/referred-assets.js";
import { toFieldLabel } from "../../text/field-labels.js";
import {
  amountField,
  choiceField,
  dayField,
  idField,
  listField,
  referenceField,
  required,
  textField,
  type FormField,
  type Given,
  type ReadForm,
} from "../../forms/form-fields.js";
import {
  assetStateLabels,
  choicesOf,
  conditionLabels,
  criticalityLabels,
} from "../../text/value-labels.js";

const text = (name: string) => textField(toFieldLabel(name));
const day = (name: string) => dayField(toFieldLabel(name));

const currencyField: FormField<string> = {
  label: toFieldLabel("currency"),
  read: (code) => code.trim().toUpperCase(),
};

/** What the forms that add and change an asset have in common. */
const fields = {
  name: required(text("name"), "Enter a name."),
  category: text("category"),
  location: text("location"),
  assigned_to_user_id: idField(toFieldLabel("assigned_to_user_id"), "user"),
  condition: choiceField(toFieldLabel("condition"), choicesOf(conditionLabels)),
  manufacturer: text("manufacturer"),
  model: text("model"),
  serial_number: text("serial_number"),
  parent_asset_id: referenceField(toFieldLabel("parent_asset_id")),
  supplier: text("supplier"),
  purchase_date: day("purchase_date"),
  purchase_cost: amountField(toFieldLabel("purchase_cost")),
  currency: currencyField,
  warranty_expires_on: day("warranty_expires_on"),
  in_service_date: day("in_service_date"),
  end_of_life_on: day("end_of_life_on"),
  description: text("description"),
  tags: listField(toFieldLabel("tags"), ","),
};

const criticality = choiceField(toFieldLabel("criticality"), choicesOf(criticalityLabels));

/** Every state but the one that only retiring an asset leads to. */
export const presentStates = choicesOf(assetStateLabels).filter((state) => state !== "deleted");

export const newFields = {
  ...fields,
  criticality,
  workspace_id: idField(toFieldLabel("workspace_id"), "workspace"),
  inventory_number: text("inventory_number"),
  state: choiceField(toFieldLabel("state"), presentStates),
};

const editFields = {
  ...fields,
  criticality: required(criticality, "Choose how critical it is."),
};

const editFieldsWithNumber = {
  ...editFields,
  inventory_number: required(text("inventory_number"), "Enter an inventory number."),
};

/** Only a form that shows the number asks for one. */
export function editFieldsOf(body: unknown): typeof editFields | typeof editFieldsWithNumber {
  const hasNumber = typeof body === "object" && body !== null && "inventory_number" in body;
  return hasNumber ? editFieldsWithNumber : editFields;
}

export type FieldName = keyof typeof newFields;
export type Values = Partial<Record<FieldName, string>>;

const shownNames = Object.keys(editFieldsWithNumber) as (keyof typeof editFieldsWithNumber)[];

/** What the fields of an asset say before anybody types. */
export function toValues(asset: AssetRecord, parent: ReferredAsset | undefined): Values {
  const values = shownNames.map((name): [string, string] => [name, toText(asset[name])]);
  return {
    ...Object.fromEntries(values),
    parent_asset_id: parent?.inventory_number ?? "",
  };
}

function toText(value: string | number | string[] | null): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "").toString();
}

/** What belongs to one thing alone does not go with a copy of it. */
const ownFields: readonly FieldName[] = ["inventory_number", "serial_number", "condition"];

/** What another asset like this one begins with. */
export function toCopy(asset: AssetRecord, parent: ReferredAsset | undefined): Values {
  const values = { ...toValues(asset, parent), workspace_id: asset.workspace_id ?? "" };
  const copied = Object.entries(values).filter(([name]) => !ownFields.includes(name as FieldName));
  return Object.fromEntries(copied);
}

/** Which of the typed texts are not what is there. */
export function findChanged(typed: Values, present: Values): FieldName[] {
  return (Object.keys(typed) as FieldName[]).filter(
    (name) => plain(typed[name]) !== plain(present[name]),
  );
}

function plain(value = ""): string {
  return value.replace(/\r\n?/g, "\n").trim();
}

/** The change of these fields: a value, or to be emptied. */
export function toUpdate(
  { given }: Pick<ReadForm<typeof editFieldsWithNumber>, "given">,
  changed: readonly FieldName[],
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
