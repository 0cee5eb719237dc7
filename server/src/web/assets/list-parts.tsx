import type { VNode } from "preact";
import type { AssetRow } from "../../domain/assets/asset-queries.js";
import type { Suggestions } from "../../domain/assets/asset-suggestions.js";
import { AssetBadge, CriticalityTag } from "../layout/badges.js";
import { unassigned } from "../forms/choices.js";
import { toOptions, type Option } from "../forms/controls.js";
import { FilterForm, type Filter } from "../lists/filters.js";
import { Pick, Who, type Column } from "../lists/list-table.js";
import { Day } from "../layout/moment.js";
import { toThumbnailAddress } from "../files/gallery.js";
import { toAddress } from "../lists/pager.js";
import { InventoryNumber } from "../layout/facts.js";
import { criticalityLabels } from "../text/value-labels.js";
import { formatDay } from "../text/format.js";
import {
  isNarrowed,
  sortLabels,
  stateFilterLabels,
  toQuery,
  type FilterName,
  type ReadFilters,
} from "./list-filters.js";

interface FiltersProps {
  path: string;
  filters: ReadFilters;
  workspaces: readonly Option[];
  people: readonly Option[];
  categories: readonly string[];
}

/** Search first, then everything that narrows the list down. */
export function Filters(props: FiltersProps): VNode {
  const { path, filters } = props;
  const { q, sort } = filters.values;
  const options = toOptions(sortLabels);
  return (
    <FilterForm
      path={path}
      label="Assets"
      q={q}
      isNarrowed={isNarrowed(filters)}
      folded={toFilters(props)}
      sort={{ name: "sort", label: "Sort by", value: sort, usual: "name", options }}
    />
  );
}

function toFilters({ filters: { values }, ...choices }: FiltersProps): Filter[] {
  const { workspaces, people, categories } = choices;
  const filter = (name: FilterName, label: string, more: Partial<Filter>): Filter => ({
    ...{ name, label, value: values[name], any: "All" },
    ...more,
  });
  const isMe = values.responsible.trim().toLowerCase() === "me";
  return [
    filter("workspace_id", "Workspace", {
      options: [...workspaces, { value: "none", label: "Not placed" }],
    }),
    filter("state", "State", { any: "Not retired", options: toOptions(stateFilterLabels) }),
    filter("category", "Category", {
      options: categories.map((name) => ({ value: name, label: name })),
    }),
    filter("criticality", "Criticality", { options: toOptions(criticalityLabels) }),
    filter("responsible", "Responsible", {
      ...{ any: "Anybody", options: [unassigned, ...people] },
      ...(isMe && { value: people[0]?.value ?? "" }),
    }),
    // Set by links only, and not there without.
    filter("tag", "Tag", { words: (tag) => `Tag “${tag}”` }),
    filter("warranty_from", "Warranty ends from", {
      words: (day) => `Warranty ends on or after ${toDay(day)}`,
    }),
    filter("warranty_before", "Warranty ends before", {
      words: (day) => `Warranty ends before ${toDay(day)}`,
    }),
  ].filter(({ value, words }) => value !== "" || words === undefined);
}

function toDay(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !isNaN(Date.parse(text)) ? formatDay(text) : text;
}

export const assetColumns: readonly Column[] = [
  { kind: "what", label: "Asset" },
  { kind: "state", label: "State" },
  { kind: "rank", label: "Criticality" },
  { kind: "where", label: "Workspace" },
  { kind: "who", label: "Responsible" },
  { kind: "due", label: "Next work" },
];

/** One asset in a list; the row as a whole leads to it. */
export function AssetListRow({
  asset,
  today,
  cover,
}: {
  asset: AssetRow;
  today: string;
  /** The id of its newest picture. */
  cover: string | undefined;
}): VNode {
  const { id, name, location, workspace_name: workspace, category } = asset;
  return (
    <tr id={id}>
      <Pick id={id} name={name} />
      <td class={cover === undefined ? "what" : "what has-cover"}>
        {cover !== undefined && (
          <img class="cover" src={toThumbnailAddress(cover)} alt="" loading="lazy" />
        )}
        <a class="thing" href={`/assets/${id}`}>
          {name}
        </a>
        <span class="below">
          <InventoryNumber>{asset.inventory_number}</InventoryNumber>
          {category !== null && <span>{category}</span>}
          {location !== null && <span>{location}</span>}
        </span>
      </td>
      <td class="state">
        <AssetBadge state={asset.state} />
      </td>
      <td class="rank">
        <CriticalityTag criticality={asset.criticality} />
      </td>
      <td class="where">{workspace ?? <span class="soft">Not placed</span>}</td>
      <Who name={asset.assigned_to} />
      <td class="due">
        <Due asset={asset} today={today} />
      </td>
    </tr>
  );
}

/** The most pressing of what a list tells: overdue work, the warranty where it is about that, next work. */
function Due({ asset, today }: { asset: AssetRow; today: string }): VNode | null {
  const { overdue_tasks: overdue, next_due_date: next, warranty_expires_on: warranty } = asset;
  if (warranty !== undefined && warranty !== null) {
    return (
      <span>
        Warranty {warranty < today ? "ended" : "ends"} {formatDay(warranty)}
      </span>
    );
  }
  if (overdue !== null) {
    return (
      <strong class="late">{overdue === 1 ? "1 task overdue" : `${overdue} tasks overdue`}</strong>
    );
  }
  if (next === null) return null;
  return (
    <span>
      Due <Day day={next} today={today} />
    </span>
  );
}

/** Other categories, tags and assets that the words may be about, as links. */
export function DidYouMean({
  path,
  suggestions: { categories, tags, assets },
  values,
}: {
  path: string;
  suggestions: Suggestions;
  values: Partial<Record<FilterName, string>>;
}): VNode {
  const numbers = new Map(assets.map((asset) => [asset.inventory_number, asset]));
  return (
    <>
      <p>Did you mean one of these?</p>
      <ul class="did-you-mean">
        {categories.map((category) => (
          <li key={category}>
            <a href={toAddress(path, toQuery({ ...values, category }))}>Category {category}</a>
          </li>
        ))}
        {tags.map((tag) => (
          <li key={tag}>
            <a href={toAddress(path, toQuery({ ...values, tag }))}>Tag {tag}</a>
          </li>
        ))}
        {[...numbers].map(([number, { name, state }]) => (
          <li key={number}>
            <a href={`/assets/${encodeURIComponent(number)}`}>{name}</a>{" "}
            <InventoryNumber>{number}</InventoryNumber>
            {state === "deleted" && <span class="soft"> (retired)</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
