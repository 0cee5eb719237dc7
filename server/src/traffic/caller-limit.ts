import type { CounterStore } from "./counter-store.js";
import { createTokenBuckets } from "./token-buckets.js";
import { Slots } from "./slots.js";

/** Who calls: limits count a person in an organization, over all their connections. */
export interface CallerKey {
  organizationId: string;
  userId: string;
}

/**
 * Whether a call may go on, and then `leave` ends it. Refused ones are answered in full; a flood of
 * them shortly, before anything is looked at.
 */
export type Admission =
  | { kind: "ok"; leave: () => void }
  | { kind: "refused" | "flood"; reason: "rate" | "concurrency"; seconds: number };

export type CallerLimit = (caller: CallerKey) => Promise<Admission>;

/** 600 calls a minute for a person, and 3,000 for an organization. */
const personRate = { perSecond: 10, burst: 100, refusalsInFull: 100 };
const organizationRate = { perSecond: 50, burst: 500, refusalsInFull: 500 };

/**
 * At the same time, of calls or of pages; then by both together. An organization has half of the
 * database's connections at most, and none of its people all of these.
 */
const maxOfPerson = 4;
const maxOfPersonTogether = 6;
const maxOfOrganization = 8;
/** Requests of a person under way that are no burden to other organizations. */
const maxFew = 2;
const maxWaitMs = 5000;

const admitted: Admission = { kind: "ok", leave: () => undefined };

export const noCallerLimit: CallerLimit = async () => admitted;

type Places = (caller: CallerKey) => ReturnType<Slots["enter"]>;

/**
 * What people and organizations do at the same time, by calls and by pages. While other organizations are
 * there, those of its people who have more than a few under way are served one request at a time, with
 * rests: side by side these would keep all processors busy, of the node and of the database.
 */
export function createPlaces(): Places {
  const people = new Slots({ each: maxOfPersonTogether, maxWaitMs });
  const ofPerson: Places = (caller) => people.enter(toPersonKey(caller));
  const oneByOne = withRests(placesOf(toOrganizationKey, 1));
  const isAmongOthers = createPresence();
  const ofMany: Places = async (caller) => {
    const isAmong = isAmongOthers(caller);
    const hasMany = people.count(toPersonKey(caller)) > maxFew;
    return isAmong && hasMany ? oneByOne(caller) : () => undefined;
  };
  return both(ofPerson, both(ofMany, placesOf(toOrganizationKey, maxOfOrganization)));
}

/**
 * Whether another organization than the one that comes was there within a second. Pages count their person
 * first, in the place of an organization: that is none, and nobody is beside themselves.
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
 * Changes of several records: of an organization one after the other, or of all together, and nobody has
 * two in the queue.
 */
export function createTurns({ together }: { together: boolean }): Places {
  return withRests(
    both(
      placesOf(toPersonKey, 1),
      placesOf(({ organizationId }) => (together ? "" : organizationId), 1),
    ),
  );
}

const maxRestMs = 2000;

/** What is held is then left to others for about as long as it was held. */
function withRests(enter: Places): Places {
  return async (caller) => {
    const leave = await enter(caller);
    const began = performance.now();
    return leave && (() => setTimeout(leave, Math.min(performance.now() - began, maxRestMs)));
  };
}

function placesOf(
  toKey: (caller: CallerKey) => string,
  each: number,
  waitMs: number = maxWaitMs,
): Places {
  const slots = new Slots({ each, maxWaitMs: waitMs });
  return (caller) => slots.enter(toKey(caller));
}

/** So many at the same time of a person and of an organization; one more is refused at once. */
export function createPlacesWithoutWait(ofPerson: number, ofOrganization: number): Places {
  return both(placesOf(toPersonKey, ofPerson, 0), placesOf(toOrganizationKey, ofOrganization, 0));
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
 * Counts the calls of each person and organization over all nodes, by the name of what they ask for.
 * Those at the same time are this node's, because they wait for its connections and its processor.
 */
export function createCallerLimit(
  store: CounterStore,
  name: string,
  places = createPlaces(),
): CallerLimit {
  const takeTokens = createTokenBuckets(store, name, [personRate, organizationRate]);
  const enter = both(placesOf(toPersonKey, maxOfPerson), places);

  return async (caller) => {
    const verdict = await takeTokens([toPersonKey(caller), caller.organizationId]);
    if (verdict.kind !== "ok") return { ...verdict, reason: "rate" };
    const leave = await enter(caller);
    return leave === undefined
      ? { kind: "refused", reason: "concurrency", seconds: 1 }
      : { kind: "ok", leave };
  };
}
