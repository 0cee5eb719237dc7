import { LruMap } from "toad-cache";
import type { Tx } from "../db/database.js";
import type { Organization } from "../db/entities/organizations.js";

/**
 * In whose limits an organization counts: a sample in those of the one that it was made from. Each admin
 * may make one, and all of them together get no more than their organization has.
 */
export async function findLimitHome(db: Tx, id: string): Promise<string> {
  const row = await db.maybe<Pick<Organization, "sample_from">>(
    "SELECT sample_from FROM organizations WHERE id = $1",
    [id],
  );
  return row?.sample_from ?? id;
}

const maxRemembered = 20_000;

/** In the limits of which organization one counts. */
export type LimitHomeOf = (organizationId: string) => Promise<string>;

/** The same, remembered: it never changes. */
export function createLimitHomes(db: Tx): LimitHomeOf {
  const known = new LruMap<string>(maxRemembered);
  return async (id) => {
    const home = known.get(id) ?? (await findLimitHome(db, id));
    known.set(id, home);
    return home;
  };
}
