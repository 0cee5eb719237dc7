import type { Tx } from "../../db/database.js";
import { findingOutcomes, Round, RoundFinding } from "../../db/entities/rounds.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { nowOf } from "../access/clock.js";
import { findRightsIn, requireRoleIn } from "../access/roles.js";
import { visibleAssetSql, visibleWorkspaceSql } from "../access/visibility.js";
import { getWorkspace } from "../shared/workspace-references.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { createId, idKindOf } from "../shared/ids.js";
import { cleanText } from "../shared/text.js";

export interface NewRound {
  workspace_id: string;
  /** Defaults to the whole workspace. */
  location?: string | undefined;
}

export const roundOutcomes = [...findingOutcomes, "retired"] as const;
export type RoundOutcome = (typeof roundOutcomes)[number];

/**
 * A round, visible to everyone who sees its workspace. Owners and admins also see rounds of deleted
 * workspaces.
 */
export interface RoundRow
  extends
    Pick<Round, "id" | "workspace_id" | "location" | "started_at" | "ended_at">,
    Record<RoundOutcome, number> {
  workspace_name: string;
  started_by: string;
  ended_by: string | null;
}

export async function startRound(
  tx: Tx,
  caller: Caller,
  { workspace_id, location }: NewRound,
): Promise<{ id: string }> {
  const workspace = await getWorkspace(tx, caller, workspace_id, "workspace_id", { lock: true });
  await requireRoleIn(tx, caller, workspace, "member", "do rounds");
  const id = createId("round");
  const { organizationId: organization_id, userId: started_by } = caller;
  await tx.insert(Round, {
    organization_id,
    id,
    workspace_id: workspace.id,
    started_by,
    location: location === undefined ? null : cleanText(location, { field: "location", max: 200 }),
  });
  if (location !== undefined) await requireSomething(tx, caller, id);
  return { id };
}

/**
 * Throws if no asset has this location. With a misspelled location, everything would belong
 * elsewhere.
 */
async function requireSomething(tx: Tx, caller: Caller, id: string): Promise<void> {
  const rows = await tx.query(
    `SELECT 1 FROM rounds r JOIN assets a ON a.organization_id = $1 AND ${belongsSql("a", "r")}
     WHERE r.organization_id = $1 AND r.id = $2 LIMIT 1`,
    [caller.organizationId, id],
  );
  if (rows.length > 0) return;
  throw new AppError("validation_failed", "nothing_at_location", { field: "location" });
}

const rowsOnPage = 10;

/** Returns the newest rounds visible to the caller, or those before another round. */
export async function listRounds(
  db: Tx,
  caller: Caller,
  before?: string,
): Promise<{ rounds: RoundRow[]; next: string | undefined }> {
  const parameters = createParameters(caller.organizationId);
  const older =
    before === undefined
      ? ""
      : `AND (r.started_at, r.id) < (SELECT p.started_at, p.id FROM rounds p
          WHERE p.organization_id = $1 AND p.id = ${parameters.add(before)}
            AND ${visibleWorkspaceSql(caller, parameters, "p.workspace_id")})`;
  const rounds = await findRounds(
    db,
    caller,
    parameters,
    `${older} ORDER BY r.started_at DESC, r.id DESC LIMIT ${rowsOnPage + 1}`,
  );
  const shown = rounds.slice(0, rowsOnPage);
  return { rounds: shown, next: rounds.length > rowsOnPage ? shown.at(-1)?.id : undefined };
}

export async function getRound(db: Tx, caller: Caller, id: string): Promise<RoundRow> {
  const parameters = createParameters(caller.organizationId);
  const [found] =
    idKindOf(id) === "round"
      ? await findRounds(db, caller, parameters, `AND r.id = ${parameters.add(id)}`)
      : [];
  if (found === undefined) throw new AppError("not_found", "round_not_found");
  return found;
}

/** Counts assets visible to the caller today, wherever they were then. */
function findRounds(
  db: Tx,
  caller: Caller,
  parameters: Parameters,
  rest: string,
): Promise<RoundRow[]> {
  const visible = visibleWorkspaceSql(caller, parameters, "r.workspace_id");
  const count = (outcome: string) =>
    `count(*) FILTER (WHERE ${outcomeSql("f", "a")} = '${outcome}')::int AS ${outcome}`;
  return db.query(
    `SELECT r.id, r.workspace_id, r.location, r.started_at, r.ended_at,
       coalesce(w.name::text, r.workspace_name) AS workspace_name, starter.name AS started_by, ender.name AS ended_by,
       found.*
     FROM rounds r
     LEFT JOIN workspaces w ON w.organization_id = r.organization_id AND w.id = r.workspace_id
     JOIN users starter ON starter.id = r.started_by
     LEFT JOIN users ender ON ender.id = r.ended_by,
     LATERAL (SELECT ${roundOutcomes.map(count).join(", ")}
       FROM round_findings f
       LEFT JOIN assets a ON a.organization_id = f.organization_id AND a.id = f.asset_id
       WHERE f.organization_id = r.organization_id AND f.round_id = r.id
         AND (f.asset_id IS NULL OR ${visibleAssetSql(caller, parameters, "a")})) found
     WHERE r.organization_id = $1 AND ${visible} ${rest}`,
    parameters.values,
  );
}

