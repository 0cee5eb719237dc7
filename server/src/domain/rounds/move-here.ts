import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { updateAsset } from "../assets/asset-updates.js";
import { changeAll } from "../history/change-all.js";
import { lockAssets } from "../shared/asset-references.js";
import { lockMembers } from "../../db/locks.js";
import { findFindings, type Finding } from "./find-findings.js";
import { lockRound } from "./rounds.js";

/** Moves assets found in a round to the round's place. */
export async function moveHere(
  tx: Tx,
  caller: Caller,
  roundId: string,
  assetIds: readonly string[],
): Promise<Finding[]> {
  // Before any lock, because a removal holds its lock while it waits for assets.
  await lockMembers(tx, caller.organizationId);
  const { id, workspace_id, location } = await lockRound(tx, caller, roundId);
  const found = await findFindings(tx, caller, { id });
  const moved = found.filter(
    ({ outcome, asset, belongs }) =>
      (outcome === "elsewhere" || outcome === "retired") &&
      !belongs &&
      asset !== null &&
      assetIds.includes(asset.id),
  );
  await lockAssets(tx, caller, { assets: moved.map(idOf) });
  const items = { field: "ids", items: moved, nameOf: ({ asset }: Finding) => asset?.name ?? "" };
  await changeAll(tx, caller, items, (finding) =>
    updateAsset(tx, caller, idOf(finding), {
      workspace_id,
      // The old location doesn't apply to the new place. The history retains it.
      ...(location === null ? { clear_fields: ["location"] } : { location }),
    }),
  );
  return moved;
}

const idOf = ({ asset }: Finding) => asset?.id ?? "";
