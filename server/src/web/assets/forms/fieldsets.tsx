import type { VNode } from "preact";
import { assetFields } from "../../../db/entities/asset.js";
import type { ReferredAsset } from "../../../domain/references/referred-assets.js";
import { Suggestions, type Option } from "../../forms/controls.js";
import { FieldControl, type FieldControlProps } from "../../forms/field-control.js";
import { FoldedFields } from "../../forms/folded-fields.js";
import type { FormError } from "../../layout/parts.js";
import { foldedFieldsets } from "../../text/asset-labels.js";
import { assetStateLabels } from "../../text/value-labels.js";
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
  const { values, errors, places } = view;
  const presets: FieldName[] = places === undefined ? [] : ["state", "criticality"];
  return (
    <>
      <fieldset>
        <legend class="visually-hidden">What it is and where</legend>
        <AssetField view={view} name="name" />
        {places === undefined ? (
          <Row view={view} names={["category", "location"]} />
        ) : (
          <>
            <AssetField view={view} name="category" />
            <Row view={view} names={["workspace_id", "location"]} />
          </>
        )}
        <Suggestions id="categories" values={view.categories} />
      </fieldset>
      {foldedFieldsets.map(({ title, rows }) => {
        const names = rows.flat().filter((name) => !presets.includes(name));
        return (
          <FoldedFields key={title} {...{ title, values, errors, names }}>
            {rows.map((row) => (
              <Row key={row[0]} view={view} names={row} />
            ))}
          </FoldedFields>
        );
      })}
    </>
  );
}

function Row({ view, names }: { view: FieldsView; names: readonly FieldName[] }): VNode {
  const controls = names
    .filter((name) => isShown(view, name))
    .map((name) => <AssetField key={name} view={view} name={name} />);
  return names.length === 1 ? <>{controls}</> : <div class="field-row">{controls}</div>;
}

function isShown({ places, mayNumber }: FieldsView, name: FieldName): boolean {
  if (name === "inventory_number") return mayNumber;
  return name !== "state" || places !== undefined;
}

function AssetField({ view, name }: { view: FieldsView; name: FieldName }): VNode {
  const { values, errors } = view;
  const field = { state: stateField, ...assetFields }[name];
  return <FieldControl {...{ name, field, values, errors, ...describe(view)[name] }} />;
}

const stateField = { kind: "choice" } as const;

/** What the declaration of a field does not say. */
function describe(view: FieldsView): Partial<Record<FieldName, Partial<FieldControlProps>>> {
  const { parent, places } = view;
  const states = presentStates.map((value) => ({ value, label: assetStateLabels[value] }));
  return {
    name: { required: true, help: "What people call it, such as “Air compressor 2”." },
    category: { list: "categories", help: "One that is there, or a new one." },
    location: { help: "Where inside the workspace: “Roof, bay 3”." },
    workspace_id: {
      options: places?.workspaces ?? [],
      empty: places?.isOptional === true ? "Not in a workspace" : "Choose a workspace",
      required: places?.isOptional !== true,
      help: "Who belongs to it sees the asset.",
    },
    assigned_to_user_id: { options: view.people, empty: "Nobody" },
    state: { options: states, required: true },
    criticality: {
      help: "How bad it is when it fails.",
      ...(places === undefined ? { required: true } : { empty: "As usual for the category" }),
    },
    condition: { empty: "Not rated", help: "What it looks like today." },
    inventory_number:
      places === undefined
        ? { required: true, help: "Labels carry it. The present one is never used again." }
        : { help: "Left empty, it gets the next free number." },
    parent_asset_id: {
      help:
        parent === undefined
          ? "The inventory number of the asset that this one is built into."
          : `${parent.inventory_number} is ${parent.name}.`,
    },
    currency: { help: `Three letters. Left empty, it is ${view.currency}.` },
    description: { rows: 5 },
    tags: { help: "Up to 20, with commas between them." },
  };
}
