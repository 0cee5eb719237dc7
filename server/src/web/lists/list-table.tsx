import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";
import { Person } from "../layout/avatar.js";
import { toListQuery, type Values } from "./list-query.js";
import { toAddress } from "./pager.js";

/** The columns of a row. `kind` is also the CSS class, which sets the width and position. */
export interface Column {
  kind: "what" | "where" | "rank" | "state" | "who" | "due";
  label: string;
  /** The orders by this column, the first one first. The second is its reverse. */
  sorts?: readonly [string, string];
}

/** A column that can be left out. */
export interface OptionalColumn<Row> extends Column {
  /** The row's cell. `null`: empty. */
  valueOf: (row: Row) => string | null;
  /** The filter that can set its value. */
  filter?: string;
}

/**
 * The columns that the reader chose. Without a choice, all but those without a value in any row,
 * and those that show only the value of a filter.
 */
export function chooseColumns<Row>(
  columns: readonly [Column, ...OptionalColumn<Row>[]],
  { chosen, values, rows }: { chosen: readonly string[]; values: Values; rows: readonly Row[] },
): readonly Column[] {
  const [first, ...optional] = columns;
  const asked = optional.filter(({ kind }) => chosen.includes(kind));
  if (asked.length > 0) return [first, ...asked];
  const tells = ({ valueOf, filter = "" }: OptionalColumn<Row>) => {
    const shown = new Set(rows.map(valueOf));
    return shown.size !== 1 || !(shown.has(null) || (values[filter] ?? "") !== "");
  };
  return [first, ...optional.filter(tells)];
}

/** Which columns to show. */
export interface ColumnChoice {
  all: readonly Column[];
  shown: readonly Column[];
}

interface Sorting {
  path: string;
  /** The filters of the list, with its order. */
  values: Values;
  /** The default filters. */
  usual: Values;
}

/** A table with headings. On phones, one card per row. */
export function ListTable({
  label,
  columns,
  sort,
  hasPicks = true,
  hasActs = false,
  children,
}: {
  label: string;
  columns: readonly Column[];
  /** Without it, headings have no links. */
  sort?: Sorting | undefined;
  hasPicks?: boolean;
  hasActs?: boolean;
  children: ComponentChildren;
}): VNode {
  return (
    <table class={hasPicks ? "list" : "list no-picks"}>
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {hasPicks && (
            <th scope="col" class="pick no-print">
              <span class="visually-hidden">{t("Select")}</span>
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.kind} {...column} sort={sort} />
          ))}
          {hasActs && (
            <th scope="col" class="acts no-print">
              <span class="visually-hidden">{t("Actions")}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** A column's heading. A link sorts by the column, or reverses its order. */
function Head({ kind, label, sorts, sort }: Column & { sort: Sorting | undefined }): VNode {
  if (sorts === undefined || sort === undefined) {
    return (
      <th scope="col" class={kind}>
        {label}
      </th>
    );
  }
  const { path, values, usual } = sort;
  const current = sorts.indexOf(values["sort"] || usual["sort"] || "");
  const next = sorts[current === 0 ? 1 : 0];
  return (
    <th
      scope="col"
      class={kind}
      aria-sort={current === -1 ? undefined : orderOf(sorts[current] ?? "")}
    >
      <a class="sort" href={toAddress(path, toListQuery({ ...values, sort: next }, usual))}>
        {label}
      </a>
      <span class="of-cards">{label}</span>
    </th>
  );
}

function orderOf(sort: string): "ascending" | "descending" {
  return sort.startsWith("-") ? "descending" : "ascending";
}

const chosenForm = "chosen";

/** The actions for the selected rows. */
export function ChosenBar({
  path,
  mayChange,
  children,
}: {
  path: string;
  mayChange: boolean;
  children?: ComponentChildren;
}): VNode {
  return (
    <form id={chosenForm} method="get" action={`${path}/change`}>
      <SelectionBar>
        {children}
        {mayChange && (
          <button type="submit" class="quiet">
            {t("Edit selected")}
          </button>
        )}
      </SelectionBar>
    </form>
  );
}

/** A bar in a form, for the selected rows or cards. Visible while one is selected. */
export function SelectionBar({ children }: { children: ComponentChildren }): VNode {
  return (
    <section class="selection-bar no-print" aria-label={t("Selected||rows")}>
      <SelectedCount />
      {children}
      <button type="reset" class="quiet">
        {t("Clear")}
      </button>
    </section>
  );
}

/** "3 selected · 5 h 20 min". A script writes it. Without scripts, it is empty. */
function SelectedCount(): VNode {
  return (
    <output
      class="selected-count"
      data-words={t("{count} selected", { count: "#" })}
      data-hours={t("{hours} h", { hours: "#h" })}
      data-minutes={t("{minutes} min", { minutes: "#m" })}
      data-both={t("{hours} h {minutes} min", { hours: "#h", minutes: "#m" })}
    />
  );
}

/** The checkbox that selects a row, large enough for a finger. */
export function Pick({ id, name }: { id: string; name: string }): VNode {
  return (
    <td class="pick no-print">
      <label>
        <input type="checkbox" name="ids" value={id} form={chosenForm} />
        <span class="visually-hidden" dir="auto">
          {t("Select {name}", { name })}
        </span>
      </label>
    </td>
  );
}

/** The assignee. */
export function Who({ name }: { name: string | null }): VNode {
  return (
    <td class="who">
      {name === null ? <span class="soft">{t("Unassigned")}</span> : <Person name={name} />}
    </td>
  );
}
