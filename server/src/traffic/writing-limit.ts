import { LruMap } from "toad-cache";
import type { Actor } from "../domain/access/caller.js";
import { tooMany } from "./too-many.js";
import type { HistoryEvent } from "../domain/history/history-event.js";

/** Bytes that one person may add to an organization within a day: two of the largest imports, and little of a disk. */
const maxPerDay = 2_000_000_000;
/** What each event takes beside its texts, with the rows and indexes of what it is about, as measured. */
const eachEvent = 5000;
/** What a byte of a text takes with the indexes of words: measured with words that nobody used before. */
const eachByte = 8;
/** What a row of a change set takes beside its texts. */
export const eachRow = 300;
const dayMs = 86_400_000;
const maxPeople = 20_000;

type Writer = Pick<Actor, "organizationId" | "userId">;

/** What somebody has added, as far as it is not a day old: it runs off evenly. In the memory of a node. */
const written = new LruMap<{ amount: number; at: number }>(maxPeople);

/** Counts what is about to be stored. */
export function countWritten(actor: Actor, events: readonly HistoryEvent[]): void {
  const texts = events.map(({ changes, before, note, entered }) => [
    changes,
    before,
    note,
    entered,
  ]);
  const bytes = Buffer.byteLength(JSON.stringify(texts));
  countAmount(actor, eachByte * bytes + eachEvent * events.length);
}

/** The same for what stays without a history. */
export function countAmount(actor: Writer, amount: number): void {
  written.set(toKey(actor), { amount: presentOf(actor) + amount, at: Date.now() });
}

/** For what somebody goes on with in any case, but needs to leave nothing beside. */
export function hasRoomToWrite(actor: Writer): boolean {
  return presentOf(actor) <= maxPerDay;
}

/**
 * Refuses who has added too much. What goes on in any case: imports under way, what takes changes back, and what ends
 * somebody's access. None of them may be stopped by what an app has written in the name of who does it.
 */
export function requireRoomToWrite(actor: Writer): void {
  const tooMuch = presentOf(actor) - maxPerDay;
  if (actor.userId === null || tooMuch <= 0) return;
  throw tooMany("written", (tooMuch / maxPerDay) * dayMs);
}

function presentOf(actor: Writer): number {
  const now = Date.now();
  const kept = written.get(toKey(actor)) ?? { amount: 0, at: now };
  // It begins to run off anew where the clock was set back.
  kept.at = Math.min(kept.at, now);
  return Math.max(0, kept.amount - ((now - kept.at) / dayMs) * maxPerDay);
}

function toKey({ organizationId, userId }: Writer): string {
  return `${organizationId} ${userId ?? ""}`;
}
