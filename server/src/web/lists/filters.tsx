import type { ComponentChildren, VNode } from "preact";
import type { Option } from "../forms/controls.js";

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
  /** Many filters stand in a row of their own; phones show them when they are asked for. */
  folding?: { open: boolean };
  /** The filters, in one row. */
  children?: ComponentChildren;
  /** Rarer filters, below the row. */
  more?: ComponentChildren;
}

/** Above every list: search first, then the filters, then one button and the way to clear it all. */
export function FilterForm(props: FilterFormProps): VNode {
  const { path, label, q, searchLabel = "Search", isNarrowed, folding, children, more } = props;
  const kind = folding === undefined ? "filters" : "filters folding";
  return (
    <form class={kind} method="get" role="search" aria-label={label} action={path}>
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
      {folding !== undefined && <FiltersShown checked={folding.open} />}
      {children}
      <div class="filter-actions">
        <button type="submit">{q === undefined ? "Show" : "Search"}</button>
        {isNarrowed && (
          <a class="button quiet" href={path}>
            Clear
          </a>
        )}
      </div>
      {more}
    </form>
  );
}

/** Phones show the filters only when this is ticked, which works without scripts. */
function FiltersShown({ checked }: { checked: boolean }): VNode {
  return (
    <div class="filters-shown">
      <input type="checkbox" id="filters-shown" checked={checked} />
      <label for="filters-shown">Filters</label>
    </div>
  );
}

interface FilterProps {
  name: string;
  label: string;
  value: string;
}

/** One filter; what was asked for stays chosen, by value or by name, also when it is none of the list. */
export function FilterSelect({
  name,
  label,
  value,
  options,
  any,
}: FilterProps & { options: readonly Option[]; any?: string }): VNode {
  const asked = value.trim().toLowerCase();
  const chosen = options.find(
    (option) => option.value === value || option.label.toLowerCase() === asked,
  );
  return (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name}>
        {any !== undefined && <option value="">{any}</option>}
        {asked !== "" && chosen === undefined && (
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

export function FilterDay({ name, label, value }: FilterProps): VNode {
  return (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <input type="date" id={`filter-${name}`} name={name} value={value} />
    </div>
  );
}
