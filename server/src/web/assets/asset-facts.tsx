import type { ComponentChildren, VNode } from "preact";
import { assetFields } from "../../db/entities/assets.js";
import { todayOf } from "../../domain/access/clock.js";
import type { Sighting } from "../../domain/assets/asset-sightings.js";
import { t, tRich, translated } from "../../language/translate.js";
import { Day, Moment } from "../layout/moment.js";
import { toAddress } from "../lists/pager.js";
import { Facts } from "../layout/facts.js";
import { factNames } from "../../language/asset-fields.js";
import { toFieldLabel } from "../text/field-labels.js";
import { toValueLabel } from "../text/value-labels.js";
import { countOf, formatMoney } from "../text/format.js";
import type { AssetView } from "./asset-view.js";
import { Markdown } from "../text/markdown.js";
import { PersonName } from "../text/person-name.js";

type Fact = readonly [label: string, value: ComponentChildren];
type FactName = (typeof factNames)[number];

/** The overview shows these beside the photo. */
const keyFacts: readonly FactName[] = ["workspace_id", "location", "assigned_to_user_id"];

export function AssetFacts({
  view,
  sighting,
}: {
  view: AssetView;
  sighting: Sighting | undefined;
}): VNode {
  const { asset, may } = view;
  const facts = factNames
    .filter((name) => !keyFacts.includes(name))
    .map((name): Fact => {
      const value = asset[name] === null ? null : (shown[name] ?? show)(view, name);
      return [ownLabels[name] ?? toFieldLabel(name), value];
    });
  const isMissing =
    asset.location === null ||
    asset.assigned_to === null ||
    facts.some(([, value]) => value === null);
  const mayAdd = may.change && asset.state !== "deleted";
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{t("Details")}</h2>
      {asset.description !== null && <Markdown text={asset.description} />}
      <Facts
        facts={[
          ...facts,
          [t("Last seen"), sighting && <When at={sighting.at} by={sighting.by} />],
          [t("Added"), <When at={new Date(asset.created_at)} by={asset.created_by} />],
        ]}
      />
      {isMissing && mayAdd && (
        <p class="add-details no-print">
          <a href={`/assets/${asset.id}/edit`}>{t("Add details")}</a>
        </p>
      )}
    </section>
  );
}

/** Labels of values that differ from the labels of their controls. */
const ownLabels: Partial<Record<FactName, string>> = translated({
  purchase_date: "Purchased",
  warranty_expires_on: "Warranty",
});

/** Formats a value according to its kind. */
function show({ asset, caller }: AssetView, name: FactName): ComponentChildren {
  const value = asset[name];
  const { kind } = assetFields[name];
  if (kind === "amount") return formatMoney(Number(value), asset.currency);
  if (kind === "day") return <Day plain day={String(value)} today={todayOf(caller)} />;
  return toValueLabel(name, String(value));
}

/** Values with their own rendering. */
const shown: Partial<Record<FactName, typeof show>> = {
  parent_asset_id({ asset }) {
    const { parent_asset_id: id, parent_asset: name } = { parent_asset: null, ...asset };
    return <a href={`/assets/${id ?? ""}`}>{name}</a>;
  },
  tags: ({ asset: { tags } }) => (tags.length === 0 ? null : <Tags tags={tags} />),
  warranty_expires_on(view, name) {
    const { warranty_status: status } = view.asset;
    return (
      <>
        {status === "expired"
          ? tRich("Ended {day}||warranty", { day: show(view, name) })
          : tRich("Ends {day}||warranty", { day: show(view, name) })}
        {status === "ending" && (
          <>
            {" "}
            <span class="tag">{t("Expiring soon")}</span>
          </>
        )}
      </>
    );
  },
  in_service_date(view, name) {
    const { age_months: age } = view.asset;
    return (
      <>
        {show(view, name)}
        {age !== null && `, ${toAge(age)}`}
      </>
    );
  },
};

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

function When({ at, by }: { at: Date; by: string }): VNode {
  const when = <Moment at={at} />;
  return <>{tRich("{when} by {name}", { when, name: <PersonName name={by} /> })}</>;
}

/** "3 years and 2 months" */
function toAge(age: number): string {
  const years = Math.floor(age / 12);
  const months = age % 12;
  if (age === 0) return t("less than a month");
  if (years === 0) return countOf(months, "month");
  if (months === 0) return countOf(years, "year");
  return t(
    "{years, plural, one {# year} other {# years}} and {months, plural, one {# month} other {# months}}",
    { years, months },
  );
}
