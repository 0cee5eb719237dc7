import type { VNode } from "preact";
import type { AssetRow } from "../../domain/assets/asset-queries.js";
import type { Suggestions } from "../../domain/assets/asset-suggestions.js";
import { AssetBadge, CriticalityTag } from "../layout/badges.js";
import { toOptions, type Option } from "../forms/controls.js";
import { FilterForm, FilterSelect } from "../lists/filters.js";
import { Day } from "../layout/moment.js";
import { toAddress } from "../lists/pager.js";
import { InventoryNumber } from "../layout/facts.js";
import { criticalityLabels } from "../text/value-labels.js";
import { formatDay } from "../text/format.js";
import {
  isNarrowed,
  linkedFilters,
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
  const { values } = filters;
  return (
    <>
      <FilterForm
        path={path}
        label="Assets"
        q={values.q}
        isNarrowed={isNarrowed(filters)}
        folding={{ open: isFiltered(values) }}
      >
        <Choices {...props} />
        {linkedFilters
          .filter((name) => values[name] !== "")
          .map((name) => (
            <input key={name} type="hidden" name={name} value={values[name]} />
          ))}
      </FilterForm>
      <LinkedFilters path={path} values={values} />
    </>
  );
}

function Choices({ filters: { values }, workspaces, people, categories }: FiltersProps): VNode {
  const places = [...workspaces, { value: "none", label: "Not placed" }];
  const persons = [{ value: "none", label: "Nobody" }, ...people];
  const responsible = isMe(values.responsible) ? (people[0]?.value ?? "") : values.responsible;
  return (
    <>
      <FilterSelect
        name="workspace"
        label="Workspace"
        any="All"
        {...toShown(values.workspace, places)}
      />
      <FilterSelect
        name="state"
        label="State"
        value={values.state}
        any="Not retired"
        options={toOptions(stateFilterLabels)}
      />
      <FilterSelect
        name="category"
        label="Category"
        any="All"
        value={values.category}
        options={categories.map((name) => ({ value: name, label: name }))}
      />
      <FilterSelect
        name="criticality"
        label="Criticality"
        value={values.criticality}
        any="All"
        options={toOptions(criticalityLabels)}
      />
      <FilterSelect
        name="responsible"
        label="Responsible"
        any="Anybody"
        {...toShown(responsible, persons)}
      />
      <FilterSelect
        name="sort"
        label="Sort by"
        value={values.sort}
        options={toOptions(sortLabels)}
      />
    </>
  );
}

function isMe(text: string): boolean {
  return text.trim().toLowerCase() === "me";
}

/** Whether a choice below the search narrows the list down or sorts it. */
function isFiltered(values: ReadFilters["values"]): boolean {
  return toQuery({ ...values, q: "" }).size > 0;
}

/** What was asked for stays chosen: by value or by name, or as it is when it is none of the list. */
function toShown(asked: string, options: readonly Option[]): { value: string; options: Option[] } {
  const text = asked.trim().toLowerCase();
  const known = options.find(
    ({ value, label }) => value.toLowerCase() === text || label.toLowerCase() === text,
  );
  if (known !== undefined) return { value: known.value, options: [...options] };
  const other = text === "" ? [] : [{ value: asked, label: asked }];
  return { value: asked, options: [...other, ...options] };
}

/** What a link has narrowed the list down by, each with the way to take it away. */
function LinkedFilters({
  path,
  values,
}: {
  path: string;
  values: ReadFilters["values"];
}): VNode | null {
  const words = {
    tag: `Tag “${values.tag}”`,
    warranty_from: `Warranty ends on or after ${toDay(values.warranty_from)}`,
    warranty_before: `Warranty ends before ${toDay(values.warranty_before)}`,
  };
  const set = linkedFilters.filter((name) => values[name] !== "");
  if (set.length === 0) return null;
  return (
    <ul class="linked-filters" aria-label="Also narrowed down by">
      {set.map((name) => (
        <li key={name}>
          {words[name]}{" "}
          <a
            href={toAddress(path, toQuery({ ...values, [name]: "" }))}
            aria-label={`${words[name]}: remove`}
          >
            Remove
          </a>
        </li>
      ))}
    </ul>
  );
}

function toDay(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !isNaN(Date.parse(text)) ? formatDay(text) : text;
}

/** One asset in a list; the row as a whole leads to it. */
export function AssetListRow({ asset, today }: { asset: AssetRow; today: string }): VNode {
  const { criticality, location, workspace_name: workspace, category } = asset;
  return (
    <li class="asset-row">
      <span class="asset-what">
        <span>
          <a class="thing" href={`/assets/${asset.id}`}>
            {asset.name}
          </a>{" "}
          <CriticalityTag criticality={criticality} />
        </span>
        <span class="soft asset-where">
          <InventoryNumber>{asset.inventory_number}</InventoryNumber>
          <span>{workspace ?? "Not placed"}</span>
          {location !== null && <span class="location">{location}</span>}
        </span>
      </span>
      <span class="asset-state">
        <AssetBadge state={asset.state} />
      </span>
      <span class="asset-due">
        <Due asset={asset} today={today} />
      </span>
      <span class="soft asset-who">
        <span>{asset.assigned_to ?? "Nobody responsible"}</span>
        {category !== null && <span>{category}</span>}
      </span>
    </li>
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
    <span class="soft">
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
