import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { useLayout } from "../layout/layout-context.js";
import { ActionLink } from "../layout/page-head.js";
import { toAddress } from "./pager.js";

export function ExportLinks({ path, query }: { path: string; query: URLSearchParams }): VNode {
  return (
    <p class="export-links">
      {t("Export:")} <a href={toAddress(`${path}.csv`, query)}>CSV</a> ·{" "}
      <a href={toAddress(`${path}.xlsx`, query)}>Excel</a>
    </p>
  );
}

/** For owners and admins, because they import lists. */
export function ImportLink({
  kind,
}: {
  kind: "assets" | "tasks" | "people" | "workspaces";
}): VNode | null {
  if (!useLayout().isAdmin) return null;
  return (
    <ActionLink href={`/import?kind=${kind}`} quiet>
      {t("Import")}
    </ActionLink>
  );
}
