import type { ComponentChildren, VNode } from "preact";

export function InventoryNumber({ children }: { children: string }): VNode {
  return <span class="inventory-number">{children}</span>;
}

/** Facts in two columns. Entries without a value are omitted. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [label: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>{typeof value === "string" ? <bdi>{value}</bdi> : value}</dd>
          </>
        ))}
    </dl>
  );
}