export async function mayDoRound(
  db: Tx,
  caller: Caller,
  { workspace_id: id, workspace_name: name }: RoundRow,
): Promise<boolean> {
  return id !== null && (await findRightsIn(db, caller, { id, name })).member;
}

export type LockedRound = Pick<Round, "id" | "location" | "started_at" | "ended_at"> & {
  workspace_id: string;
};

/**
 * Locks a round that the caller may scan in. Scans and the end of the round wait for each other.
 * Throws not_found for rounds of deleted workspaces.
 */
export async function lockRound(tx: Tx, caller: Caller, id: string): Promise<LockedRound> {
  const parameters = createParameters(caller.organizationId, id);
  const visible = visibleWorkspaceSql(caller, parameters, "r.workspace_id");
  const rows: (LockedRound & Pick<RoundRow, "workspace_name">)[] =
    idKindOf(id) === "round"
      ? await tx.query(
          `SELECT r.id, r.workspace_id, r.location, r.started_at, r.ended_at,
             w.name::text AS workspace_name
           FROM rounds r
           JOIN workspaces w ON w.organization_id = r.organization_id AND w.id = r.workspace_id
           WHERE r.organization_id = $1 AND r.id = $2 AND ${visible} FOR NO KEY UPDATE OF r`,
          parameters.values,
        )
      : [];
  const [locked] = rows;
  if (locked === undefined) throw new AppError("not_found", "round_not_found");
  const place = { id: locked.workspace_id, name: locked.workspace_name };
  await requireRoleIn(tx, caller, place, "member", "do rounds");
  return locked;
}

/** Ends a round, once. Expected assets become missing. */
export async function endRound(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { ended_at } = await lockRound(tx, caller, id);
  if (ended_at !== null) return;
  await refuseTooManyMissing(tx, caller);
  await tx.query(
    `INSERT INTO round_findings (organization_id, round_id, id, outcome, asset_id, found_at)
     SELECT $1, r.id, a.id, 'missing', a.id, app_now()
     FROM rounds r JOIN assets a ON a.organization_id = $1 AND ${expectedSql("a", "r")}
     WHERE r.organization_id = $1 AND r.id = $2`,
    [caller.organizationId, id],
  );
  await tx.query(
    `UPDATE rounds SET ended_at = app_now(), ended_by = $3
     WHERE organization_id = $1 AND id = $2`,
    [caller.organizationId, id, caller.userId],
  );
}

/** Later, the result is evidence. */
const reopenableMs = 24 * 60 * 60_000;

export function isReopenable(caller: Caller, { ended_at }: Pick<RoundRow, "ended_at">): boolean {
  return ended_at !== null && nowOf(caller).getTime() - ended_at.getTime() < reopenableMs;
}

/** Missing assets become expected again. Returns false if the round ended too long ago. */
export async function reopenRound(tx: Tx, caller: Caller, id: string): Promise<boolean> {
  const round = await lockRound(tx, caller, id);
  if (round.ended_at === null) return true;
  if (!isReopenable(caller, round)) return false;
  const { organizationId: organization_id } = caller;
  await tx.delete(RoundFinding, { organization_id, round_id: id, outcome: "missing" });
  await tx.update(Round, { organization_id, id }, { ended_at: null, ended_by: null });
  return true;
}

/**
 * Daily limit of missing assets in an organization's rounds: this many times all its assets, plus a
 * fixed number.
 */
const roundsADay = 10;
const missingADay = 10_000;

/**
 * Ending a round stores a row for every missing asset, so rounds without scans would fill the disk.
 */
async function refuseTooManyMissing(tx: Tx, { organizationId }: Caller): Promise<void> {
  const rows = await tx.query(
    `SELECT 1 FROM rounds r JOIN round_findings f
       ON f.organization_id = $1 AND f.round_id = r.id AND f.outcome = 'missing'
     WHERE r.organization_id = $1 AND r.ended_at > app_now() - interval '1 day'
     OFFSET (SELECT ${roundsADay} * count(*) + ${missingADay} FROM assets
       WHERE organization_id = $1 AND state <> 'deleted') LIMIT 1`,
    [organizationId],
  );
  if (rows.length > 0) throw new AppError("validation_failed", "too_many_missing");
}

/**
 * SQL condition: the asset belongs to the round's place and isn't found yet. Both arguments are
 * aliases.
 */
export function expectedSql(asset: string, round: string): string {
  return `${asset}.state <> 'deleted' AND ${belongsSql(asset, round)}
    AND NOT EXISTS (SELECT 1 FROM round_findings known WHERE known.organization_id = $1
      AND known.round_id = ${round}.id AND known.asset_id = ${asset}.id)`;
}

/** A retired asset is stored as elsewhere, and shown as retired while it is retired. */
export function outcomeSql(finding: string, asset: string): string {
  return `CASE WHEN ${finding}.outcome = 'elsewhere' AND ${asset}.state = 'deleted'
    THEN 'retired' ELSE ${finding}.outcome END`;
}

export function belongsSql(asset: string, round: string): string {
  return `(${asset}.workspace_id = ${round}.workspace_id
    AND (${round}.location IS NULL OR lower(${asset}.location) = lower(${round}.location)))`;
}
