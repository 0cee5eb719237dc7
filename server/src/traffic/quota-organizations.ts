import { LruMap } from "toad-cache";
import type { Tx } from "../db/database.js";
import type { Organization } from "../db/entities/organizations.js";

/**
 * Returns the organization whose limits apply. For a sample, this is its original organization.
 * Each admin may create a sample, and all of them share their organization's limits.
 */
export async function findLimitHome(db: Tx, id: string): Promise<string> {
  const row = await db.maybe<Pick<Organization, "sample_from">>(
    "SELECT sample_from FROM organizations WHERE id = $1",
    [id],
  );
  return row?.sample_from ?? id;
}

const maxRemembered = 20_000;

export type LimitHomeOf = (organizationId: string) => Promise<string>;

/** Cached, because the result never changes. */
export function createQuotaOrganizations(db: Tx): LimitHomeOf {
  const known = new LruMap<string>(maxRemembered);
  return async (id) => {
    const home = known.get(id) ?? (await findLimitHome(db, id));
    known.set(id, home);
    return home;
  };
}
