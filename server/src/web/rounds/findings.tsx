import type { ComponentChildren, VNode } from "preact";
import { maxShown, type ExpectedAsset, type Finding } from "../../domain/rounds/find-findings.js";
import type { RoundOutcome, RoundRow } from "../../domain/rounds/rounds.js";
import { PostForm } from "../forms/controls.js";
import { AssetBadge } from "../layout/badges.js";
import { InventoryNumber } from "../layout/facts.js";
import { Moment } from "../layout/moment.js";
import { AddScanned } from "../labels/scan/add-scanned.js";
import { formatNumber } from "../text/format.js";
import { placeOf } from "./describe-round.js";
import type { RoundView } from "./round-view.js";
import { t, tRich } from "../../language/translate.js";
import { PersonName } from "../text/person-name.js";

type AssetPart = NonNullable<Finding["asset"]>;

/** The findings in numbers. `left` is the number of assets still to be seen. */
export function RoundCounts({ round, left }: { round: RoundRow; left?: number }): VNode {
  const { seen, missing, elsewhere, retired, unknown, ended_at } = round;
  const all = seen + (left ?? missing);
  const isKnown = left !== undefined || ended_at !== null;
  return (
    <ul class="round-counts">
      <li>
        {isKnown
          ? tRich("<b>{seen} of {all}</b> seen", {
              b,
              seen: formatNumber(seen),
              all: formatNumber(all),
            })
          : tRich("<b>{count}</b> seen", { b, count: seen })}
      </li>
      {missing > 0 && (
        <li class="bad">{tRich("<b>{count}</b> not seen", { b, count: formatNumber(missing) })}</li>
      )}
      {elsewhere > 0 && (
        <li>
          {tRich(
            "{count, plural, one {<b>#</b> in the wrong place} other {<b>#</b> in the wrong place}}",
            { b, count: elsewhere },
          )}
        </li>
      )}
      {retired > 0 && (
        <li>{tRich("<b>{count}</b> retired", { b, count: formatNumber(retired) })}</li>
      )}
      {unknown > 0 && (
        <li>
          {tRich("{count, plural, one {<b>#</b> unknown code} other {<b>#</b> unknown codes}}", {
            b,
            count: unknown,
          })}
        </li>
      )}
    </ul>
  );
}

const b = (words: ComponentChildren): VNode => <strong>{words}</strong>;

const byOutcome = ({ findings }: RoundView, wanted: RoundOutcome) =>
  findings.filter(({ outcome }) => outcome === wanted);

/** The assets that belong here and were not seen, either so far or at the end. */
export function Missing({ view }: { view: RoundView }): VNode | null {
  const { round, expected } = view;
  if (round.ended_at === null) {
    if (expected.total === 0) {
      return <p class="all-seen">{t("Everything in this workspace was seen.")}</p>;
    }
    return (
      <Part id="missing" title={t("Not seen yet")} count={expected.total}>
        {expected.assets.map((asset) => (
          <AssetRow key={asset.id} asset={asset} where={asset.location}>
            <LastSeen asset={asset} />
          </AssetRow>
        ))}
      </Part>
    );
  }
  const missing = byOutcome(view, "missing");
  if (missing.length === 0) return null;
  return (
    <Part id="missing" title={t("Not seen")} count={round.missing}>
      {missing.map(
        ({ finding_id, asset }) =>
          asset !== null && (
            <AssetRow key={finding_id} asset={asset} where={asset.location}>
              <AssetBadge state={asset.state} />
            </AssetRow>
          ),
      )}
    </Part>
  );
}

function LastSeen({ asset: { last_seen_at: at } }: { asset: ExpectedAsset }): VNode {
  return (
    <span class="soft">
      {at === null
        ? t("Never seen")
        : tRich("Last seen {when}", { when: <Moment at={at} inline /> })}
    </span>
  );
}

/**
 * The assets that are here and belong elsewhere. At the end, people can say that they belong here.
 */
