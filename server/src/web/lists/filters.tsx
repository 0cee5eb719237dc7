import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";
import type { Option } from "../forms/controls.js";
import { isTyped, toPersonReference, TypedChoice } from "../forms/person-choice.js";
import { Popover } from "../layout/popover.js";
import type { ColumnChoice } from "./list-table.js";
import { toAddress } from "./pager.js";
import { formatDay, withColon } from "../text/format.js";

export interface Filter {
  name: string;
  label: string;
  value: string;
  /**
   * The options. Without them, the value is a day, or is set only by links and shown by `words`.
   */
  options?: readonly Option[];
  words?: (value: string) => string;
  /** The label of the first option, for no choice. */
  any?: string;
  /** The default value, which filters nothing. */
  usual?: string;
}

interface FilterFormProps {
  /** The address of the list. Its query contains all choices. */
  path: string;
  /** The name of the searched records: "Assets". */
  label: string;
  /** The search words. If the property is absent, there is no search field. */
  q?: string | undefined;
  searchLabel?: string;
  /** True if there is something to clear. */
  isNarrowed: boolean;
  /** Many filters, folded. The active ones are listed below. */
  folded?: readonly Filter[];
  sort?: Filter;
  columns?: ColumnChoice;
  /** Few filters, in one row. */
  children?: ComponentChildren;
}

/** Above every list: the search, the filters, one button and a link to clear them. */
export function FilterForm(props: FilterFormProps): VNode {
  const {
    path,
    label,
    q,
    searchLabel = t("Search"),
    isNarrowed,
    folded = [],
    sort,
    columns,
    children,
  } = props;
  return (
    <>
      <form class="filters" method="get" role="search" aria-label={label} action={path}>
        {q !== undefined && (
          <div class="search">
            <label for="filter-q">{searchLabel}</label>
            <input
              id="filter-q"
              type="search"
              name="q"
              value={q}
              autocomplete="off"
              maxLength={200}
            />
          </div>
        )}
        {children}
        {sort !== undefined && <FilterControl {...sort} />}
        {folded.length > 0 && <Folded filters={folded} />}
        {columns !== undefined && <Columns {...columns} />}
        <div class="filter-actions">
          <button type="submit" class="quiet">
            {q === undefined ? t("Show") : t("Search")}
          </button>
          {isNarrowed && (
            <a class="button quiet" href={path}>
              {t("Clear")}
            </a>
          )}
        </div>
      </form>
      <Chips {...props} />
    </>
  );
}

function isUsed({ value, usual = "" }: Filter): boolean {
  return value !== "" && value !== usual;
}

/** "Filters · 2". Counts the active filters, even while they are folded. */
function Folded({ filters }: { filters: readonly Filter[] }): VNode {
  const used = filters.filter(isUsed).length;
  return (
    <Popover class="folded" label={used === 0 ? t("Filters") : t("Filters · {used}", { used })}>
      <div class="filters">
        {filters.map((filter) => (
          <FilterControl key={filter.name} {...filter} />
        ))}
      </div>
      <button type="submit" class="quiet">
        {t("Apply")}
      </button>
    </Popover>
  );
}

/** The first column is always shown. */
function Columns({ all: [, ...optional], shown }: ColumnChoice): VNode {
  return (
    <Popover class="folded columns" label={t("Columns")}>
      <input type="hidden" name="columns" value="" />
      <fieldset class="plain">
        <legend class="visually-hidden">{t("Columns")}</legend>
        {optional.map((column) => (
          <div key={column.kind} class="choice">
            <input
              type="checkbox"
              id={`column-${column.kind}`}
              name="columns"
              value={column.kind}
              checked={shown.some(({ kind }) => kind === column.kind)}
            />
            <label for={`column-${column.kind}`}>{column.label}</label>
          </div>
        ))}
      </fieldset>
      <button type="submit" class="quiet">
        {t("Apply")}
      </button>
    </Popover>
  );
}

/** The active filters, each with a link to remove it. */
function Chips({ path, q = "", folded = [], sort }: FilterFormProps): VNode | null {
  const used = folded.filter(isUsed);
  if (used.length === 0) return null;
  const kept = [...used, ...(sort !== undefined && isUsed(sort) ? [sort] : [])];
  return (
    <ul class="chips no-print" aria-label={t("Filtered by")}>
      {used.map((filter) => {
        const { name, label, value, words } = filter;
        const text = words?.(value) ?? `${withColon(label)} ${nameValue(filter)}`;
        const query = new URLSearchParams(q === "" ? {} : { q });
        for (const other of kept) if (other !== filter) query.set(other.name, other.value);
        return (
          <li key={name}>
            {text}
            <a href={toAddress(path, query)} aria-label={t("{filter}: remove", { filter: text })}>
              ×
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function nameValue({ value, options }: Filter): string {
  return options === undefined ? writeDay(value) : (findOption(options, value)?.label ?? value);
}

/** A day as pages write it. Any other text is shown as typed. */
export function writeDay(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !isNaN(Date.parse(text)) ? formatDay(text) : text;
}

function FilterControl(filter: Filter): VNode {
  const { name, value, options, words } = filter;
  if (options !== undefined) return <FilterSelect {...filter} options={options} />;
  if (words === undefined || value === "") return <FilterDay {...filter} />;
  return <input type="hidden" name={name} value={value} />;
}

type FilterProps = Pick<Filter, "name" | "label" | "value" | "any">;

/**
 * One filter. The requested value is selected, by value or name, even if it is not an option.
 */
export function FilterSelect({
  name,
  label,
  value,
  options,
  any,
}: FilterProps & { options: readonly Option[] }): VNode {
  const chosen = findOption(options, value);
  if (isTyped(options)) {
    const typed = { name, options, value: chosen?.value ?? value, placeholder: any };
    return (
      <div>
        <label for={`filter-${name}`}>{label}</label>
        <TypedChoice id={`filter-${name}`} {...typed} />
      </div>
    );
  }
  return (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name}>
        {any !== undefined && <option value="">{any}</option>}
        {value.trim() !== "" && chosen === undefined && (
          <option value={value} selected>
            {value}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option === chosen}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

function findOption(options: readonly Option[], value: string): Option | undefined {
  const asked = toPersonReference(value).trim().toLowerCase();
  return options.find(
    (option) => option.value.toLowerCase() === asked || option.label.toLowerCase() === asked,
  );
}

export function FilterDay({ name, label, value }: FilterProps): VNode {
  return (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <input type="date" id={`filter-${name}`} name={name} value={value} />
    </div>
  );
}
