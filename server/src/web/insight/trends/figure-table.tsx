import type { ComponentChildren, VNode } from "preact";

/** A table of figures. On phones, each row is a block, and its cells show their column. */
export function FigureTable({
  label,
  columns,
  class: style = "",
  children,
}: {
  label: string;
  columns: readonly string[];
  class?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class={`table-scroll ${style}`} role="region" aria-label={label} tabIndex={0}>
      <table class="figure-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function FigureCell({
  column,
  class: style,
  children,
}: {
  column: string | undefined;
  class?: string | undefined;
  children: ComponentChildren;
}): VNode {
  return (
    <td data-column={column} class={style}>
      {children}
    </td>
  );
}
