import { createConcurrencyLimit, type ConcurrencyLimit } from "./concurrency-limit.js";
import type { CounterStore } from "./counter-store.js";
import { createTokenBuckets } from "./token-buckets.js";

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

/** At the same time; an organization has half of the database's connections at most. */
const maxOfPerson = 4;
const maxOfOrganization = 8;
const maxWaitMs = 5000;

const admitted: Admission = { kind: "ok", leave: () => undefined };

export const noCallerLimit: CallerLimit = async () => admitted;

/** What organizations do at the same time, by calls and by pages. */
export function createOrganizationPlaces(): ConcurrencyLimit {
  return createConcurrencyLimit(maxOfOrganization, maxWaitMs);
}

/**
 * Counts the calls of each person and organization over all nodes, by the name of what they ask for.
 * Those at the same time are this node's, because they wait for its connections and its processor.
 */
export function createCallerLimit(
  store: CounterStore,
  name: string,
  organizationsAtOnce = createOrganizationPlaces(),
): CallerLimit {
  const takeTokens = createTokenBuckets(store, name, [personRate, organizationRate]);
  const peopleAtOnce = createConcurrencyLimit(maxOfPerson, maxWaitMs);

  return async ({ organizationId, userId }) => {
    const person = `${organizationId} ${userId}`;
    const verdict = await takeTokens([person, organizationId]);
    if (verdict.kind !== "ok") return { ...verdict, reason: "rate" };
    const leavePerson = await peopleAtOnce(person);
    if (leavePerson === undefined) return { kind: "refused", reason: "concurrency", seconds: 1 };
    const leaveOrganization = await organizationsAtOnce(organizationId);
    if (leaveOrganization === undefined) {
      leavePerson();
      return { kind: "refused", reason: "concurrency", seconds: 1 };
    }
    return {
      kind: "ok",
      leave: () => {
        leaveOrganization();
        leavePerson();
      },
    };
  };
}
