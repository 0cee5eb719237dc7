import type { ComponentChildren, VNode } from "preact";
import { findParts, type AssetPart } from "../../domain/assets/asset-parts.js";
import { findLastSighting, type Sighting } from "../../domain/assets/asset-sightings.js";
import { findReportsOn, type ReportRow } from "../../domain/reports/find-reports.js";
import type { Tx } from "../../db/database.js";
import { t, tRich } from "../../language/translate.js";
import { LatestComment, readComments, type CommentsView } from "../comments/comments-section.js";
import { HistoryList } from "../history/history-list.js";
import { KindIcon } from "../layout/asset-picture.js";
import { Person } from "../layout/avatar.js";
import { AssetBadge } from "../layout/badges.js";
import { Facts, InventoryNumber } from "../layout/facts.js";
import { Moment } from "../layout/moment.js";
import { ReportsOnAsset } from "../reports/report-cards.js";
import { countOf } from "../text/format.js";
import { AssetFacts } from "./asset-facts.js";
import { toTabAddress } from "./asset-head.js";
import { toCover, type AssetView } from "./asset-view.js";
import { LabelPopover } from "./label-popover.js";
import { toCosts } from "./asset-figures.js";
import { OpenTasks } from "./open-tasks.js";

/** More are in the work tab. */
const shownTasks = 3;

interface Overview {
  view: AssetView;
  parts: readonly AssetPart[];
  sighting: Sighting | undefined;
  /** Open reports. */
  reports: readonly ReportRow[];
  /** The latest only. */
  comments: CommentsView;
}

export async function readOverview(db: Tx, view: AssetView): Promise<Overview> {
  const { caller, asset, may } = view;
  const latest = { place: asset, limit: 1, mayComment: may.change };
  const [parts, sighting, reports, comments] = await Promise.all([
    findParts(db, caller, asset.id),
    findLastSighting(db, caller, asset.id),
    findReportsOn(db, caller, { asset_id: asset.id }),
    readComments(db, caller, { asset_id: asset.id }, latest),
  ]);
  return { view, parts, sighting, reports, comments };
}

/** The photo with the key facts and the next work beside it, then details and recent history. */
export function OverviewTab({
  view,
  parts,
  sighting,
  reports,
  comments,
  scanned,
}: Overview & {
  /** People in front of the asset need its work before its photo. */
  scanned: boolean;
}): VNode {
  const { asset, events, caller } = view;
  const photo = <Photo view={view} />;
  return (
    <div class="asset">
      {!scanned && photo}
      <div class="asset-main">
        <KeyFacts view={view} />
        <ReportsOnAsset reports={reports} mayDecide={view.may.change} />
        <OpenTasks view={view} shown={shownTasks} />
        <LatestComment {...comments} />
      </div>
      {scanned && photo}
      <div class="asset-details">
        <AssetFacts view={view} sighting={sighting} />
      </div>
      <div class="asset-history">
        <Parts parts={parts} />
        <section aria-labelledby="history">
          <h2 id="history">{t("Latest history")}</h2>
          <HistoryList events={events} caller={caller} />
          <p class="no-print">
            <a href={toTabAddress(asset, "history")}>{t("Full history")}</a>
          </p>
        </section>
      </div>
    </div>
  );
}

function Photo({ view }: { view: AssetView }): VNode {
  const { asset, files, may } = view;
  const cover = toCover(files);
  const filesTab = toTabAddress(asset, "files");
  const mayAdd = may.change && asset.state !== "deleted";
  return (
    <div class="asset-photo">
      {cover === undefined ? (
        <div class="asset-drawing no-print">
          <KindIcon asset={asset} />
        </div>
      ) : (
        <a href={`/files/${cover.id}`}>
          <img src={`/files/${cover.id}`} alt={cover.name} />
        </a>
      )}
      <div class="asset-photo-links">
        {files.length > 0 && (
          <a class="no-print" href={filesTab}>
            {countOf(files.length, "file")}
          </a>
        )}
        {mayAdd && cover === undefined && (
          <a class="no-print" href={filesTab}>
            {t("Add a photo")}
          </a>
        )}
        <LabelPopover view={view} />
      </div>
    </div>
  );
}

function KeyFacts({ view }: { view: AssetView }): VNode {
  const { assigned_to: assignee } = view.asset;
  return (
    <div class="asset-key panel">
      <Facts
        facts={[
          [t("State"), <State view={view} />],
          [t("Place"), <Place view={view} />],
          [
            t("Assignee"),
            assignee === null ? (
              <span class="soft">{t("Unassigned")}</span>
            ) : (
              <Person name={assignee} />
            ),
          ],
          [t("Last {count} days", { count: 365 }), <Year view={view} />],
        ]}
      />
    </div>
  );
}

function State({ view: { asset } }: { view: AssetView }): VNode {
  const when = <Moment at={new Date(asset.state_changed_at)} inline />;
  return (
    <>
      <AssetBadge state={asset.state} /> <span class="soft">{tRich("since {when}", { when })}</span>
    </>
  );
}

/** The failures and the cost of a year. The figures behind them are in the work tab. */
function Year({ view: { asset, maintenance } }: { view: AssetView }): VNode {
  const { failures_365d: failures, cost_365d: cost } = maintenance;
  return (
    <>
      <a href={`${toTabAddress(asset, "work")}#figures`}>{countOf(failures, "failure")}</a>
      {cost !== null && (
        <span class="soft">
          {" · "}
          {toCosts(cost)}
        </span>
      )}
    </>
  );
}

function Place({ view: { asset } }: { view: AssetView }): ComponentChildren {
  const { workspace_id: id, workspace_name: name, location } = asset;
  return (
    <>
      {id === null ? (
        t("In no workspace")
      ) : (
        <a href={`/workspaces/${id}`} dir="auto">
          {name}
        </a>
      )}
      {location !== null && (
        <span class="soft">
          {" · "}
          <bdi>{location}</bdi>
        </span>
      )}
    </>
  );
}

function Parts({ parts }: Pick<Overview, "parts">): VNode | null {
  if (parts.length === 0) return null;
  return (
    <section aria-labelledby="parts">
      <h2 id="parts">{t("Parts")}</h2>
      <ul class="things">
        {parts.map(({ id, name, inventory_number: number, state }) => (
          <li key={id} class="part">
            <a class="thing" href={`/assets/${id}`} dir="auto">
              {name}
            </a>
            <InventoryNumber>{number}</InventoryNumber>
            <AssetBadge state={state} />
          </li>
        ))}
      </ul>
    </section>
  );
}
