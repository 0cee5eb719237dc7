import type { ComponentChildren, VNode } from "preact";
import type { DeletionReason } from "../../db/entities/assets.js";
import { nowOf } from "../../domain/access/clock.js";
import { t, tRich, translated } from "../../language/translate.js";
import { PostForm } from "../forms/controls.js";
import { Page } from "../layout/layout.js";
import { Moment } from "../layout/moment.js";
import { InventoryNumber } from "../layout/facts.js";
import { describeMomentInFull } from "../text/format.js";
import { AssetActions } from "./asset-actions.js";
import { AssetHead, toTabAddress, type AssetTab } from "./asset-head.js";
import type { AssetView } from "./asset-view.js";
import { ScannedReadings } from "../meters/meters-section.js";
import { PersonName } from "../text/person-name.js";
import { Markdown } from "../text/markdown.js";

interface AssetPageProps {
  view: AssetView;
  tab: AssetTab;
  /** True if the person scanned the asset's label. */
  scanned: boolean;
  /** True if the page still asks the person to confirm that they see the asset. */
  asks: boolean;
  children: ComponentChildren;
}

/** The page of one asset: its name, actions and tabs, and the selected tab. */
export function AssetPage({ view, tab, scanned, asks, children }: AssetPageProps): VNode {
  const { asset, may, caller } = view;
  const isRetired = asset.state === "deleted";
  return (
    <Page title={asset.name} width="wide" current={toTabAddress(asset, "overview")}>
      <AssetHead view={view} tab={tab} actions={<AssetActions view={view} scanned={scanned} />} />
      <p class="print-only soft">
        {tRich("{organization}, {moment}", {
          moment: describeMomentInFull(nowOf(caller)),
          organization: <bdi>{caller.organizationName}</bdi>,
        })}
      </p>
      {isRetired && <Retired view={view} />}
      {scanned && asks && may.change && !isRetired && <SeenForm view={view} />}
      {scanned && mayRead(view) && <ScannedReadings view={view} />}
      {children}
    </Page>
  );
}

/** True if the person may record readings. */
function mayRead({ asset, may, meters }: AssetView): boolean {
  return may.change && asset.state !== "deleted" && meters.length > 0;
}

/** When, by whom and why the asset was retired, and how to get it back. */
function Retired({ view: { asset, events, may } }: { view: AssetView }): VNode {
  const { deleted_at: at, deletion_reason: reason, merged_into: kept, id } = asset;
  const event = events.find(({ type }) => type === "asset_deleted");
  return (
    <section class="notice warning retired" aria-labelledby="retired">
      <h2 id="retired">{t("This asset is retired")}</h2>
      <p>{at !== null && <Since at={new Date(at)} actor={event?.actor} reason={reason} />}</p>
      {event?.note != null && <Markdown text={event.note} />}
      {kept !== null && (
        <p>
          {tRich("This was a duplicate of {asset}.", {
            asset: (
              <a href={`/assets/${kept.id}`}>
                <bdi>{kept.name}</bdi> <InventoryNumber>{kept.inventory_number}</InventoryNumber>
              </a>
            ),
          })}
        </p>
      )}
      <p>
        {t("It's hidden from lists and totals. Its number, tasks and history are kept.")}{" "}
        {may.change
          ? tRich("<a>Restore it</a> to use it again.", {
              a: (words: ComponentChildren) => <a href={`/assets/${id}/restore`}>{words}</a>,
            })
          : t("A member of its workspace can restore it.")}
      </p>
    </section>
  );
}

const reasonTexts: Record<DeletionReason, string> = translated({
  disposed: "Reason: disposed of.",
  sold: "Reason: sold.",
  scrapped: "Reason: scrapped.",
  lost: "Reason: lost.",
  stolen: "Reason: stolen.",
  donated: "Reason: donated.",
  returned: "Reason: returned.",
  duplicate: "Reason: duplicate entry.",
  entered_in_error: "Reason: entered in error.",
  other: "Reason: other.",
});

function Since(props: {
  at: Date;
  actor: string | undefined;
  reason: DeletionReason | null;
}): VNode {
  const { actor, reason } = props;
  const when = <Moment at={props.at} inline />;
  return (
    <>
      {actor === undefined
        ? tRich("Since {when}.", { when })
        : tRich("Since {when}, by {name}.", { when, name: <PersonName name={actor} /> })}{" "}
      {reason !== null && `${reasonTexts[reason]} `}
    </>
  );
}

function SeenForm({ view: { asset } }: { view: AssetView }): VNode {
  return (
    <section class="panel seen" aria-label={t("Scanned label")}>
      <p>{t("You scanned this label. Is the asset in front of you?")}</p>
      <PostForm action={`/assets/${asset.id}/seen`}>
        <button type="submit">{t("Yes, I see it here")}</button>
      </PostForm>
    </section>
  );
}
