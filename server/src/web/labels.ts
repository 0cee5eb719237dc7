import type { FastifyPluginAsync } from "fastify";
import { createLabelLinkKeeper } from "../domain/labels/label-links.js";
import { drawLinked } from "../domain/labels/linked-labels.js";

/** A person may open a hundred images at once. */
const drawingsPerMinute = 300;

/**
 * Images and sheets behind the links that `generate_asset_qr_codes` gives. Whoever has a link may
 * open it until it expires: chats and printers come without a session.
 */
export const labelRoutes: FastifyPluginAsync = async (app) => {
  const links = createLabelLinkKeeper(app.config.secretKeys);
  const options = { config: { rateLimit: { max: drawingsPerMinute, timeWindow: "1 minute" } } };
  app.get<{ Params: { token: string } }>("/labels/:token", options, async (request, reply) => {
    const now = new Date();
    const link = links.read(request.params.token, now);
    const { fileName, type, body } = await drawLinked(app.db.manager, app.config.baseUrl, link);
    const secondsLeft = Math.floor((link.expiresAt.getTime() - now.getTime()) / 1000);
    // Chrome opens no PDF in a sandbox; an image needs nothing, whatever it tries.
    if (type.startsWith("image/")) {
      void reply.header("content-security-policy", "default-src 'none'; sandbox");
    }
    return reply
      .headers({
        "cache-control": `private, max-age=${secondsLeft}`,
        "content-disposition": `inline; filename="${fileName}"`,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      })
      .type(type)
      .send(body);
  });
};
