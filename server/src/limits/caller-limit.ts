import { createConcurrencyLimit } from "./concurrency-limit.js";
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

/** Calls at the same time; an organization has half of the database's connections at most. */
const maxOfPerson = 4;
const maxOfOrganization = 8;
const maxWaitMs = 5000;

const admitted: Admission = { kind: "ok", leave: () => undefined };

/** Counts the calls of each person and organization, in memory. */
export function createCallerLimit(enabled: boolean): CallerLimit {
  if (!enabled) return async () => admitted;
  const people = createTokenBuckets(personRate);
  const organizations = createTokenBuckets(organizationRate);
  const peopleAtOnce = createConcurrencyLimit(maxOfPerson, maxWaitMs);
  const organizationsAtOnce = createConcurrencyLimit(maxOfOrganization, maxWaitMs);

  return async ({ organizationId, userId }) => {
    const person = `${organizationId} ${userId}`;
    for (const verdict of [people(person), organizations(organizationId)]) {
      if (verdict.kind !== "ok") return { ...verdict, reason: "rate" };
    }
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
