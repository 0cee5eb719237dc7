import type { Database } from "../../server/src/db/database.js";
import { createAsset, type NewAsset } from "../../server/src/domain/assets/create-asset.js";
import { createWorkspace } from "../../server/src/domain/organizations/workspaces.js";
import { aMember, aTask, toCaller } from "./builders.js";
import { createReplay, daysAgo } from "./replay.js";

/** The owner of a new organization, with helpers that act as this person. */
export async function anOrganizationIn(db: Database) {
  const member = await aMember(db, { role: "owner" });
  const caller = toCaller(member, "owner");
  const replay = createReplay(db, member);
  return {
    member,
    caller,
    /** Creates an asset this many days ago, 30 by default. */
    anAsset: async (name: string, fields: Partial<NewAsset> = {}, age = 30) => {
      const made = await replay(daysAgo(age), (tx, then) =>
        createAsset(tx, then, { name, ...fields }),
      );
      return made.asset.id;
    },
    aTask: async (assetId: string | null, given: Parameters<typeof aTask>[2] = {}) =>
      (await aTask(db, member, { asset_id: assetId, ...given })).id,
    aPlace: async (name: string) =>
      (await db.transaction((tx) => createWorkspace(tx, caller, { name }))).workspace.id,
    retire: (assetId: string) =>
      db.query(
        `UPDATE assets SET state = 'deleted', deleted_at = now(), deletion_reason = 'scrapped',
           state_before_deletion = 'available' WHERE id = $1`,
        [assetId],
      ),
  };
}

export type Organization = Awaited<ReturnType<typeof anOrganizationIn>>;

/** Completed corrective work this many days ago, which counts as a failure. */
export const repaired = (days: number) => ({
  type: "corrective",
  state: "completed",
  completed_at: daysAgo(days).toISOString(),
});
