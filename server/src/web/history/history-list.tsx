import type { ComponentChildren, VNode } from "preact";
import type { HistoryEventType } from "../../db/entities/history-event.js";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import { nowOf, todayOf } from "../../domain/access/clock.js";
import type { FoundEvent } from "../../domain/history/history-queries.js";
import type { ShownEvent } from "../../domain/events/event-rows.js";
import { changeSetAddress } from "../changes/addresses.js";
import { toFieldLabel } from "../text/field-labels.js";
import {
  currencyOf,
  hasReference,
  toChangedValue,
  toShownChanges,
  type ValueStyle,
} from "./history-values.js";
import { Moment } from "../layout/moment.js";
import { DayList, TimeOfDay } from "../lists/day-list.js";
import { Written } from "../text/written.js";

type ListedEvent = ShownEvent &
  Partial<Pick<FoundEvent, "asset_id" | "inventory_number" | "asset_name">>;

interface HistoryListProps {
  /** The newest first. */
  events: readonly ListedEvent[];
  caller: Caller;
  /** What the page is about, which its events need not name. */
  about?: "asset" | "task" | "app";
  /** Of the days; the level below the heading that stands over the list. */
  heading?: "h2" | "h3";
}

/** What happened, by day: when, who and through which app, what, before and after. */
export function HistoryList(props: HistoryListProps): VNode {
  const { events, caller, about = "asset", heading = "h3" } = props;
  return (
    <DayList
      entries={events}
      momentOf={(event) => new Date(event.occurred_at)}
      timeZone={caller.timeZone}
      today={todayOf(caller)}
      heading={heading}
      row={(event) => <Event key={event.id} event={event} caller={caller} about={about} />}
    />
  );
}

interface EventProps {
  event: ListedEvent;
  caller: Caller;
  about: NonNullable<HistoryListProps["about"]>;
}

function Event({ event, caller, about }: EventProps): VNode {
  const { occurred_at: at, recorded_at: recordedAt, changes, note } = event;
  const style = {
    timeZone: caller.timeZone,
    now: nowOf(caller),
    currency: currencyOf(changes),
  };
  return (
    <li>
      <TimeOfDay at={new Date(at)} timeZone={caller.timeZone} />
      <div>
        <span class="happened">
          <Who event={event} /> {toEventLabel(event, about)}
          <Subject event={event} about={about} />
        </span>
        {!isSeen(event) &&
          toShownChanges(event).map((change) => (
            <Changed key={change.field} change={change} style={style} />
          ))}
        {note !== null && <Written class="note" text={note} />}
        <SetLink event={event} caller={caller} />
        {recordedAt !== undefined && (
          <p class="soft">
            Entered later: <Moment at={new Date(recordedAt)} timeZone={caller.timeZone} inline />
          </p>
        )}
      </div>
    </li>
  );
}

/**
 * Who did it and through which app; what follows from work is done by Fettle itself, and what no
 * member did by who runs the server.
 */
function Who({ event }: { event: ShownEvent }): VNode {
  const { actor, actor_user_id: actorId, source, client } = event;
  if (source === "system" && actorId !== null) {
    return (
      <>
        <strong>Fettle</strong> <span class="soft">(after work of {actor})</span>
      </>
    );
  }
  const way = client ?? (source === "import" ? "an import" : undefined);
  return (
    <>
      <strong>{actor}</strong>
      {way !== undefined && <span class="soft"> through {way}</span>}
    </>
  );
}

/** To what was done in the same go, for those who see that page. */
function SetLink({ event, caller }: Pick<EventProps, "event" | "caller">): VNode | null {
  const { change_set_id: id, actor_user_id: actorId } = event;
  if (id === null || !(actorId === caller.userId || isOrganizationAdmin(caller))) return null;
  return (
    <p>
      <a class="soft" href={changeSetAddress(id)}>
        All changes made with it
      </a>
    </p>
  );
}

const assetEventLabels: Partial<Record<HistoryEventType, string>> = {
  asset_created: "added",
  asset_updated: "changed",
  asset_state_changed: "changed the state of",
  asset_moved: "moved",
  asset_assigned: "changed who is responsible for",
  asset_deleted: "retired",
  asset_restored: "restored",
};

const taskEventLabels: Partial<Record<HistoryEventType, string>> = {
  task_created: "planned",
  task_updated: "changed",
  task_state_changed: "changed the state of",
  task_completed: "completed",
  task_cancelled: "cancelled",
};

const shortLabels: Record<HistoryEventType, string> = {
  ...{ asset_created: "added", asset_updated: "changed", asset_state_changed: "state" },
  ...{ asset_moved: "moved", asset_assigned: "assigned", asset_deleted: "retired" },
  ...{ asset_restored: "restored", task_created: "planned", task_updated: "changed" },
  ...{ task_state_changed: "state", task_completed: "completed", task_cancelled: "cancelled" },
  note_added: "note",
};

/** What happened, in a word. */
export function toShortLabel({ type }: Pick<ShownEvent, "type">): string {
  return shortLabels[type];
}

function toEventLabel(event: ShownEvent, about: EventProps["about"]): string {
  const { type, task_id: task } = event;
  if (type === "note_added") {
    return about !== "app" && (task === null || about === "task") ? "noted" : "noted on ";
  }
  const ofAsset = assetEventLabels[type];
  if (ofAsset === undefined) {
    return `${taskEventLabels[type] ?? "changed"} ${about === "task" ? "this task" : ""}`;
  }
  const asset = { asset: "this asset", task: "the asset", app: "" }[about];
  return isSeen(event) ? `saw ${asset}` : `${ofAsset} ${asset}`;
}

/** Whoever confirms that an asset is where they are changes nothing else of it. */
function isSeen({ type, changes }: ShownEvent): boolean {
  return type === "asset_updated" && changes.length === 1 && changes[0]?.field === "last_seen_at";
}

/** What the event is about, where the page does not say it. */
function Subject({ event, about }: Pick<EventProps, "event" | "about">): VNode | null {
  const { task_id: task, task_number: number, task_title: title } = event;
  const isOfTask = event.type.startsWith("task_") || event.type === "note_added";
  if (about === "app" && (task === null || !isOfTask)) return <Asset event={event} />;
  if (about === "task" || task === null || !isOfTask) return null;
  return <a href={`/tasks/${task}`}>{[number, title].filter((one) => one !== null).join(" ")}</a>;
}

function Asset({ event }: Pick<EventProps, "event">): VNode | null {
  const { asset_id: id, inventory_number: number, asset_name: name } = event;
  if (typeof id !== "string") return null;
  return <a href={`/assets/${id}`}>{[name, number].filter(Boolean).join(" · ")}</a>;
}

/** "Location: Roof → Basement"; what was empty before is only told as it is now. */
function Changed({
  change: { field, from, to },
  style,
}: {
  change: ShownEvent["changes"][number];
  style: ValueStyle;
}): VNode {
  const toText = (value: unknown) => toChangedValue(field, value, style);
  const line = (content: ComponentChildren) => (
    <p class="change">
      <span class="soft">{toFieldLabel(field)}: </span>
      {content}
    </p>
  );
  if (from === undefined) return line(to === undefined ? "changed" : <ins>{toText(to)}</ins>);
  // The name of a place that the person may not see is left out, which is not the same as none.
  if (to === undefined && hasReference(field)) return line(<>was {toText(from)}</>);
  return line(
    <>
      <del>{toText(from)}</del> <span aria-hidden="true">→</span>{" "}
      <span class="visually-hidden">became </span>
      {to === undefined ? <span class="soft">empty</span> : <ins>{toText(to)}</ins>}
    </>,
  );
}
