import type { VNode } from "preact";
import type { ReferredAsset } from "../../../domain/references/referred-assets.js";
import {
  Select,
  Suggestions,
  TextArea,
  TextInput,
  toOptions,
  type Option,
} from "../../forms/controls.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { FoldedFields } from "../../forms/folded-fields.js";
import type { FormError } from "../../layout/parts.js";
import { assetStateLabels, conditionLabels, criticalityLabels } from "../../text/value-labels.js";
import { presentStates, type FieldName, type Values } from "./fields.js";

export interface FieldsView {
  values: Values;
  errors: readonly FormError[];
  categories: readonly string[];
  people: readonly Option[];
  /** What "Part of" names, as far as it is known. */
  parent: ReferredAsset | undefined;
  /** Of the organization, for a cost without one. */
  currency: string;
  /** Whether the person may give the inventory number. */
  mayNumber: boolean;
  /** Only of a new asset: where it may be put, and whether it may be put nowhere. */
  places?: { workspaces: readonly Option[]; isOptional: boolean };
}

/** All fields of an asset: what everybody needs first, the rest folded until it is filled in. */
export function AssetFieldsets(view: FieldsView): VNode {
  return (
    <>
      <Basics {...view} />
      <Use {...view} />
      <Make {...view} />
      <Purchase {...view} />
      <More {...view} />
    </>
  );
}

/** The name and the words of a field, with its text and its error. */
function wire({ values, errors }: FieldsView, name: FieldName) {
  return { name, label: toFieldLabel(name), values, errors };
}

/** What tells whether something is in the fields. */
function toFolded({ values, errors }: FieldsView) {
  return { values, errors };
}

function Basics(view: FieldsView): VNode {
  const { categories, places } = view;
  const category = (
    <TextInput
      {...wire(view, "category")}
      maxLength={100}
      list="categories"
      help="One that is there, or a new one."
    />
  );
  const location = (
    <TextInput
      {...wire(view, "location")}
      maxLength={200}
      help="Where inside the workspace: “Roof, bay 3”."
    />
  );
  return (
    <fieldset>
      <legend class="visually-hidden">What it is and where</legend>
      <TextInput
        {...wire(view, "name")}
        required
        maxLength={200}
        help="What people call it, such as “Air compressor 2”."
      />
      {places === undefined ? (
        <div class="field-row">
          {category}
          {location}
        </div>
      ) : (
        <>
          {category}
          <div class="field-row">
            <Select
              {...wire(view, "workspace_id")}
              options={places.workspaces}
              empty={places.isOptional ? "Not in a workspace" : "Choose a workspace"}
              required={!places.isOptional}
              help="Who belongs to it sees the asset."
            />
            {location}
          </div>
        </>
      )}
      <Suggestions id="categories" values={categories} />
    </fieldset>
  );
}

function Use(view: FieldsView): VNode {
  const isNew = view.places !== undefined;
  const stateWords = Object.fromEntries(presentStates.map((one) => [one, assetStateLabels[one]]));
  return (
    <FoldedFields
      {...toFolded(view)}
      title="Responsibility, criticality and condition"
      names={["assigned_to_user_id", "condition", ...(isNew ? [] : (["criticality"] as const))]}
    >
      <div class="field-row">
        <Select {...wire(view, "assigned_to_user_id")} options={view.people} empty="Nobody" />
        {isNew && <Select {...wire(view, "state")} options={toOptions(stateWords)} required />}
      </div>
      <div class="field-row">
        <Select
          {...wire(view, "criticality")}
          options={toOptions(criticalityLabels)}
          required={!isNew}
          help="How bad it is when it fails."
          {...(isNew && { empty: "As usual for the category" })}
        />
        <Select
          {...wire(view, "condition")}
          options={toOptions(conditionLabels)}
          empty="Not rated"
          help="What it looks like today."
        />
      </div>
    </FoldedFields>
  );
}

function Make(view: FieldsView): VNode {
  const { parent, mayNumber, places } = view;
  const known = parent && `${parent.inventory_number} is ${parent.name}.`;
  const names = ["manufacturer", "model", "serial_number", "parent_asset_id"] as const;
  return (
    <FoldedFields
      {...toFolded(view)}
      title="Make, model and numbers"
      names={[...names, "inventory_number"]}
    >
      <div class="field-row">
        <TextInput {...wire(view, "manufacturer")} maxLength={120} />
        <TextInput {...wire(view, "model")} maxLength={120} />
      </div>
      <div class="field-row">
        <TextInput {...wire(view, "serial_number")} maxLength={120} />
        {mayNumber && (
          <TextInput
            {...wire(view, "inventory_number")}
            maxLength={64}
            required={places === undefined}
            help={
              places === undefined
                ? "Labels carry it. The present one is never used again."
                : "Left empty, it gets the next free number."
            }
          />
        )}
      </div>
      <TextInput
        {...wire(view, "parent_asset_id")}
        maxLength={64}
        help={known ?? "The inventory number of the asset that this one is built into."}
      />
    </FoldedFields>
  );
}

function Purchase(view: FieldsView): VNode {
  const days = ["warranty_expires_on", "in_service_date", "end_of_life_on"] as const;
  return (
    <FoldedFields
      {...toFolded(view)}
      title="Purchase, warranty and lifetime"
      names={["supplier", "purchase_date", "purchase_cost", "currency", ...days]}
    >
      <div class="field-row">
        <TextInput {...wire(view, "supplier")} maxLength={120} />
        <TextInput {...wire(view, "purchase_date")} type="date" />
      </div>
      <div class="field-row">
        <TextInput {...wire(view, "purchase_cost")} inputMode="decimal" maxLength={20} />
        <TextInput
          {...wire(view, "currency")}
          maxLength={3}
          help={`Three letters. Left empty, it is ${view.currency}.`}
        />
      </div>
      <div class="field-row">
        {days.map((name) => (
          <TextInput key={name} {...wire(view, name)} type="date" />
        ))}
      </div>
    </FoldedFields>
  );
}

function More(view: FieldsView): VNode {
  return (
    <FoldedFields {...toFolded(view)} title="Description and tags" names={["description", "tags"]}>
      <TextArea {...wire(view, "description")} maxLength={5000} rows={5} />
      <TextInput {...wire(view, "tags")} help="Up to 20, with commas between them." />
    </FoldedFields>
  );
}
