import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { nowOf, todayOf } from "../../domain/access/clock.js";
import { AssetBadge, CriticalityTag, TaskBadge } from "../layout/badges.js";
import { PostForm } from "../forms/controls.js";
import { FilesSection } from "../files/gallery.js";
import { HistoryList } from "../history/history-list.js";
import { Page } from "../layout/layout.js";
import { Day, Moment } from "../layout/moment.js";
import { PageHead, type Crumb } from "../layout/page-head.js";
import { toAddress } from "../lists/pager.js";
import { InventoryNumber } from "../layout/facts.js";
import { deletionReasonLabels } from "../text/value-labels.js";
import { describeMomentInFull } from "../text/format.js";
import { AssetActions } from "./asset-actions.js";
import { AssetFacts } from "./asset-facts.js";
import { AssetFigures } from "./asset-figures.js";
import type { AssetView, OpenTask } from "./asset-view.js";
import { MetersSection, ScannedReadings } from "../meters/meters-section.js";
import { LabelCard } from "./label-card.js";
import { Written } from "../text/written.js";

interface AssetPageProps {
  view: AssetView;
  /** Whether the person comes from its label. */
  scanned: boolean;
  /** Whether they are still asked if they see it. */
  asks: boolean;
  /** Of a file that is added. */
  maxMegabytes: number;
}

/** The page of one asset: what is to be done first, then what is known, at last what happened. */
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
        As of {describeMomentInFull(nowOf(caller), caller.timeZone)}, at {caller.organizationName}
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
            timeZone={caller.timeZone}
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
          <h2 id="history">Latest history</h2>
          <HistoryList events={view.events} caller={caller} />
          <p class="no-print">
            <a href={`/assets/${asset.id}/history`}>Full history</a>
          </p>
        </section>
      </div>
    </Page>
  );
}

function toCrumbs({ asset }: AssetView): Crumb[] {
  const { workspace_id: id, workspace_name: name } = asset;
  const assets = { href: "/assets", label: "Assets" };
  if (id === null || name === null) return [assets];
  return [
    assets,
    { href: toAddress("/assets", new URLSearchParams({ workspace: id })), label: name },
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

/** When, by whom and why, and that it is not lost. */
function Retired({ view: { asset, events, may, caller } }: { view: AssetView }): VNode {
  const { deleted_at: at, deletion_reason: reason, merged_into: kept, id } = asset;
  const event = events.find(({ type }) => type === "asset_deleted");
  return (
    <section class="notice warning retired" aria-labelledby="retired">
      <h2 id="retired">This asset is retired</h2>
      <p>
        {at !== null && (
          <>
            Since <Moment at={new Date(at)} timeZone={caller.timeZone} inline />
            {event !== undefined && `, by ${event.actor}`}
            {reason !== null && `. Reason: ${deletionReasonLabels[reason].toLowerCase()}`}.{" "}
          </>
        )}
      </p>
      {event?.note != null && <Written text={event.note} />}
      {kept !== null && (
        <p>
          It was here twice. The one that stays is{" "}
          <a href={`/assets/${kept.id}`}>
            {kept.name} <InventoryNumber>{kept.inventory_number}</InventoryNumber>
          </a>
          .
        </p>
      )}
      <p>
        It is left out of lists and counts, and keeps its number, its tasks and its history.{" "}
        {may.change ? (
          <a href={`/assets/${id}/restore`}>Restore it</a>
        ) : (
          "A member of its workspace can restore it"
        )}
        {" to have it back as it was."}
      </p>
    </section>
  );
}

function SeenForm({ view: { asset } }: { view: AssetView }): VNode {
  return (
    <section class="panel seen" aria-label="Scanned label">
      <p>You scanned this label. Is the asset in front of you?</p>
      <PostForm action={`/assets/${asset.id}/seen`}>
        <button type="submit">Yes, I see it here</button>
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
      <h2 id="open-tasks">{isRetired ? "Tasks that wait for its return" : "Open tasks"}</h2>
      {openTasks.length === 0 ? (
        <p class="soft">Nothing is to be done.</p>
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
      <a class="thing" href={`/tasks/${id}`}>
        {title}
      </a>
      <span class="open-task">
        <TaskBadge state={state} />
        {due !== null && (
          <span class={state === "overdue" ? "late" : undefined}>
            Due <Day day={due} today={today} />
          </span>
        )}
        {usage !== null && <span class="soft">{`Due at ${usage}`}</span>}
        <span class="soft">{who ?? "Unassigned"}</span>
        <span class="soft">{task.task_number}</span>
      </span>
    </li>
  );
}

function Parts({ view: { parts } }: { view: AssetView }): VNode | null {
  if (parts.length === 0) return null;
  return (
    <section aria-labelledby="parts">
      <h2 id="parts">Parts</h2>
      <ul class="things">
        {parts.map(({ id, name, inventory_number: number, state }) => (
          <li key={id} class="part">
            <a class="thing" href={`/assets/${id}`}>
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
