import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";
import { Person } from "../layout/avatar.js";

/** The columns of a row. `kind` is also the CSS class, which sets the width and position. */
export interface Column {
  kind: "what" | "where" | "rank" | "state" | "who" | "due";
  label: string;
}

/** A table with headings. On phones, one card per row. */
export function ListTable({
  label,
  columns,
  hasPicks = true,
  hasActs = false,
  children,
}: {
  label: string;
  columns: readonly Column[];
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
          {columns.map(({ kind, label }) => (
            <th key={kind} scope="col" class={kind}>
              {label}
            </th>
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

const chosenForm = "chosen";

/** The actions for the selected rows. Visible while any row is selected. */
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
    <form id={chosenForm} class="chosen no-print" method="get" action={`${path}/change`}>
      <SelectedCount />
      {mayChange && <button type="submit">{t("Edit selected")}</button>}
      {children}
    </form>
  );
}

/** How many boxes are selected. A script writes it. Without scripts, it is empty. */
function SelectedCount(): VNode {
  return <output class="selected-count" data-words={t("{count} selected", { count: "#" })} />;
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
