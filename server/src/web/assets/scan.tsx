import type { FastifyPluginAsync } from "fastify";
import { findPublicLabel } from "../../domain/reports/public-labels.js";
import { sendPage } from "../layout/reply.js";
import { PublicLabelPage } from "../reports/public-label-page.js";
import { findOwnAsset } from "./label-visit.js";
import { LabelNotFoundPage } from "./not-found-pages.js";
import { readVisitor } from "../../plugins/members.js";
import { requirePerson } from "../../plugins/page-requests.js";

/**
 * From the code of a label to its asset, in whichever organization of the person that is. Whoever does
 * not see it gets what the label says, where anybody with it may report a problem.
 */
export const scanPages: FastifyPluginAsync = async (app) => {
  // Codes hold their address in capitals, which makes them smaller.
  for (const path of ["/q/:code", "/Q/:code"]) {
    app.get<{ Params: { code: string } }>(
      path,
      { preHandler: readVisitor },
      async (request, reply) => {
        const { code } = request.params;
        const db = request.db;
        const own = await findOwnAsset(db, request, code);
        if (own !== undefined) return reply.redirect(`/assets/${own.id}?scanned=1`, 303);
        const label = await findPublicLabel(db, code);
        if (label !== undefined) return sendPage(reply, PublicLabelPage({ label, code }));
        if (request.person === null) return requirePerson(request, reply);
        if (request.caller === null) return reply.redirect("/", 303);
        return sendPage(reply.code(404), LabelNotFoundPage({ code }));
      },
    );
  }
};
