import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";
import { AssetPicture } from "../layout/asset-picture.js";
import { AssetBadge, CriticalityTag } from "../layout/badges.js";
import { InventoryNumber } from "../layout/facts.js";
import { PageHead, type Crumb } from "../layout/page-head.js";
import { toAddress } from "../lists/pager.js";
import { toCover, type AssetView } from "./asset-view.js";

export type AssetTab = "overview" | "work" | "readings" | "files" | "history";

interface HeadProps {
  view: AssetView;
  tab: AssetTab;
  actions?: ComponentChildren;
}

/** The asset's name and state, and the tabs of its page. The overview leads with a large photo. */
export function AssetHead({ view, tab, actions }: HeadProps): VNode {
  const { asset, files } = view;
  const { criticality, state, inventory_number: number } = asset;
  return (
    <>
      <PageHead
        title={asset.name}
        crumbs={toCrumbs(view)}
        {...(tab !== "overview" && {
          picture: <AssetPicture asset={asset} cover={toCover(files)?.id} />,
        })}
        facts={
          <>
            <InventoryNumber>{number}</InventoryNumber>
            {tab !== "overview" && <AssetBadge state={state} />}
            <CriticalityTag criticality={criticality} />
          </>
        }
        actions={actions}
      />
      <Tabs view={view} tab={tab} />
    </>
  );
}

function toCrumbs({ asset }: AssetView): Crumb[] {
  const { workspace_id: id, workspace_name: name } = asset;
  const assets = { href: "/assets", label: t("Assets") };
  if (id === null || name === null) return [assets];
  return [
    assets,
    { href: toAddress("/assets", new URLSearchParams({ workspace_id: id })), label: name },
  ];
}

export function toTabAddress({ id }: { id: string }, tab: AssetTab): string {
  if (tab === "overview") return `/assets/${id}`;
  return tab === "history" ? `/assets/${id}/history` : `/assets/${id}?tab=${tab}`;
}

function Tabs({ view, tab }: Pick<HeadProps, "view" | "tab">): VNode {
  const { asset, maintenance, meters, files } = view;
  const tabs: [tab: AssetTab, label: string, count: number][] = [
    ["overview", t("Overview"), 0],
    ["work", t("Work||tab"), maintenance.open_tasks],
    ...(meters.length > 0 || tab === "readings"
      ? [["readings", t("Readings"), meters.length] as [AssetTab, string, number]]
      : []),
    ["files", t("Files"), files.length],
    ["history", t("History"), 0],
  ];
  return (
    <nav class="tabs no-print" aria-label={t("About this asset")}>
      <ul>
        {tabs.map(([name, label, count]) => (
          <li key={name}>
            <a href={toTabAddress(asset, name)} aria-current={name === tab ? "page" : undefined}>
              {label}
              {count > 0 && <span class="tab-count"> {count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
