import type { CounterStore } from "./counter-store.js";
import { createTokenBuckets } from "./token-buckets.js";
import { Slots } from "./slots.js";
import { buckets, fewOfPerson, slots, type SlotBound } from "./bounds.js";

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

const admitted: Admission = { kind: "ok", leave: () => undefined };

export const noCallerLimit: CallerLimit = async () => admitted;

type Places = (caller: CallerKey) => ReturnType<Slots["enter"]>;

/**
 * What people and organizations do at the same time, by calls and by pages. While other organizations are
 * there, those of its people who have more than a few under way are served one request at a time, with
 * rests: side by side these would keep all processors busy, of the node and of the database.
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
      placesOf(toPersonKey, slots.changesOfSeveral),
      placesOf(({ organizationId }) => (together ? "" : organizationId), slots.changesOfSeveral),
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

function placesOf(toKey: (caller: CallerKey) => string, { most, waitMs }: SlotBound): Places {
  const places = new Slots({ each: most, maxWaitMs: waitMs });
  return (caller) => places.enter(toKey(caller));
}

/** For calls that wait for an answer of their person; one more is refused at once. */
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
 * Counts the calls of each person and organization over all nodes, by the name of what they ask for.
 * Those at the same time are this node's, because they wait for its connections and its processor.
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
