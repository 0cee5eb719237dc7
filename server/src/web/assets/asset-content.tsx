import type { ComponentChildren, VNode } from "preact";
import type { DeletionReason } from "../../db/entities/assets.js";
import { nowOf, todayOf } from "../../domain/access/clock.js";
import { t, tRich, translated } from "../../language/translate.js";
import { AssetBadge, CriticalityTag, TaskBadge } from "../layout/badges.js";
import { PostForm } from "../forms/controls.js";
import { FilesSection } from "../files/gallery.js";
import { HistoryList } from "../history/history-list.js";
import { Page } from "../layout/layout.js";
import { Day, Moment } from "../layout/moment.js";
import { PageHead, type Crumb } from "../layout/page-head.js";
import { toAddress } from "../lists/pager.js";
import { InventoryNumber } from "../layout/facts.js";
import { describeMomentInFull } from "../text/format.js";
import { AssetActions } from "./asset-actions.js";
import { AssetFacts } from "./asset-facts.js";
import { AssetFigures } from "./asset-figures.js";
import type { AssetView, OpenTask } from "./asset-view.js";
import { MetersSection, ScannedReadings } from "../meters/meters-section.js";
import { LabelCard } from "./label-card.js";
import { PersonName } from "../text/person-name.js";
import { Markdown } from "../text/markdown.js";

interface AssetPageProps {
  view: AssetView;
  /** True if the person scanned the asset's label. */
  scanned: boolean;
  /** True if the page still asks the person to confirm that they see the asset. */
  asks: boolean;
  maxMegabytes: number;
}

/** The page of one asset: open work first, then facts, then history. */
export function AssetPage({ view, scanned, asks, maxMegabytes }: AssetPageProps): VNode {
  const { asset, may, caller } = view;
  const isRetired = asset.state === "deleted";
  const asksReadings = scanned && may.change && !isRetired && view.meters.length > 0;
  return (
    <Page title={asset.name} width="wide" current={`/assets/${asset.id}`}>
      <PageHead
        title={asset.name}
        crumbs={toCrumbs(view)}
        facts={<HeadFacts view={view} />}
        actions={<AssetActions view={view} scanned={scanned} />}
      />
      <p class="print-only soft">
        {tRich("{organization}, {moment}", {
          moment: describeMomentInFull(nowOf(caller)),
          organization: <bdi>{caller.organizationName}</bdi>,
        })}
      </p>
      {isRetired && <Retired view={view} />}
      {scanned && asks && may.change && !isRetired && <SeenForm view={view} />}
      {asksReadings && <ScannedReadings view={view} />}
      <div class="asset">
        <div>
          <OpenTasks view={view} />
          <AssetFacts view={view} />
          <MetersSection view={view} hasForm={!asksReadings} />
          <Parts view={view} />
          <FilesSection
            files={view.files}
            mayChange={may.change}
            action={`/assets/${asset.id}/files`}
            maxMegabytes={maxMegabytes}
          />
        </div>
        <div class="asset-side">
          <AssetFigures view={view} />
          <LabelCard view={view} />
        </div>
        <section class="asset-history" aria-labelledby="history">
          <h2 id="history">{t("Latest history")}</h2>
          <HistoryList events={view.events} caller={caller} />
          <p class="no-print">
            <a href={`/assets/${asset.id}/history`}>{t("Full history")}</a>
          </p>
        </section>
      </div>
    </Page>
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

function HeadFacts({ view: { asset } }: { view: AssetView }): VNode {
  const { criticality, state, inventory_number: number } = asset;
  return (
    <>
      <InventoryNumber>{number}</InventoryNumber>
      <AssetBadge state={state} />
      <CriticalityTag criticality={criticality} />
    </>
  );
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

function OpenTasks({ view }: { view: AssetView }): VNode | null {
  const { asset, openTasks, maintenance, caller } = view;
  const isRetired = asset.state === "deleted";
  const more = maintenance.open_tasks - openTasks.length;
  const today = todayOf(caller);
  if (isRetired && openTasks.length === 0) return null;
  return (
    <section aria-labelledby="open-tasks">
      <h2 id="open-tasks">{isRetired ? t("Tasks on hold until it's back") : t("Open tasks")}</h2>
      {openTasks.length === 0 ? (
        <p class="soft">{t("No open tasks.")}</p>
      ) : (
        <ul class="things open-tasks">
          {openTasks.map((task) => (
            <OpenTaskRow key={task.id} task={task} today={today} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p class="no-print">
          <a href={toAddress("/tasks", new URLSearchParams({ q: asset.inventory_number }))}>
            {t("{count, plural, one {# more open task} other {# more open tasks}}", {
              count: more,
            })}
          </a>
        </p>
      )}
    </section>
  );
}

function OpenTaskRow({ task, today }: { task: OpenTask; today: string }): VNode {
  const { id, title, state, due_date: due, due_usage: usage, assigned_to: who } = task;
  return (
    <li>
      <a class="thing" href={`/tasks/${id}`} dir="auto">
        {title}
      </a>
      <span class="open-task">
        <TaskBadge state={state} />
        {due !== null && (
          <span class={state === "overdue" ? "late" : undefined}>
            {tRich("Due {when}", { when: <Day day={due} today={today} /> })}
          </span>
        )}
        {usage !== null && <span class="soft">{t("Due at {usage}", { usage })}</span>}
        <span class="soft" dir="auto">
          {who ?? t("Unassigned")}
        </span>
        <span class="soft">{task.task_number}</span>
      </span>
    </li>
  );
}

function Parts({ view: { parts } }: { view: AssetView }): VNode | null {
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
