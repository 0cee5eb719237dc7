import { LruMap } from "toad-cache";
import type { Actor } from "../domain/access/caller.js";
import { rateLimited } from "./rate-limited.js";
import type { HistoryEvent } from "../domain/history/history-event.js";

/**
 * Bytes that a person may add to an organization per day: two of the largest imports, and a small
 * part of a disk.
 */
const maxPerDay = 2_000_000_000;
/** Measured size of an event without its texts, including rows and indexes of its subject. */
const eachEvent = 5000;
/** Measured size of a byte of text with the word indexes, for words never used before. */
const eachByte = 8;
/** Size of a change set's row without its texts. */
export const eachRow = 300;
const dayMs = 86_400_000;
const maxPeople = 20_000;

type Writer = Pick<Actor, "organizationId" | "userId">;

/** Bytes that each person added in the last day, decaying evenly. In the node's memory. */
const written = new LruMap<{ amount: number; at: number }>(maxPeople);

/** Counts events before they are stored. */
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

/** Counts data without a history. */
export function countAmount(actor: Writer, amount: number): void {
  written.set(toKey(actor), { amount: presentOf(actor) + amount, at: Date.now() });
}

/** For work that continues in any case but can skip optional data. */
export function hasRoomToWrite(actor: Writer): boolean {
  return presentOf(actor) <= maxPerDay;
}

/**
 * Throws if the person has added too much. Don't call it for running imports, undos, and changes
 * that end a person's access. An app's writes in a person's name must not block them.
 */
export function checkWriteQuota(actor: Writer): void {
  const tooMuch = presentOf(actor) - maxPerDay;
  if (actor.userId === null || tooMuch <= 0) return;
  throw rateLimited("written", (tooMuch / maxPerDay) * dayMs);
}

function presentOf(actor: Writer): number {
  const now = Date.now();
  const kept = written.get(toKey(actor)) ?? { amount: 0, at: now };
  // If the clock was set back, the decay restarts.
  kept.at = Math.min(kept.at, now);
  return Math.max(0, kept.amount - ((now - kept.at) / dayMs) * maxPerDay);
}

function toKey({ organizationId, userId }: Writer): string {
  return `${organizationId} ${userId ?? ""}`;
}
