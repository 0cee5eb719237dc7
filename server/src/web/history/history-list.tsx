import type { ComponentChildren, VNode } from "preact";
import type { HistoryEventType } from "../../db/entities/history.js";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import { nowOf } from "../../domain/access/clock.js";
import type { FoundEvent } from "../../domain/history/history-queries.js";
import type { ShownEvent } from "../../domain/history/event-rows.js";
import type { Text } from "../../language/texts.js";
import { t, tRich, translated } from "../../language/translate.js";
import { changeSetAddress } from "./changes/addresses.js";
import { withColon } from "../text/format.js";
import { toFieldLabel } from "../text/field-labels.js";
import {
  currencyOf,
  hasReference,
  toChangedValue,
  toShownChanges,
  type ValueStyle,
} from "./history-values.js";
import { isOfReport, retellNote } from "./stored-texts.js";
import { Avatar } from "../layout/avatar.js";
import { Moment } from "../layout/moment.js";
import { DayList, TimeOfDay } from "../lists/day-list.js";
import { PersonName, toPersonName } from "../text/person-name.js";
import { Markdown } from "../text/markdown.js";

type ListedEvent = ShownEvent &
  Partial<Pick<FoundEvent, "asset_id" | "inventory_number" | "asset_name">>;

interface HistoryListProps {
  /** Newest first. */
  events: readonly ListedEvent[];
  caller: Caller;
  /** The page's subject, which its events need not name. */
  about?: "asset" | "task" | "app";
  /** The heading level of days, one below the list's heading. */
  heading?: "h2" | "h3";
}

