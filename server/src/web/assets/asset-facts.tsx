import type { ComponentChildren, VNode } from "preact";
import { todayOf } from "../../domain/access/clock.js";
import { Day, Moment } from "../layout/moment.js";
import { Facts, toAddress } from "../layout/page-parts.js";
import { conditionLabels, criticalityLabels } from "../text/value-labels.js";
import { countOf, formatMoney } from "../text/format.js";
import type { AssetView } from "./asset-view.js";

type Fact = readonly [label: string, value: ComponentChildren];

/** What is known of the asset; what is not known is left out. */
export function AssetFacts({ view }: { view: AssetView }): VNode {
  const { asset, may } = view;
  const facts = [...placeFacts(view), ...kindFacts(view), ...moneyFacts(view), ...lifeFacts(view)];
  const isMissing = facts.some(([, value]) => value === null);
  const mayAdd = may.change && asset.state !== "deleted";
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      {asset.description !== null && <p class="description">{asset.description}</p>}
      <Facts facts={facts} />
      {isMissing && mayAdd && (
        <p class="add-details no-print">
          <a href={`/assets/${asset.id}/edit`}>Add details</a>
        </p>
      )}
    </section>
  );
}

function placeFacts({ asset }: AssetView): Fact[] {
  const {
    workspace_name: workspace,
    parent_asset: parent,
    parent_asset_id: parentId,
  } = {
    parent_asset: null,
    ...asset,
  };
  return [
    ["Workspace", workspace ?? "Not placed"],
    ["Location", asset.location],
    ["Part of", parentId && <a href={`/assets/${parentId}`}>{parent}</a>],
    ["Responsible", asset.assigned_to],
  ];
}

function kindFacts({ asset }: AssetView): Fact[] {
  const { criticality, condition, category, tags } = asset;
  return [
    ["Category", category],
    ["Manufacturer", asset.manufacturer],
    ["Model", asset.model],
    ["Serial number", asset.serial_number],
    ["Criticality", criticalityLabels[criticality]],
    ["Condition", condition && conditionLabels[condition]],
    ["Tags", tags.length === 0 ? null : <Tags tags={tags} />],
  ];
}

function Tags({ tags }: { tags: readonly string[] }): VNode {
  return (
    <>
      {tags.map((tag) => (
        <a key={tag} class="tag" href={toAddress("/assets", new URLSearchParams({ tag }))}>
          {tag}
        </a>
      ))}
    </>
  );
}

function moneyFacts({ asset, caller }: AssetView): Fact[] {
  const today = todayOf(caller);
  const date = (day: string | null) => day && <Day plain day={day} today={today} />;
  const { purchase_cost: cost, warranty_expires_on: warranty, warranty_status: status } = asset;
  return [
    ["Supplier", asset.supplier],
    ["Purchased", date(asset.purchase_date)],
    ["Purchase cost", cost === null ? null : formatMoney(cost, asset.currency)],
    [
      "Warranty",
      warranty && (
        <>
          {status === "expired" ? "Ended" : "Ends"} {date(warranty)}
          {status === "ending" && (
            <>
              {" "}
              <span class="tag">Ends soon</span>
            </>
          )}
        </>
      ),
    ],
  ];
}

function lifeFacts({ asset, caller, sighting }: AssetView): Fact[] {
  const today = todayOf(caller);
  const { timeZone } = caller;
  const { in_service_date: since, end_of_life_on: end, age_months: age } = asset;
  const date = (day: string) => <Day plain day={day} today={today} />;
  return [
    [
      "In service since",
      since && (
        <>
          {date(since)}
          {age !== null && `, ${toAge(age)}`}
        </>
      ),
    ],
    ["Planned replacement", end && date(end)],
    ["In this state since", <Moment at={new Date(asset.state_changed_at)} timeZone={timeZone} />],
    [
      "Last seen",
      sighting && (
        <>
          <Moment at={sighting.at} timeZone={timeZone} /> by {sighting.by}
        </>
      ),
    ],
    [
      "Added",
      <>
        <Moment at={new Date(asset.created_at)} timeZone={timeZone} /> by {asset.created_by}
      </>,
    ],
  ];
}

/** "3 years and 2 months" */
function toAge(months: number): string {
  const years = Math.floor(months / 12);
  const rest = months % 12;
  const parts = [
    ...(years > 0 ? [countOf(years, "year")] : []),
    ...(rest > 0 ? [countOf(rest, "month")] : []),
  ];
  return parts.length === 0 ? "less than a month" : parts.join(" and ");
}
