import type { AssetRecord } from "../../domain/assets/asset-record.js";
import { findRightsIn, workspaceRefOf } from "../../domain/access/roles.js";
import { meterOf } from "../../domain/meters/change-meters.js";
import { findMeters, type FoundMeter } from "../../domain/meters/meters.js";
import type { FormRequest } from "../forms/form-spec.js";
import { openAsset } from "../assets/forms/open-asset.js";

export interface OpenedMeters {
  asset: AssetRecord;
  /** All of the asset, or the meter of the page. */
  meters: readonly FoundMeter[];
  /** True if the person may record readings and change meters. */
  mayChange: boolean;
}

export async function openMeters({ db, caller, id }: FormRequest): Promise<OpenedMeters> {
  const { asset } = await openAsset(db, caller, id);
  const [meters, rights] = await Promise.all([
    findMeters(db, caller, asset.id),
    findRightsIn(db, caller, workspaceRefOf(asset)),
  ]);
  return { asset, meters, mayChange: rights.member && asset.state !== "deleted" };
}

export async function openMeter(form: FormRequest): Promise<OpenedMeters & { meter: FoundMeter }> {
  const opened = await openMeters(form);
  const meter = meterOf(opened.meters, form.params["meter"] ?? "");
  return { ...opened, meters: [meter], meter };
}

export function toMetersAddress({ id }: Pick<AssetRecord, "id">): string {
  return `/assets/${id}/meters`;
}
