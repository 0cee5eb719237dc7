import type { FastifyPluginAsync } from "fastify";
import { scanPage } from "../labels/scan/scan-page.js";
import { roundExports } from "./export.js";
import { newRoundForm } from "./new-round.js";
import { queueRoute } from "./queue.js";
import { roundForms } from "./round-forms.js";
import { roundListPages } from "./round-list.js";
import { requireMember } from "../../plugins/members.js";

export const roundPages: FastifyPluginAsync = async (app) => {
  await app.register(async (pages) => {
    pages.addHook("preHandler", requireMember);
    await pages.register(scanPage);
    await pages.register(roundListPages);
    await pages.register(newRoundForm);
    await pages.register(roundForms);
    await pages.register(queueRoute);
    await pages.register(roundExports);
  });
};
