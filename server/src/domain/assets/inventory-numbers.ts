import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import { AppError } from "../../errors.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { violates } from "../../db/query-errors.js";
import { idKindOf } from "../shared/ids.js";
import { createParameters } from "../../db/parameters.js";
import type { NumberFor, NumberHolder } from "../shared/refusals.js";
import { cleanText } from "../shared/text.js";
import { visibleAssetSql, visibleEventSql } from "../access/visibility.js";

/** Cleans a number chosen by a person. Throws if it looks like one of our ids. */
export function cleanInventoryNumber(value: string, whose: NumberFor): string {
  const number = cleanText(value, { field: "inventory_number", max: 64 });
  if (idKindOf(number) === undefined) return number;
  const details = { field: "inventory_number", number, whose };
  throw new AppError("validation_failed", "number_like_id", details);
}

/**
 * Runs a change that sets a number given by a person. If it is taken, the error includes the asset that holds it.
 */
export async function withGivenNumber<Result>(
  tx: Tx,
  caller: Caller,
  given: { number: string; whose: NumberFor },
  change: (savepoint: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await tx.transaction(change);
  } catch (error) {
    if (isTaken(error)) throw await numberTaken(tx, caller, given);
    throw error;
  }
}

/** Retires a number. No other asset gets it. */
export async function retireNumber(tx: Tx, caller: Caller, number: string): Promise<void> {
  await tx.query(
    `INSERT INTO retired_inventory_numbers (organization_id, inventory_number) VALUES ($1, $2)
     ON CONFLICT ON CONSTRAINT retired_inventory_numbers_pkey DO NOTHING`,
    [caller.organizationId, number],
  );
}

/** Releases a retired number for the asset that had it. */
export async function bringBackNumber(tx: Tx, caller: Caller, number: string): Promise<void> {
  await tx.query(
    "DELETE FROM retired_inventory_numbers WHERE organization_id = $1 AND inventory_number = $2",
    [caller.organizationId, number],
  );
}

export function isTaken(error: unknown): boolean {
  return violates(error, "the number of an asset is free");
}

/**
 * Query for the organization's ($1) assets with one of several numbers. It looks up each number
 * separately. For a list, the planner picks the word index, which also supports "=", and reads its
 * whole pending list for each number. Compare with `= ANY (ARRAY(...))`, which runs the query once.
 * Without statistics, the planner runs `IN (...)` for every asset.
 */
export function withNumberSql(
  column: "inventory_number" | "serial_number",
  numbers: string,
): string {
  return `SELECT n.id FROM unnest(${numbers}::text[]) given (number) CROSS JOIN LATERAL (
      SELECT a.id FROM assets a
      WHERE a.organization_id = $1 AND a.${column} = given.number OFFSET 0) n`;
}

/** Returns the numbers that no new asset can have. */
export async function findTakenNumbers(
  tx: Tx,
  caller: Caller,
  numbers: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ number: string }>(
    `SELECT a.inventory_number AS number FROM assets a
     WHERE a.organization_id = $1 AND a.id = ANY (ARRAY(${withNumberSql("inventory_number", "$2")}))
     UNION ALL
     SELECT r.inventory_number FROM retired_inventory_numbers r
     WHERE r.organization_id = $1 AND r.inventory_number = ANY ($2::text[])`,
    [caller.organizationId, numbers],
  );
  return new Set(rows.map(({ number }) => number));
}

export async function numberTaken(
  tx: Tx,
  caller: Caller,
  { number, whose }: { number: string; whose: NumberFor },
): Promise<AppError> {
  const parameters = createParameters(caller.organizationId, number);
  const holders = await tx.maybe<Holder>(
    `SELECT a.id, a.name, a.state, ${visibleAssetSql(caller, parameters, "a")} AS visible FROM assets a
     WHERE a.organization_id = $1 AND a.inventory_number = $2`,
    parameters.values,
  );
  const holder = await whoseNumber(tx, caller, number, holders);
  return new AppError("duplicate", "number_taken", { field: "inventory_number", whose, holder });
}

type Holder = Pick<Asset, "id" | "name" | "state"> & { visible: boolean };

/**
 * Describes the holder of a number. For a retired number, only people who see its asset's history
 * get details.
 */
async function whoseNumber(
  tx: Tx,
  caller: Caller,
  number: string,
  holder: Holder | undefined,
): Promise<NumberHolder> {
  if (holder !== undefined) {
    const { id, name, state, visible } = holder;
    return visible ? { id, name, isRetired: state === "deleted" } : "hidden";
  }
  const parameters = createParameters(caller.organizationId, number);
  const renumbered = await tx.query(
    `SELECT 1 FROM history_events e WHERE e.organization_id = $1 AND e.type = 'asset_updated'
       AND e.search @@ plainto_tsquery('simple', fettle_fold($2))
       AND e.changes @> jsonb_build_array(jsonb_build_object('field', 'inventory_number', 'from', $2::text))
       AND ${visibleEventSql(caller, parameters, "e")}
     LIMIT 1`,
    parameters.values,
  );
  if (renumbered.length > 0) return "renumbered";
  return isOrganizationAdmin(caller) ? "permanently deleted" : "hidden";
}
