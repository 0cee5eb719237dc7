import { LruMap } from "toad-cache";
import type { LimitHomeOf } from "./limit-homes.js";
import { Slots } from "./slots.js";
import { maxKeysInMemory } from "./counter-store.js";
import { AppError } from "../errors.js";
import { slots } from "./bounds.js";

/** Whether who is known may go on, asked on the server's own connections before anything counts them. */
export interface LookUps {
  /** However many requests one sends at once, they wait for each other, and no others behind them. */
  lookUpInTurn: <Result>(who: string, lookUp: () => Promise<Result>) => Promise<Result>;
  /**
   * The same for who is signed in. Many people of one organization are together no more than one who
   * sends as much: they wait in its line from when they were seen in it.
   */
  lookUpForPerson: <Result>(userId: string, lookUp: () => Promise<Result>) => Promise<Result>;
  /** In which organization someone acts. */
  noteOrganization: (userId: string, organizationId: string) => Promise<void>;
}

export function createLookUps(limitHomeOf: LimitHomeOf): LookUps {
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
      organizations.set(userId, await limitHomeOf(organizationId));
    },
  };
}
