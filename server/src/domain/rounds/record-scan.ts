import type { Tx } from "../../db/database.js";
import type { FindingOutcome, RoundFinding } from "../../db/entities/rounds.js";
import type { Caller } from "../access/caller.js";
import { AppError } from "../../errors.js";
import { momentOf } from "../access/clock.js";
import { findRightsIn, workspaceRefOf } from "../access/roles.js";
import { findScannedAssets, markAssetSeen, type ScannedAsset } from "../assets/asset-sightings.js";
import { countAmount, checkWriteQuota } from "../../traffic/write-quota.js";
import { cleanText } from "../shared/text.js";
import { lockRound, type LockedRound } from "./rounds.js";

export interface Scan {
  /** Created by the client. A scan sent twice counts once. */
  id: string;
  /** The text of a label, an inventory number or a serial number. */
  code: string;
  /** By the client's clock, which may be wrong. */
  secondsAgo?: number | undefined;
}

export interface RecordedScan {
  outcome: Exclude<FindingOutcome, "missing">;
  asset: ScannedAsset | undefined;
  isKnown: boolean;
}

export const maxCode = 200;

/** Size of a scan in bytes, without its code. */
const eachScan = 1000;

/**
 * Records a scan, also after the round's end. Marks the asset as seen if it isn't retired and the
 * caller may change it.
 */
export async function recordScan(
  tx: Tx,
  caller: Caller,
  roundId: string,
  { id, code: given, secondsAgo = 0 }: Scan,
): Promise<RecordedScan> {
  const code = cleanText(given, { field: "code", max: maxCode });
  checkWriteQuota(caller);
  const round = await lockRound(tx, caller, roundId);
  const asset = await findScanned(tx, caller, round, code);
  const outcome = asset === undefined ? "unknown" : belongs(asset, round) ? "seen" : "elsewhere";
  const found_at = await toMoment(tx, round, secondsAgo);
  await requireSameScan(tx, caller, round, { id, assetId: asset?.id, code });
  if (asset === undefined) await requireRoom(tx, caller, round, code);
  else await forget(tx, caller, round, { assetId: asset.id, code });
  const isNew = await insert(tx, caller, {
    round_id: round.id,
    id,
    outcome,
    found_at,
    ...(asset === undefined ? { asset_id: null, code } : { asset_id: asset.id, code: null }),
  });
  if (isNew) countAmount(caller, eachScan + Buffer.byteLength(code));
  if (isNew && asset !== undefined && asset.state !== "deleted") {
    const { member } = await findRightsIn(tx, caller, workspaceRefOf(asset));
    if (member) await markAssetSeen(tx, caller, asset.id, found_at);
  }
  return { outcome, asset, isKnown: !isNew };
}

type Place = Omit<LockedRound, "ended_at">;

/** If several assets have the serial number, prefers the one expected here. */
async function findScanned(
  tx: Tx,
  caller: Caller,
  round: Place,
  code: string,
): Promise<ScannedAsset | undefined> {
  const assets = await findScannedAssets(tx, caller, code);
  return assets.find((asset) => belongs(asset, round)) ?? assets[0];
}

function belongs({ state, workspace_id, location }: ScannedAsset, round: Place): boolean {
  return (
    state !== "deleted" &&
    workspace_id === round.workspace_id &&
    (round.location === null || location?.toLowerCase() === round.location.toLowerCase())
  );
}

/** Clamps the time between the round's start and now, because the client's clock may be wrong. */
async function toMoment(tx: Tx, round: Place, secondsAgo: number): Promise<Date> {
  const now = await momentOf(tx);
  const at = now.getTime() - Math.max(0, secondsAgo) * 1000;
  return new Date(Math.min(now.getTime(), Math.max(at, round.started_at.getTime())));
}

const maxUnknown = 2000;

async function requireRoom(
  tx: Tx,
  { organizationId }: Caller,
  { id }: Place,
  code: string,
): Promise<void> {
  const rows = await tx.query(
    `SELECT 1 FROM round_findings f WHERE f.organization_id = $1 AND f.round_id = $2
       AND f.outcome = 'unknown' AND f.code <> $3 OFFSET ${maxUnknown - 1} LIMIT 1`,
    [organizationId, id, code],
  );
  if (rows.length > 0)
    throw new AppError("validation_failed", "too_many_unknown", { max: maxUnknown });
}

/**
 * Throws if the scan id was used for another code. The scan would count as a duplicate and be lost.
 */
async function requireSameScan(
  tx: Tx,
  { organizationId }: Caller,
  round: Place,
  { id, assetId, code }: { id: string; assetId: string | undefined; code: string },
): Promise<void> {
  const others = await tx.query(
    `SELECT 1 FROM round_findings f WHERE f.organization_id = $1 AND f.round_id = $2 AND f.id = $3
       AND f.asset_id IS DISTINCT FROM $4 AND f.code IS DISTINCT FROM $5`,
    [organizationId, round.id, id, assetId ?? null, code],
  );
  if (others.length > 0) throw new AppError("validation_failed", "scan_of_other_code");
}

/**
 * Deletes the asset's "missing" finding and the code's "unknown" finding. The asset may have been
 * added since.
 */
async function forget(
  tx: Tx,
  { organizationId }: Caller,
  { id }: Place,
  { assetId, code }: { assetId: string; code: string },
): Promise<void> {
  await tx.query(
    `DELETE FROM round_findings f WHERE f.organization_id = $1 AND f.round_id = $2
       AND ((f.asset_id = $3 AND f.outcome = 'missing') OR f.code = $4)`,
    [organizationId, id, assetId, code],
  );
}

async function insert(
  tx: Tx,
  { organizationId, userId }: Caller,
  finding: Omit<RoundFinding, "organization_id" | "found_by">,
): Promise<boolean> {
  const { round_id, id, outcome, asset_id, code, found_at } = finding;
  const added = await tx.query(
    `INSERT INTO round_findings
       (organization_id, round_id, id, outcome, asset_id, code, found_by, found_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT DO NOTHING RETURNING id`,
    [organizationId, round_id, id, outcome, asset_id, code, userId, found_at],
  );
  return added.length > 0;
}
