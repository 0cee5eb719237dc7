import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";

export function Notice({
  kind = "info",
  title,
  children,
}: {
  kind?: "info" | "warning";
  title?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class={`notice ${kind}`}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </div>
  );
}

export function EmptyState({
  title,
  children,
}: {
  title: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function NoOrganization(): VNode {
  return (
    <EmptyState title={t("You're not in an organization")}>
      <p>{t("Ask an owner or admin to add you. Until then you can't see or connect anything.")}</p>
    </EmptyState>
  );
}
