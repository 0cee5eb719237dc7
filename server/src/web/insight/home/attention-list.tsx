import type { ComponentChildren, VNode } from "preact";
import type { AttentionEntry } from "../../../domain/insight/attention.js";
import type { AttentionBand } from "../../../domain/insight/reasons.js";
import { t, tRich } from "../../../language/translate.js";
import type { BandRows, Bands } from "./arrange-bands.js";
import { LateRow } from "./late-row.js";
import { BrokenRow, UnassignedRow, WatchRow, type RowContext } from "./matter-rows.js";

interface AttentionView extends RowContext {
  /** Undefined if there is too much data to sort in time. */
  bands: Bands | undefined;
  /** True below the reader's own work, which isn't part of the bands. */
  isAfterOwn: boolean;
  /** False before the first asset, when there is nothing to be calm about. */
  hasAssets: boolean;
}

/** Broken, late and unassigned work, in this order. Each band has a few rows. */
export function AttentionList({
  bands,
  isAfterOwn,
  hasAssets,
  ...context
}: AttentionView): VNode | null {
  if (bands === undefined) return <TooMuch />;
  const { broken, late, unassigned, watch } = bands;
  const isCalm = broken.total + late.total + unassigned.total === 0;
  return (
    <div id="attention" class="attention" role="region" aria-label={t("Needs attention")}>
      {isCalm && hasAssets && !isAfterOwn && <CaughtUp />}
      <Band band="broken" title={t("Broken now")} found={broken}>
        {broken.rows.map((entry) => (
          <BrokenRow key={entry.asset?.id} entry={entry} {...context} />
        ))}
      </Band>
      <Band band="late" title={t("Late||work")} found={late}>
        {late.rows.map((entries) => (
          <LateRow key={entries[0]?.task?.id} entries={entries} {...context} />
        ))}
      </Band>
      <Band band="unassigned" title={t("No assignee")} found={unassigned}>
        {unassigned.rows.map((entry) => (
          <UnassignedRow key={entry.task?.id} entry={entry} {...context} />
        ))}
      </Band>
      <Band band="watch" title={t("Worth watching")} found={watch}>
        {watch.rows.map((entry) => (
          <WatchRow key={entry.asset?.id} entry={entry} {...context} />
        ))}
      </Band>
    </div>
  );
}

function TooMuch(): VNode {
  return (
    <p class="panel">
      {tRich(
        "Too much to sort here. Start with the <tasks>overdue tasks</tasks> and the <assets>assets out of service</assets>.",
        {
          tasks: (words) => <a href="/tasks?state=overdue">{words}</a>,
          assets: (words) => <a href="/assets?state=out_of_service">{words}</a>,
        },
      )}
    </p>
  );
}

function CaughtUp(): VNode {
  return (
    <p class="panel caught-up">
      {t(
        "You're all caught up. Nothing is broken or overdue, and everything urgent or due soon has an assignee.",
      )}
    </p>
  );
}

/** The lists of bands with more than the home page reads. */
const lists: Record<AttentionBand, string> = {
  broken: "/assets?state=out_of_service",
  late: "/tasks?state=overdue",
  unassigned: "/tasks?assignee=none",
  watch: "/trends",
};

function Band({
  band,
  title,
  found: { rows, hidden, total, isCapped },
  children,
}: {
  band: AttentionBand;
  title: string;
  found: BandRows<AttentionEntry | readonly AttentionEntry[]>;
  children: ComponentChildren;
}): VNode | null {
  if (rows.length === 0) return null;
  return (
    <section class={`band ${band}`} id={band} aria-labelledby={`${band}-title`}>
      <h2 id={`${band}-title`}>
        {title} <span class="count">{isCapped ? `${String(total)}+` : total}</span>
      </h2>
      <ul class="matters">{children}</ul>
      {(hidden > 0 || isCapped) && (
        <p class="rest">
          <a href={isCapped ? lists[band] : `/?attention=all#${band}`}>
            {isCapped ? t("View the full list") : t("Show all {count}", { count: total })}
          </a>
        </p>
      )}
    </section>
  );
}
