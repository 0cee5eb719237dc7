import type { FastifyPluginAsync } from "fastify";
import { findPublicLabel } from "../../domain/reports/public-labels.js";
import { sendPage } from "../layout/reply.js";
import { OwnPlacePage, PublicLabelPage } from "../reports/public-label-page.js";
import { findOwnLabel } from "./label-visit.js";
import { LabelNotFoundPage } from "./not-found-pages.js";
import { readVisitor } from "../../plugins/members.js";
import { requirePerson } from "../../plugins/page-requests.js";

/**
 * Redirects from a label's code to its asset, in any of the person's organizations. A place has a
 * page of its own. Everyone else gets the public label page, where anyone with the label may report a problem.
 */
export const scanPages: FastifyPluginAsync = async (app) => {
  // Codes contain their address in capitals, which makes them smaller.
  for (const path of ["/q/:code", "/Q/:code"]) {
    app.get<{ Params: { code: string } }>(
      path,
      { preHandler: readVisitor },
      async (request, reply) => {
        const { code } = request.params;
        const db = request.db;
        const { asset, place } = (await findOwnLabel(db, request, code)) ?? {};
        if (asset !== undefined) return reply.redirect(`/assets/${asset}?scanned=1`, 303);
        if (place !== undefined) return sendPage(reply, OwnPlacePage({ place, code }));
        const label = await findPublicLabel(db, code);
        if (label !== undefined) return sendPage(reply, PublicLabelPage({ label, code }));
        if (request.person === null) return requirePerson(request, reply);
        if (request.caller === null) return reply.redirect("/", 303);
        return sendPage(reply.code(404), LabelNotFoundPage({ code }));
      },
    );
  }
};
