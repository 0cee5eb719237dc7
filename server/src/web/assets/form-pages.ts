import type { FastifyPluginAsync } from "fastify";
import { deleteAssetPages } from "./forms/delete.js";
import { editAssetPages } from "./forms/edit-asset.js";
import { moveAssetPages } from "./forms/move.js";
import { newAssetPages } from "./forms/new-asset.js";
import { restoreAssetPages } from "./forms/restore.js";
import { retireAssetPages } from "./forms/retire.js";
import { assetStatePages } from "./forms/state.js";

/** Forms that create, change, retire, restore, move and permanently delete an asset. */
export const assetFormPages: FastifyPluginAsync = async (app) => {
  await app.register(newAssetPages);
  await app.register(editAssetPages);
  await app.register(assetStatePages);
  await app.register(retireAssetPages);
  await app.register(restoreAssetPages);
  await app.register(moveAssetPages);
  await app.register(deleteAssetPages);
};
