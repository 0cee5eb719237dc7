import { LruMap } from "toad-cache";
import type { LimitHomeOf } from "./quota-organizations.js";
import { Slots } from "./slots.js";
import { maxKeysInMemory } from "./counter-store.js";
import { AppError } from "../errors.js";
import { slots } from "./bounds.js";

/** Lookups of known callers on the server's own connections, before any limit counts them. */
export interface LookUps {
  /**
   * Queues lookups per key. Many requests with one key wait for each other, not in front of others.
   */
  lookUpInTurn: <Result>(who: string, lookUp: () => Promise<Result>) => Promise<Result>;
  /**
   * For signed-in people. Once seen in an organization, people share its queue. Together they get
   * no more than one person who sends as much.
   */
  lookUpForPerson: <Result>(userId: string, lookUp: () => Promise<Result>) => Promise<Result>;
  noteOrganization: (userId: string, organizationId: string) => Promise<void>;
}

export function createLookUps(quotaOrganizationOf: LimitHomeOf): LookUps {
  const places = new Slots({ total: slots.lookUps.most, maxWaitMs: slots.lookUps.waitMs });
  const organizations = new LruMap<string>(maxKeysInMemory);
  const lookUpInTurn: LookUps["lookUpInTurn"] = async (who, lookUp) => {
    const leave = await places.enter(who);
    if (leave === undefined) throw new AppError("unavailable", "too_slow");
    return lookUp().finally(leave);
  };
  return {
    lookUpInTurn,
    lookUpForPerson: async (userId, lookUp) =>
      lookUpInTurn(organizations.get(userId) ?? userId, lookUp),
    noteOrganization: async (userId, organizationId) => {
      organizations.set(userId, await quotaOrganizationOf(organizationId));
    },
  };
}
