import type { FastifyPluginAsync } from "fastify";
import { assetDetailPages } from "./asset-page.js";
import { assetHistoryPages } from "./history-page.js";
import { assetListPages } from "./list-page.js";
import { scanPages } from "./scan.js";

export const assetPages: FastifyPluginAsync = async (app) => {
  await app.register(assetListPages);
  await app.register(assetDetailPages);
  await app.register(assetHistoryPages);
  await app.register(scanPages);
};
