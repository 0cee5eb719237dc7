import type { Database, Tx } from "../../server/src/db/database.js";
import type { Caller } from "../../server/src/domain/access/caller.js";
import { setClock } from "../../server/src/domain/access/clock.js";
import type { Member } from "./builders.js";

const hour = 3_600_000;

export type Replay = <Result>(
  at: Date,
  work: (tx: Tx, caller: Caller) => Promise<Result>,
) => Promise<Result>;

/** Lets an owner act in the past, through the domain's functions. */
export function createReplay(db: Database, owner: Member): Replay {
  const caller: Caller = {
    userId: owner.userId,
    userName: owner.name,
    userEmail: owner.email,
    organizationId: owner.organizationId,
    organizationName: owner.organization,
    organizationRole: "owner",
    timeZone: "UTC",
    currency: "USD",
    accessEpoch: 0,
    source: "web",
    requestId: "req_replay",
    baseUrl: "http://localhost:3000",
  };
  return (at, work) =>
    db.transaction(async (tx) => {
      await setClock(tx, at);
      return work(tx, { ...caller, at });
    });
}

/** The moment this many days ago, plus `hours`. */
export function daysAgo(days: number, hours = 0): Date {
  return new Date(Date.now() - days * 24 * hour + hours * hour);
}

/** The day this many days from today, in UTC. */
export function dayFromToday(days: number): string {
  return new Date(Date.now() + days * 24 * hour).toISOString().slice(0, 10);
}
