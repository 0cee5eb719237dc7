import type { CounterStore } from "./counter-store.js";
import { createTokenBuckets } from "./token-buckets.js";
import { Slots } from "./slots.js";
import { buckets, fewOfPerson, slots, type SlotBound } from "./bounds.js";

/** Rate-limit key: a person in an organization, over all their connections. */
export interface CallerKey {
  organizationId: string;
  userId: string;
}

/**
 * Admits or refuses a call. Call `leave` when an admitted call ends. Refused calls get a full
 * response. A flood gets a short one, before any processing.
 */
export type Admission =
  | { kind: "ok"; leave: () => void }
  | { kind: "refused" | "flood"; reason: "rate" | "concurrency"; seconds: number };

export type CallerLimit = (caller: CallerKey) => Promise<Admission>;

const admitted: Admission = { kind: "ok", leave: () => undefined };

export const noCallerLimit: CallerLimit = async () => admitted;

type Places = (caller: CallerKey) => ReturnType<Slots["enter"]>;

/**
 * Concurrency limits for calls and pages of people and organizations. While other organizations are
 * active, people with more than a few running requests are served one request at a time, with
 * rests. In parallel, these requests would occupy all processors of the node and the database.
 */
export function createPlaces(): Places {
  const { most: each, waitMs: maxWaitMs } = slots.requestsOfPerson;
  const people = new Slots({ each, maxWaitMs });
  const ofPerson: Places = (caller) => people.enter(toPersonKey(caller));
  const oneByOne = withRests(placesOf(toOrganizationKey, slots.requestsOfBusy));
  const isAmongOthers = createPresence();
  const ofMany: Places = async (caller) => {
    const isAmong = isAmongOthers(caller);
    const hasMany = people.count(toPersonKey(caller)) > fewOfPerson;
    return isAmong && hasMany ? oneByOne(caller) : () => undefined;
  };
  return both(ofPerson, both(ofMany, placesOf(toOrganizationKey, slots.requestsOfOrganization)));
}

/**
 * Returns true if another organization was active within the last second. Pages first count their
 * person in place of an organization. Such callers aren't organizations and aren't recorded.
 */
function createPresence(): (caller: CallerKey) => boolean {
  let latest = { organizationId: "", at: -Infinity };
  let other = latest;
  return ({ organizationId, userId }) => {
    const at = performance.now();
    if (organizationId !== userId) {
      if (latest.organizationId !== organizationId) other = latest;
      latest = { organizationId, at };
    }
    return at - other.at < 1000;
  };
}

/**
 * Slots for changes of several records: one at a time per organization, or one overall if
 * `together`. A person has at most one in the queue.
 */
export function createTurns({ together }: { together: boolean }): Places {
  return withRests(
    both(
      placesOf(toPersonKey, slots.changesOfSeveral),
      placesOf(({ organizationId }) => (together ? "" : organizationId), slots.changesOfSeveral),
    ),
  );
}

const maxRestMs = 2000;

/** Delays the release of a slot by about the time it was held, to leave resources to others. */
function withRests(enter: Places): Places {
  return async (caller) => {
    const leave = await enter(caller);
    const began = performance.now();
    return leave && (() => setTimeout(leave, Math.min(performance.now() - began, maxRestMs)));
  };
}

function placesOf(toKey: (caller: CallerKey) => string, { most, waitMs }: SlotBound): Places {
  const places = new Slots({ each: most, maxWaitMs: waitMs });
  return (caller) => places.enter(toKey(caller));
}

/** For calls that wait for their person's answer. Excess calls are refused immediately. */
export function createQuestionPlaces(): Places {
  return both(
    placesOf(toPersonKey, slots.questionsOfPerson),
    placesOf(toOrganizationKey, slots.questionsOfOrganization),
  );
}

function both(first: Places, second: Places): Places {
  return async (caller) => {
    const leaveFirst = await first(caller);
    if (leaveFirst === undefined) return undefined;
    const leaveSecond = await second(caller);
    if (leaveSecond === undefined) {
      leaveFirst();
      return undefined;
    }
    return () => {
      leaveSecond();
      leaveFirst();
    };
  };
}

function toOrganizationKey({ organizationId }: CallerKey): string {
  return organizationId;
}

export function toPersonKey({ organizationId, userId }: CallerKey): string {
  return `${organizationId} ${userId}`;
}

/**
 * Counts the calls of each person and organization over all nodes, by name. Concurrency is limited
 * per node, because calls wait for the node's connections and processor.
 */
export function createCallerLimit(
  store: CounterStore,
  name: string,
  places = createPlaces(),
): CallerLimit {
  const takeTokens = createTokenBuckets(store, name, [buckets.person, buckets.organization]);
  const enter = both(placesOf(toPersonKey, slots.callsOfPerson), places);

  return async (caller) => {
    const verdict = await takeTokens([toPersonKey(caller), caller.organizationId]);
    if (verdict.kind !== "ok") return { ...verdict, reason: "rate" };
    const leave = await enter(caller);
    return leave === undefined
      ? { kind: "refused", reason: "concurrency", seconds: 1 }
      : { kind: "ok", leave };
  };
}
