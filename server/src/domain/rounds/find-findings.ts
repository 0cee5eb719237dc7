import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import type { RoundFinding } from "../../db/entities/rounds.js";
import type { Caller } from "../access/caller.js";
import { changeableAssetSql, visibleAssetSql } from "../access/visibility.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { belongsSql, expectedSql, outcomeSql, type RoundOutcome, type RoundRow } from "./rounds.js";

type AssetPart = Pick<
  Asset,
  "id" | "name" | "inventory_number" | "serial_number" | "state" | "location" | "qr_token"
> & { workspace_name: string | null };

export interface ExpectedAsset extends AssetPart {
  last_seen_at: Date | null;
}

export interface Finding extends Pick<RoundFinding, "found_at"> {
  outcome: RoundOutcome;
  finding_id: string;
  code: string | null;
  asset: AssetPart | null;
  /** Null for missing assets. */
  found_by: string | null;
  belongs: boolean;
  may_change: boolean;
}

/** Maximum per outcome. The export contains all. */
export const maxShown = 100;

const assetPart = `jsonb_build_object('id', a.id, 'name', a.name, 'inventory_number',
  a.inventory_number, 'serial_number', a.serial_number, 'state', a.state, 'location', a.location,
  'qr_token', a.qr_token, 'workspace_name', w.name)`;

/**
 * Returns assets that belong to the round's place and aren't found yet, by location and name, with
 * the total.
 */
export async function findExpected(
  db: Tx,
  caller: Caller,
  { id }: RoundRow,
): Promise<{ assets: ExpectedAsset[]; total: number }> {
  const parameters = createParameters(caller.organizationId, id);
  const from = `FROM rounds r
     JOIN assets a ON a.organization_id = $1 AND ${expectedSql("a", "r")}
       AND ${visibleAssetSql(caller, parameters, "a")}
     JOIN workspaces w ON w.organization_id = $1 AND w.id = a.workspace_id
     WHERE r.organization_id = $1 AND r.id = $2`;
  const assets = await db.query<ExpectedAsset>(
    `SELECT a.id, a.name, a.inventory_number, a.serial_number, a.state, a.location, a.qr_token,
       a.last_seen_at, w.name::text AS workspace_name
     ${from} ORDER BY lower(a.location) NULLS LAST, a.name_key, a.id LIMIT ${maxShown}`,
    parameters.values,
  );
  if (assets.length < maxShown) return { assets, total: assets.length };
  const row = await db.maybe<{ total: number }>(
    `SELECT count(*)::int AS total ${from}`,
    parameters.values,
  );
  return { assets, total: row?.total ?? 0 };
}

const findingColumns = (caller: Caller, parameters: Parameters) =>
  `f.id AS finding_id, ${outcomeSql("f", "a")} AS outcome, f.found_at, f.code, u.name AS found_by,
   CASE WHEN a.id IS NOT NULL THEN ${assetPart} END AS asset,
   coalesce(${belongsSql("a", "r")}, FALSE) AS belongs,
   coalesce(${changeableAssetSql(caller, parameters, "a")}, FALSE) AS may_change`;

const findingJoins = `round_findings f
  JOIN rounds r ON r.organization_id = f.organization_id AND r.id = f.round_id
  LEFT JOIN assets a ON a.organization_id = f.organization_id AND a.id = f.asset_id
  LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
  LEFT JOIN users u ON u.id = f.found_by`;

const isOfRound = (caller: Caller, parameters: Parameters) =>
  `f.organization_id = $1 AND f.round_id = $2
   AND (f.asset_id IS NULL OR ${visibleAssetSql(caller, parameters, "a")})`;

const newestFirst = "f.found_at DESC, lower(a.location), a.name_key, f.id";

/**
 * Returns a round's findings visible to the caller today, newest first, up to the maximum per
 * outcome.
 */
export async function findFindings(
  db: Tx,
  caller: Caller,
  { id }: Pick<RoundRow, "id">,
): Promise<Finding[]> {
  const parameters = createParameters(caller.organizationId, id);
  return db.query(
    `SELECT * FROM (
       SELECT ${findingColumns(caller, parameters)},
         row_number() OVER (PARTITION BY ${outcomeSql("f", "a")} ORDER BY ${newestFirst}) AS place
       FROM ${findingJoins} WHERE ${isOfRound(caller, parameters)}) found
     WHERE found.place <= ${maxShown} ORDER BY found.outcome, found.place`,
    parameters.values,
  );
}

const findingsAtOnce = 500;

/**
 * Yields all findings in that order, in batches. No index has this order, so ids are read first. A
 * round through a large workspace has one finding per asset.
 */
export async function* readFindings(
  db: Tx,
  caller: Caller,
  { id }: Pick<RoundRow, "id">,
): AsyncGenerator<Finding[]> {
  const ids = await findIds(db, caller, id);
  for (let at = 0; at < ids.length; at += findingsAtOnce) {
    const part = ids.slice(at, at + findingsAtOnce);
    const parameters = createParameters(caller.organizationId, id, part);
    yield await db.query(
      `SELECT ${findingColumns(caller, parameters)}
       FROM ${findingJoins} WHERE ${isOfRound(caller, parameters)} AND f.id = ANY ($3::text[])
       ORDER BY array_position($3, f.id)`,
      parameters.values,
    );
  }
}

async function findIds(db: Tx, caller: Caller, id: string): Promise<string[]> {
  const parameters = createParameters(caller.organizationId, id);
  const rows = await db.query<{ id: string }>(
    `SELECT f.id FROM ${findingJoins} WHERE ${isOfRound(caller, parameters)}
     ORDER BY ${outcomeSql("f", "a")}, ${newestFirst}`,
    parameters.values,
  );
  return rows.map((row) => row.id);
}
