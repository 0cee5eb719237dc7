import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { MoreActions } from "../layout/more-actions.js";
import { ActionLink } from "../layout/page-head.js";
import { toReportAddress } from "../reports/public-label-page.js";
import { toAddress } from "../lists/pager.js";
import type { AssetView } from "./asset-view.js";

interface Action {
  href: string;
  label: string;
}

/** The asset's actions: the obvious next one, then frequent ones, then the rest. */
export function AssetActions({
  view,
  scanned,
}: {
  view: AssetView;
  /** People in front of the asset have a problem to report or work to plan. */
  scanned: boolean;
}): VNode | null {
  const { first, often, rest } = toActions(view, scanned);
  if (first === undefined) return null;
  return (
    <>
      <ActionLink href={first.href}>{first.label}</ActionLink>
      {often.map(({ href, label }) => (
        <ActionLink key={href} quiet href={href}>
          {label}
        </ActionLink>
      ))}
      {rest.length > 0 && (
        <MoreActions>
          {rest.map(({ href, label }) => (
            <a href={href}>{label}</a>
          ))}
        </MoreActions>
      )}
    </>
  );
}

interface Actions {
  /** Undefined if the person may only view the asset. */
  first: Action | undefined;
  often: readonly Action[];
  rest: readonly Action[];
}

function toActions({ asset, may, openTasks, label, meters }: AssetView, scanned: boolean): Actions {
  const to = (action: string, label: string) => ({ href: `/assets/${asset.id}/${action}`, label });
  const code = label?.encodedUrl.split("/").at(-1);
  const report =
    code === undefined ? [] : [{ href: toReportAddress(code), label: t("Report a problem") }];
  if (!may.change) return { first: report[0], often: [], rest: [] };
  const remove = may.admin ? [to("delete", t("Delete permanently"))] : [];
  if (asset.state === "deleted") {
    return { first: to("restore", t("Restore")), often: [to("move", t("Move"))], rest: remove };
  }
  const add = {
    href: toAddress("/tasks/new", new URLSearchParams({ asset: asset.id })),
    label: t("Add a task"),
  };
  const [edit, state] = [to("edit", t("Edit")), to("state", t("Change state"))];
  const copy = {
    href: toAddress("/assets/new", new URLSearchParams({ copy: asset.id })),
    label: t("Copy"),
  };
  const meter = meters.length === 0 ? [to("meters/new", t("Add a meter"))] : [];
  const rest = [to("move", t("Move")), copy, ...meter, to("retire", t("Retire")), ...remove];
  if (scanned) return { first: report[0] ?? add, often: [add], rest: [edit, state, ...rest] };
  const isUnplanned = asset.state === "out_of_service" && openTasks.length === 0;
  const first = isUnplanned ? { ...add, label: t("Plan the repair") } : add;
  return { first, often: [...report, edit, state], rest };
}
