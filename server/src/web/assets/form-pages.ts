import type { FastifyPluginAsync } from "fastify";
import { changeAssetsForm } from "./forms/change-many.js";
import { deleteAssetForm } from "./forms/delete.js";
import { editAssetForm } from "./forms/edit-asset.js";
import { moveAssetForm } from "./forms/move.js";
import { newAssetForm } from "./forms/new-asset.js";
import { restoreAssetForm } from "./forms/restore.js";
import { retireAssetForm } from "./forms/retire.js";
import { assetStateForm } from "./forms/state.js";
import { requireMember } from "../../plugins/members.js";

export const assetFormPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(newAssetForm);
  await app.register(changeAssetsForm);
  await app.register(editAssetForm);
  await app.register(assetStateForm);
  await app.register(retireAssetForm);
  await app.register(restoreAssetForm);
  await app.register(moveAssetForm);
  await app.register(deleteAssetForm);
};
