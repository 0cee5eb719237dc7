import type { Asset } from "../../db/entities/assets.js";
import type { Caller } from "../access/caller.js";
import { assetUrl } from "../access/urls.js";
import type { Change } from "../history/record-events.js";
import type { Warning } from "../shared/warnings.js";

export interface AssetSummary extends Pick<
  Asset,
  "id" | "inventory_number" | "name" | "state" | "version"
> {
  url: string;
}

export interface AssetChange {
  asset: AssetSummary;
  changed: Change[];
  warnings: Warning[];
  /** Number of open tasks hidden from lists because the asset was retired. */
  open_tasks_hidden?: number;
}

export function toSummary(caller: Caller, asset: Omit<AssetSummary, "url">): AssetSummary {
  const { id, inventory_number, name, state, version } = asset;
  return { id, inventory_number, name, state, version, url: assetUrl(caller, id) };
}
