import type { VNode } from "preact";
import { assetFields } from "../../../db/entities/assets.js";
import type { ReferredAsset } from "../../../domain/shared/referred-assets.js";
import { t } from "../../../language/translate.js";
import { Suggestions, type Option } from "../../forms/controls.js";
import { FieldControl, type FieldControlProps } from "../../forms/field-control.js";
import { FoldedFields } from "../../forms/folded-fields.js";
import { foldedFieldsets } from "../../../language/asset-fields.js";
import { assetStateLabels } from "../../text/value-labels.js";
import { presentStates, type FieldName } from "./fields.js";

const fields = { ...assetFields, state: { kind: "choice" } } as const;

export interface FieldsView {
  categories: readonly string[];
  people: readonly Option[];
  /** The asset that "Part of" names, if known. */
  parent: ReferredAsset | undefined;
  /** The organization's currency, for a cost without one. */
  currency: string;
  /** True if the person may set the inventory number. */
  mayNumber: boolean;
  /** Only for a new asset: the possible workspaces. `isOptional` allows none. */
  places?: { workspaces: readonly Option[]; isOptional: boolean };
}

/** All fields of an asset. Common ones come first. The rest is folded until it is filled in. */
export function AssetFieldsets(props: FieldsView): VNode {
  const { places } = props;
  const view = { ...props, details: describe(props) };
  const presets: FieldName[] = places === undefined ? [] : ["state", "criticality"];
  return (
    <>
      <fieldset>
        <legend class="visually-hidden">{t("Name and place")}</legend>
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
          <FoldedFields key={title} title={t(title)} names={names}>
            {rows.map((row) => (
              <Row key={row[0]} view={view} names={row} />
            ))}
          </FoldedFields>
        );
      })}
    </>
  );
}

/** Details that the field declarations lack. */
type Details = Partial<Record<FieldName, Partial<FieldControlProps>>>;

interface DetailedView extends FieldsView {
  details: Details;
}

function Row({ view, names }: { view: DetailedView; names: readonly FieldName[] }): VNode {
  const controls = names
    .filter((name) => isShown(view, name))
    .map((name) => <AssetField key={name} view={view} name={name} />);
  return names.length === 1 ? <>{controls}</> : <div class="field-row">{controls}</div>;
}

function isShown({ places, mayNumber }: FieldsView, name: FieldName): boolean {
  if (name === "inventory_number") return mayNumber;
  return name !== "state" || places !== undefined;
}

function AssetField({ view, name }: { view: DetailedView; name: FieldName }): VNode {
  return <FieldControl name={name} field={fields[name]} {...view.details[name]} />;
}

function stateOptions(): Option[] {
  return presentStates.map((value) => ({ value, label: assetStateLabels[value] }));
}

function describe({ people, parent, currency, places }: FieldsView): Details {
  return {
    name: { help: t("The everyday name, such as “Air compressor 2”.") },
    category: { list: "categories", help: t("Choose one or type a new one.") },
    location: { help: t("Where in the workspace, such as “Roof, bay 3”.") },
    workspace_id: {
      options: places?.workspaces ?? [],
      empty: places?.isOptional === true ? t("In no workspace") : t("Choose a workspace"),
      required: places?.isOptional !== true,
      help: t("Only people in this workspace see the asset."),
    },
    assigned_to_user_id: { options: people, empty: t("Unassigned") },
    state: { options: stateOptions(), required: true },
    criticality: {
      help: t("Impact if it fails."),
      ...(places !== undefined && { empty: t("Usual for this category") }),
    },
    condition: { empty: t("Not rated") },
    inventory_number:
      places === undefined
        ? {
            required: true,
            help: t("Printed on the label. If you change it, the old number is retired."),
          }
        : { help: t("Leave blank to get the next free number.") },
    parent_asset_id: {
      help:
        parent === undefined
          ? t("Inventory number of the asset this one is built into.")
          : t("{number} is {name}.", { number: parent.inventory_number, name: parent.name }),
    },
    currency: { help: t("Three letters. Leave blank for {currency}.", { currency }) },
    description: { rows: 5 },
    tags: { help: t("Up to 20, separated by commas.") },
  };
}
