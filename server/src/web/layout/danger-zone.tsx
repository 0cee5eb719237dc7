import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";

export function DangerZone({
  title = t("Danger zone"),
  children,
}: {
  title?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <section class="danger-zone" aria-labelledby="danger-zone">
      <h2 id="danger-zone">{title}</h2>
      {children}
    </section>
  );
}
