import type { VNode } from "preact";
import type { AssetRow } from "../../domain/assets/asset-queries.js";
import type { Suggestions } from "../../domain/assets/asset-suggestions.js";
import { t, tRich } from "../../language/translate.js";
import { AssetPicture } from "../layout/asset-picture.js";
import { AlertBadge, AssetBadge, CriticalityTag, isMarked } from "../layout/badges.js";
import { unassigned } from "../forms/choices.js";
import { toOptions, type Option } from "../forms/controls.js";
import { FilterForm, type Filter, writeDay } from "../lists/filters.js";
import {
  chooseColumns,
  Pick,
  Who,
  type Column,
  type ColumnChoice,
  type OptionalColumn,
} from "../lists/list-table.js";
import { Day } from "../layout/moment.js";
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
  columns: ColumnChoice;
}

export function Filters(props: FiltersProps): VNode {
  const { path, filters, columns } = props;
  const { q, sort } = filters.values;
  const options = toOptions(sortLabels);
  return (
    <FilterForm
      path={path}
      label={t("Assets")}
      q={q}
      isNarrowed={isNarrowed(filters)}
      folded={toFilters(props)}
      sort={{ name: "sort", label: t("Sort by"), value: sort, usual: "name", options }}
      columns={columns}
    />
  );
}

function toFilters({ filters: { values }, ...choices }: FiltersProps): Filter[] {
  const { workspaces, people, categories } = choices;
  const filter = (name: FilterName, label: string, more: Partial<Filter>): Filter => ({
    name,
    label,
    value: values[name],
    any: t("All"),
    ...more,
  });
  const isMe = values.assignee.trim().toLowerCase() === "me";
  return [
    filter("workspace_id", t("Workspace"), {
      options: [...workspaces, { value: "none", label: t("In no workspace") }],
    }),
    filter("state", t("State"), { any: t("Not retired"), options: toOptions(stateFilterLabels) }),
    filter("category", t("Category"), {
      options: categories.map((name) => ({ value: name, label: name })),
    }),
    filter("criticality", t("Criticality"), { options: toOptions(criticalityLabels) }),
    filter("assignee", t("Assignee"), {
      any: t("Anyone"),
      options: [unassigned, ...people],
      ...(isMe && { value: people[0]?.value ?? "" }),
    }),
    // Set only by links. Hidden unless set.
    filter("tag", t("Tag"), { words: (tag) => t("Tag “{tag}”", { tag }) }),
    filter("warranty_from", t("Warranty ends from"), {
      words: (day) => t("Warranty ends on or after {day}", { day: writeDay(day) }),
    }),
    filter("warranty_before", t("Warranty ends before"), {
      words: (day) => t("Warranty ends before {day}", { day: writeDay(day) }),
    }),
  ].filter(({ value, words }) => value !== "" || words === undefined);
}

export function chooseAssetColumns(
  chosen: readonly string[],
  values: Partial<Record<FilterName, string>>,
  rows: readonly AssetRow[],
): ColumnChoice {
  const all: [Column, ...OptionalColumn<AssetRow>[]] = [
    { kind: "what", label: t("Asset"), sorts: ["name", "-name"] },
    { kind: "state", label: t("State"), valueOf: ({ state }) => state, filter: "state" },
    {
      kind: "rank",
      label: t("Criticality"),
      valueOf: ({ criticality }) => (isMarked(criticality) ? criticality : null),
    },
    {
      kind: "where",
      label: t("Workspace"),
      valueOf: ({ workspace_name: name }) => name,
      filter: "workspace_id",
    },
    {
      kind: "who",
      label: t("Assignee"),
      valueOf: (asset) => asset.assigned_to,
      filter: "assignee",
    },
    {
      kind: "due",
      label: t("Next work"),
      valueOf: (asset) =>
        asset.warranty_expires_on ?? asset.overdue_tasks?.toString() ?? asset.next_due_date,
    },
  ];
  return { all, shown: chooseColumns(all, { chosen, values, rows }) };
}

/** One asset in a list. The whole row links to it. */
export function AssetListRow({
  asset,
  columns,
  today,
  cover,
}: {
  asset: AssetRow;
  columns: readonly Column[];
  today: string;
  cover: string | undefined;
}): VNode {
  const { id, name, location, workspace_name: workspace, category } = asset;
  const cells: Record<Column["kind"], VNode> = {
    what: (
      <td class="what">
        <div class="with-picture">
          <AssetPicture asset={asset} cover={cover} />
          <div>
            <a class="thing" href={`/assets/${id}`} dir="auto">
              {name}
            </a>
            <span class="below">
              <InventoryNumber>{asset.inventory_number}</InventoryNumber>
              {category !== null && <span dir="auto">{category}</span>}
              {location !== null && <span dir="auto">{location}</span>}
            </span>
          </div>
        </div>
      </td>
    ),
    state: (
      <td class="state">
        <AssetBadge state={asset.state} />
      </td>
    ),
    rank: (
      <td class="rank">
        <CriticalityTag criticality={asset.criticality} />
      </td>
    ),
    where: (
      <td class="where" dir="auto">
        {workspace ?? <span class="soft">{t("In no workspace")}</span>}
      </td>
    ),
    who: <Who name={asset.assigned_to} />,
    due: (
      <td class="due">
        <Due asset={asset} today={today} />
      </td>
    ),
  };
  return (
    <tr id={id}>
      <Pick id={id} name={name} />
      {columns.map(({ kind }) => cells[kind])}
    </tr>
  );
}

/**
 * The most urgent fact in a row: overdue work, the warranty if the list filters by it, or the next
 * work.
 */
function Due({ asset, today }: { asset: AssetRow; today: string }): VNode | null {
  const { overdue_tasks: overdue, next_due_date: next, warranty_expires_on: warranty } = asset;
  if (warranty !== undefined && warranty !== null) {
    return (
      <span>
        {warranty < today
          ? t("Warranty ended {day}", { day: formatDay(warranty) })
          : t("Warranty ends {day}", { day: formatDay(warranty) })}
      </span>
    );
  }
  if (overdue !== null) {
    return (
      <AlertBadge>
        {t("{count, plural, one {# task} other {# tasks}} overdue", { count: overdue })}
      </AlertBadge>
    );
  }
  if (next === null) return null;
  return <span>{tRich("Due {when}", { when: <Day day={next} today={today} /> })}</span>;
}

/** Links to other categories, tags and assets that the search may mean. */
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
      <p>{t("Did you mean one of these?")}</p>
      <ul class="did-you-mean">
        {categories.map((category) => (
          <li key={category}>
            <a href={toAddress(path, toQuery({ ...values, category }))}>
              {tRich("Category {name}", { name: <bdi>{category}</bdi> })}
            </a>
          </li>
        ))}
        {tags.map((tag) => (
          <li key={tag}>
            <a href={toAddress(path, toQuery({ ...values, tag }))}>
              {tRich("Tag {tag}", { tag: <bdi>{tag}</bdi> })}
            </a>
          </li>
        ))}
        {[...numbers].map(([number, { name, state }]) => (
          <li key={number}>
            <a href={`/assets/${encodeURIComponent(number)}`} dir="auto">
              {name}
            </a>{" "}
            <InventoryNumber>{number}</InventoryNumber>
            {state === "deleted" && <span class="soft"> {t("(retired)")}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
