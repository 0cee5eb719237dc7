import type { VNode } from "preact";
import type { TaskAsset } from "../../domain/tasks/task-assets.js";
import type { TaskRow } from "../../domain/tasks/task-rows.js";
import { AssetPicture } from "../layout/asset-picture.js";

/** The picture of the task's asset. An empty box without an asset keeps the titles aligned. */
export function TaskPicture({
  task: { asset_name: name },
  asset,
}: {
  task: TaskRow;
  asset: TaskAsset | undefined;
}): VNode {
  if (name === null || asset === undefined) return <span class="picture none" />;
  const { category, cover } = asset;
  return <AssetPicture asset={{ name, category }} cover={cover ?? undefined} />;
}
