import type { FastifyPluginAsync } from "fastify";
import { unknownLink } from "../../domain/labels/label-links.js";
import { findLabelFile } from "../../domain/labels/label-files.js";
import { hashSecret } from "../../domain/shared/secrets.js";
import { routeLimit } from "../../traffic/bounds.js";

/**
 * Images and sheets behind the links of `generate_asset_qr_codes`. Anyone with a link may open it
 * until it expires, because chats and printers have no session.
 */
export const labelRoutes: FastifyPluginAsync = async (app) => {
  const limitAddress = app.services.createAddressLimit("sheets-of-address");
  const limitLink = app.services.createLimit("sheets-of-link");
  const limitPerson = app.services.createLimit("sheets-of-person");
  const limitOrganization = app.services.createLimit("sheets");

  app.route<{ Params: { token: string } }>({
    method: ["GET", "HEAD"],
    url: "/labels/:token",
    config: { rateLimit: routeLimit("labels-of-address") },
    handler: async (request, reply) => {
      const now = new Date();
      const { token } = request.params;
      const link = app.services.labelLinks.read(token, now);
      request.reader = { organizationId: `links:${link.organizationId}`, userId: link.madeBy };
      const isDrawn = request.method === "GET";
      if (isDrawn && link.drawing.format === "pdf_sheet") {
        await limitAddress(request);
        await limitLink(hashSecret(token).toString("base64url"));
        await limitPerson(`${link.organizationId} ${link.madeBy}`);
        await limitOrganization(await app.services.quotaOrganizationOf(link.organizationId));
      }
      const { fileName, type, draw } = await findLabelFile(
        request.db,
        app.services.sheets,
        app.services.config.baseUrl,
        link,
      );
      const secondsLeft = Math.floor((link.expiresAt.getTime() - now.getTime()) / 1000);
      // Chrome opens no PDF in a sandbox. An image needs no permissions at all.
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
        .send(isDrawn ? await draw() : undefined);
    },
  });
  // Also matches texts that are too long for a token. They are never links.
  app.get("/labels/*", () => {
    throw unknownLink();
  });
};