export function Elsewhere({ view }: { view: RoundView }): VNode | null {
  const { round, mayScan } = view;
  const found = byOutcome(view, "elsewhere");
  if (found.length === 0) return null;
  const isOffered = (finding: Finding) => round.ended_at !== null && mayScan && isMovable(finding);
  const list = (
    <Part id="elsewhere" title={t("In the wrong place")} count={round.elsewhere}>
      {found.map(
        (finding) =>
          finding.asset !== null && (
            <AssetRow
              key={finding.finding_id}
              asset={finding.asset}
              where={finding.belongs ? t("Moved here") : placeOf(finding.asset)}
              isChosen={isOffered(finding)}
            >
              <AssetBadge state={finding.asset.state} />
            </AssetRow>
          ),
      )}
    </Part>
  );
  if (!found.some(isOffered)) return list;
  return (
    <PostForm action={`/rounds/${round.id}/move`}>
      {list}
      <div class="actions">
        <button type="submit">
          {tRich("Move selected assets to {workspace}", {
            workspace: <bdi>{round.workspace_name}</bdi>,
          })}
        </button>
      </div>
    </PostForm>
  );
}

function isMovable({ belongs, may_change, asset }: Finding): boolean {
  return !belongs && may_change && asset !== null;
}

export function Retired({ view }: { view: RoundView }): VNode | null {
  const found = byOutcome(view, "retired");
  if (found.length === 0) return null;
  return (
    <Part id="retired" title={t("Here, but retired")} count={view.round.retired}>
      {found.map(
        ({ finding_id, asset, belongs }) =>
          asset !== null && (
            <AssetRow
              key={finding_id}
              asset={asset}
              where={belongs ? asset.location : placeOf(asset)}
            />
          ),
      )}
    </Part>
  );
}

export function Unknown({ view }: { view: RoundView }): VNode | null {
  const { round, waysOf } = view;
  const found = byOutcome(view, "unknown");
  if (found.length === 0) return null;
  return (
    <Part id="unknown" title={t("Unknown codes")} count={round.unknown}>
      {found.map(({ finding_id, code }) => (
        <li key={finding_id} class="round-row">
          <span class="inventory-number" dir="auto">
            {code}
          </span>
          <AddScanned
            code={code ?? ""}
            ways={waysOf(code ?? "")}
            workspace={round.workspace_id ?? ""}
          />
        </li>
      ))}
    </Part>
  );
}

export function Seen({ view }: { view: RoundView }): VNode | null {
  const { round } = view;
  const found = byOutcome(view, "seen");
  if (found.length === 0) return null;
  return (
    <Part id="seen" title={t("Seen")} count={round.seen}>
      {found.map(
        ({ finding_id, asset, found_at, found_by }) =>
          asset !== null && (
            <AssetRow key={finding_id} asset={asset} where={asset.location}>
              <span class="soft">
                <Moment at={found_at} /> · <PersonName name={found_by} />
              </span>
            </AssetRow>
          ),
      )}
    </Part>
  );
}

function Part({
  id,
  title,
  count,
  children,
}: {
  id: string;
  title: string;
  count: number;
  children: ComponentChildren;
}): VNode {
  return (
    <section class="round-part" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="soft">{formatNumber(count)}</span>
      </h2>
      <ul class="things">{children}</ul>
      {count > maxShown && (
        <p class="soft">
          {t("{count, plural, one {# more isn't shown.} other {# more aren't shown.}}", {
            count: count - maxShown,
          })}
        </p>
      )}
    </section>
  );
}

/** The offline script finds the row by `data-codes`. */
function AssetRow({
  asset,
  where,
  isChosen = false,
  children,
}: {
  asset: Omit<AssetPart, "workspace_name">;
  where: string | null;
  /** Adds a checkbox that is selected. */
  isChosen?: boolean;
  children?: ComponentChildren;
}): VNode {
  const { id, name, inventory_number: number, serial_number: serial, qr_token: label } = asset;
  const codes = [label, number, serial].filter((code) => code !== null);
  return (
    <li class="round-row" data-codes={JSON.stringify(codes.map((code) => code.toLowerCase()))}>
      {isChosen && (
        <input
          type="checkbox"
          class="choose no-print"
          name="ids"
          value={id}
          checked
          aria-label={t("Move {name}", { name })}
        />
      )}
      <a class="thing" dir="auto" href={`/assets/${id}`}>
        {name}
      </a>
      <span class="round-where soft">
        <InventoryNumber>{number}</InventoryNumber>
        {where !== null && <span dir="auto">{where}</span>}
      </span>
      {children}
    </li>
  );
}