/** Events by day: time, person, app, change, and the values before and after. */
export function HistoryList(props: HistoryListProps): VNode {
  const { events, caller, about = "asset", heading = "h3" } = props;
  return (
    <DayList
      entries={events}
      momentOf={(event) => new Date(event.occurred_at)}
      now={nowOf(caller)}
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
  const { occurred_at: at, recorded_at: recordedAt, changes, note, source } = event;
  const style = {
    now: nowOf(caller),
    currency: currencyOf(changes),
  };
  return (
    <li>
      <TimeOfDay at={new Date(at)} />
      <div>
        <span class="happened">
          <Happened event={event} about={about} />
        </span>
        {!isSeen(event) &&
          toShownChanges(event).map((change) => (
            <Changed key={change.field} change={change} style={style} />
          ))}
        {note !== null && (
          <Markdown class="note" text={retellNote({ note, source })} isAsTyped={isOfReport(note)} />
        )}
        <SetLink event={event} caller={caller} />
        {recordedAt !== undefined && (
          <p class="soft">
            {tRich("Added later: {when}", {
              when: <Moment at={new Date(recordedAt)} inline />,
            })}
          </p>
        )}
      </div>
    </li>
  );
}

/**
 * The author and the app. Consequences of work are attributed to Fettle. Changes without a member
 * are attributed to the server's administrator.
 */
function Who({ event }: { event: ShownEvent }): VNode {
  const { actor, actor_user_id: actorId, source, client } = event;
  if (source === "system" && actorId !== null) {
    return (
      <>
        {tRich("<b>Fettle</b> <soft>(after {actor} worked on it)</soft>", {
          actor: <PersonName name={actor} />,
          b: (words: ComponentChildren) => <strong>{words}</strong>,
          soft: (words: ComponentChildren) => <span class="soft">{words}</span>,
        })}
      </>
    );
  }
  if (source === "public_scan" && client !== null) {
    return (
      <>
        <Avatar name={client} /> <strong dir="auto">{toPersonName(client)}</strong>{" "}
        <span class="soft">{t("shared by {name}", { name: toPersonName(actor) })}</span>
      </>
    );
  }
  const way = client ?? (source === "import" ? t("an import||through it") : undefined);
  return (
    <>
      <Avatar name={actor} /> <strong dir="auto">{toPersonName(actor)}</strong>
      {way !== undefined && <span class="soft"> {t("through {app}", { app: way })}</span>}
    </>
  );
}

/** A link to all changes of the change set, for people who see that page. */
function SetLink({ event, caller }: Pick<EventProps, "event" | "caller">): VNode | null {
  const { change_set_id: id, actor_user_id: actorId } = event;
  if (id === null || !(actorId === caller.userId || isOrganizationAdmin(caller))) return null;
  return (
    <p>
      <a class="soft" href={changeSetAddress(id)}>
        {t("All changes made at the same time")}
      </a>
    </p>
  );
}

const eventTexts: Partial<Record<HistoryEventType, EventText>> = {
  asset_created: "{who} added {what}",
  asset_state_changed: "{who} changed the state of {what}",
  asset_moved: "{who} moved {what}",
  asset_assigned: "{who} reassigned {what}",
  asset_deleted: "{who} retired {what}",
  asset_restored: "{who} restored {what}",
  task_created: "{who} planned {what}",
  task_state_changed: "{who} changed the state of {what}",
  task_completed: "{who} completed {what}",
  task_cancelled: "{who} cancelled {what}",
};
type EventText = Text & `{who} ${string}{what}`;

const shortLabels: Record<HistoryEventType, string> = translated({
  asset_created: "added||an event",
  asset_updated: "changed||an event",
  asset_state_changed: "state||an event",
  asset_moved: "moved||an event",
  asset_assigned: "assigned||an event",
  asset_deleted: "retired||an event",
  asset_restored: "restored||an event",
  task_created: "planned||an event",
  task_updated: "changed||an event",
  task_state_changed: "state||an event",
  task_completed: "completed||an event",
  task_cancelled: "cancelled||an event",
  note_added: "note||an event",
});

export function toShortLabel({ type }: Pick<ShownEvent, "type">): string {
  return shortLabels[type];
}

/** "Anna completed T-118 Replace the seal" */
function Happened({ event, about }: Pick<EventProps, "event" | "about">): VNode {
  const { type, task_id: task } = event;
  const who = <Who event={event} />;
  const subject = <Subject event={event} about={about} />;
  if (type === "note_added") {
    const isHere = about !== "app" && (task === null || about === "task");
    const texts = noteTexts[toNoteKind(event)];
    return <>{tRich(texts[isHere ? "here" : "to"], { who, what: isHere ? null : subject })}</>;
  }
  const values = { who, what: toWords(type, about) ?? subject };
  if (isSeen(event)) return <>{tRich("{who} saw {what}", values)}</>;
  return <>{tRich(eventTexts[type] ?? "{who} changed {what}", values)}</>;
}

/** Comments are notes that can be edited and removed. */
function toNoteKind({ changes }: ShownEvent): keyof typeof noteTexts {
  const change = changes.find(({ field }) => field === "comment");
  if (change === undefined) return "note";
  if (change.to === undefined) return "removed";
  return change.from === undefined ? "added" : "edited";
}

const noteTexts = {
  note: { here: "{who} added a note", to: "{who} added a note to {what}" },
  added: { here: "{who} commented", to: "{who} commented on {what}" },
  edited: { here: "{who} edited a comment", to: "{who} edited a comment on {what}" },
  removed: { here: "{who} removed a comment", to: "{who} removed a comment on {what}" },
} as const satisfies Record<string, Record<"here" | "to", Text>>;

/** The page's subject needs no link. Neither does a task's asset on the task's page. */
function toWords(type: HistoryEventType, about: EventProps["about"]): string | undefined {
  if (about === "task") return type.startsWith("task_") ? t("this task") : t("the asset");
  return about === "asset" && type.startsWith("asset_") ? t("this asset") : undefined;
}

/** Confirming that an asset is in its place changes only `last_seen_at`. */
function isSeen({ type, changes }: ShownEvent): boolean {
  return type === "asset_updated" && changes.length === 1 && changes[0]?.field === "last_seen_at";
}

/** The event's subject, unless the page names it. */
function Subject({ event, about }: Pick<EventProps, "event" | "about">): VNode | null {
  const { task_id: task, task_number: number, task_title: title } = event;
  const isOfTask = event.type.startsWith("task_") || event.type === "note_added";
  if (about === "app" && (task === null || !isOfTask)) return <Asset event={event} />;
  if (about === "task" || task === null || !isOfTask) return null;
  return (
    <a href={`/tasks/${task}`} dir="auto">
      {[number, title].filter((one) => one !== null).join(" ")}
    </a>
  );
}

function Asset({ event }: Pick<EventProps, "event">): VNode | null {
  const { asset_id: id, inventory_number: number, asset_name: name } = event;
  if (typeof id !== "string") return null;
  return (
    <a href={`/assets/${id}`} dir="auto">
      {[name, number].filter(Boolean).join(" · ")}
    </a>
  );
}

/** "Location: Roof → Basement". If the field was empty before, shows only the new value. */
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
      <span class="soft">{withColon(toFieldLabel(field))} </span>
      {content}
    </p>
  );
  if (from === undefined)
    return line(to === undefined ? t("changed||an event") : <ins dir="auto">{toText(to)}</ins>);
  // Omits the name of a place that the person can't see. This differs from no value.
  if (to === undefined && hasReference(field))
    return line(tRich("was {value}", { value: <bdi>{toText(from)}</bdi> }));
  return line(
    <>
      <del dir="auto">{toText(from)}</del> <span aria-hidden="true">→</span>{" "}
      <span class="visually-hidden">{t("changed to")} </span>
      {to === undefined ? (
        <span class="soft">{t("empty")}</span>
      ) : (
        <ins dir="auto">{toText(to)}</ins>
      )}
    </>,
  );
}
