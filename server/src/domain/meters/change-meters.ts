import type { Tx } from "../../db/database.js";
import { Meter } from "../../db/entities/meters.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireRoleIn, workspaceRefOf } from "../access/roles.js";
import { storeAssetChange } from "../assets/asset-differences.js";
import { lockAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import { toChange } from "../history/differences.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import { cleanMeter, findMeters, refuseTaken, storeMeter, type FoundMeter } from "./meters.js";
import { toTaskNumber } from "../shared/task-references.js";
import { isOpen } from "../tasks/task-states.js";

type GivenMeter = Pick<Meter, "name" | "unit">;

export async function addMeter(
  tx: Tx,
  caller: Caller,
  reference: string,
  given: GivenMeter,
): Promise<FoundMeter> {
  const { asset, meters } = await lockMeters(tx, caller, reference);
  const meter = await storeMeter(tx, caller, asset.id, { ...cleanMeter(given), meters });
  await recordMeter(tx, caller, asset, { to: meter });
  return meter;
}

/** A hash of the values that a meter change is based on. */
export function readingOfMeter({ name, unit }: GivenMeter): number {
  return contentHash({ name, unit });
}

export async function changeMeter(
  tx: Tx,
  caller: Caller,
  reference: string,
  { id, expected, ...given }: GivenMeter & Pick<Meter, "id"> & { expected?: number | undefined },
): Promise<GivenMeter> {
  const { asset, meters } = await lockMeters(tx, caller, reference);
  const before = meterOf(meters, id);
  const after = cleanMeter(given);
  refuseTaken(
    meters.filter((meter) => meter.id !== id),
    after.name,
  );
  if (after.name === before.name && after.unit === before.unit) return after;
  assertUnchanged("asset", { name: before.name, unit: before.unit }, expected);
  await tx.update(Meter, { organization_id: caller.organizationId, id }, after);
  if (after.name !== before.name) await renameInSteps(tx, caller, asset.id, [before, after]);
  await recordMeter(tx, caller, asset, { from: before, to: after });
  return after;
}

/** Steps of tasks name the meter that their answers are recorded on. */
async function renameInSteps(
  tx: Tx,
  caller: Caller,
  assetId: string,
  [before, after]: [GivenMeter, GivenMeter],
): Promise<void> {
  await tx.query(
    `UPDATE task_checklist_items i SET meter = $4 FROM maintenance_tasks t
     WHERE i.organization_id = $1 AND i.meter = $3
       AND t.organization_id = $1 AND t.id = i.task_id AND t.asset_id = $2`,
    [caller.organizationId, assetId, before.name, after.name],
  );
}

/** Deletes a meter with its readings. The asset's history retains them. */
export async function removeMeter(
  tx: Tx,
  caller: Caller,
  reference: string,
  id: string,
): Promise<FoundMeter> {
  const { asset, meters } = await lockMeters(tx, caller, reference);
  const meter = meterOf(meters, id);
  const tasks = await findWorkOf(tx, caller, { id, assetId: asset.id });
  if (tasks.length > 0) {
    throw new AppError("not_empty", "meter_in_use", { name: meter.name, tasks });
  }
  await forgetMeters(tx, caller, { of: "meter", id });
  await tx.delete(Meter, { organization_id: caller.organizationId, id });
  await recordMeter(tx, caller, asset, { from: meter });
  return meter;
}

/** Returns the numbers of open tasks that are due by the meter. */
export async function findWorkOf(
  tx: Tx,
  caller: Caller,
  { id, assetId }: { id: string; assetId: string },
): Promise<string[]> {
  const open = await tx.query<{ task_number: number }>(
    `SELECT t.task_number::int AS task_number FROM maintenance_tasks t
     JOIN maintenance_plans p ON p.organization_id = $1 AND p.id = t.plan_id AND p.meter_id = $2
     WHERE t.organization_id = $1 AND t.asset_id = $3 AND ${isOpen("t")}
     ORDER BY t.task_number LIMIT 5`,
    [caller.organizationId, id, assetId],
  );
  return open.map(({ task_number: number }) => toTaskNumber(number));
}

/** Detaches plans of finished work from meters that are about to be deleted. */
export async function forgetMeters(
  tx: Tx,
  caller: Caller,
  { of, id }: { of: "meter" | "asset"; id: string },
): Promise<void> {
  const which = of === "meter" ? "m.id = $2" : "m.asset_id = $2";
  await tx.query(
    `UPDATE maintenance_plans p SET meter_id = NULL FROM meters m
     WHERE p.organization_id = $1 AND m.organization_id = $1 AND m.id = p.meter_id AND ${which}`,
    [caller.organizationId, id],
  );
}

async function lockMeters(tx: Tx, caller: Caller, reference: string) {
  const asset = await lockAssetRecord(tx, caller, reference);
  await requireRoleIn(tx, caller, workspaceRefOf(asset), "member", "edit assets");
  if (asset.state === "deleted") {
    throw new AppError("invalid_transition", "asset_retired", { field: "meters" });
  }
  return { asset, meters: await findMeters(tx, caller, asset.id) };
}

export function meterOf(meters: readonly FoundMeter[], id: string): FoundMeter {
  const meter = meters.find((one) => one.id === id);
  if (meter === undefined) throw new AppError("not_found", "no_such_meter");
  return meter;
}

async function recordMeter(
  tx: Tx,
  caller: Caller,
  asset: AssetRecord,
  { from, to }: { from?: GivenMeter; to?: GivenMeter },
): Promise<void> {
  const nameOf = (meter: GivenMeter | undefined) => meter && `${meter.name} (${meter.unit})`;
  const changes = [toChange("meters", nameOf(from), nameOf(to))];
  const readings = { changes, readAt: undefined, kept: [] };
  const difference = { fields: {}, place: workspaceRefOf(asset), readings };
  await storeAssetChange(tx, caller, asset, difference, undefined);
}
