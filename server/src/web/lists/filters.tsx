import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";
import type { Option } from "../forms/controls.js";
import { isTyped, toPersonReference, TypedChoice } from "../forms/person-choice.js";
import { Popover } from "../layout/popover.js";
import { toAddress } from "./pager.js";

/** What narrows a list down, or sorts it. */
export interface Filter {
  name: string;
  label: string;
  value: string;
  /** To choose from; without them it is a day, or what links alone set, in these words. */
  options?: readonly Option[];
  words?: (value: string) => string;
  /** The words of the first option, which stands for nothing chosen. */
  any?: string;
  /** What goes without saying, so that it narrows nothing down. */
  usual?: string;
}

interface FilterFormProps {
  /** The list itself; its address says everything that was chosen. */
  path: string;
  /** What is searched: "Assets". */
  label: string;
  /** The words that are searched for; left out, there is no search field. */
  q?: string | undefined;
  searchLabel?: string;
  /** Whether there is anything to clear. */
  isNarrowed: boolean;
  /** Many filters are folded away, and those in use are named below. */
  folded?: readonly Filter[];
  /** How the list is sorted, beside the search. */
  sort?: Filter;
  /** Few filters, in one row. */
  children?: ComponentChildren;
}

/** Above every list: search first, then the filters, then one button and the way to clear it all. */
export function FilterForm(props: FilterFormProps): VNode {
  const {
    path,
    label,
    q,
    searchLabel = t("Search"),
    isNarrowed,
    folded = [],
    sort,
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

/** "Filters · 2"; what is chosen in them counts also while they are folded. */
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

/** What a list is narrowed down by, each with the way to take it away. */
function Chips({ path, q = "", folded = [], sort }: FilterFormProps): VNode | null {
  const used = folded.filter(isUsed);
  if (used.length === 0) return null;
  const kept = [...used, ...(sort !== undefined && isUsed(sort) ? [sort] : [])];
  return (
    <ul class="chips no-print" aria-label={t("Filtered by")}>
      {used.map((filter) => {
        const { name, label, value, words, options = [] } = filter;
        const text = words?.(value) ?? `${label}: ${findOption(options, value)?.label ?? value}`;
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

function FilterControl(filter: Filter): VNode {
  const { name, value, options, words } = filter;
  if (options !== undefined) return <FilterSelect {...filter} options={options} />;
  if (words === undefined || value === "") return <FilterDay {...filter} />;
  return <input type="hidden" name={name} value={value} />;
}

type FilterProps = Pick<Filter, "name" | "label" | "value" | "any">;

/** One filter; what was asked for stays chosen, by value or by name, also when it is none of the list. */
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
