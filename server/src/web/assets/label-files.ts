import type { FastifyPluginAsync } from "fastify";
import { unknownLink } from "../../domain/labels/label-links.js";
import { findLabelFile } from "../../domain/labels/label-files.js";
import { createSheetThread } from "../../domain/labels/sheet-thread.js";
import { hashSecret } from "../../domain/shared/secrets.js";

/** A person may open a hundred images at once. */
const drawingsPerMinute = 300;

/**
 * Of an address, and of an organization, whose links are many. A sheet of a hundred labels takes much
 * longer than an image, and is opened to be printed.
 */
const sheetsPerMinute = 20;

/**
 * Of all links of one person, who must not use up what the organization may, and of one link, whose
 * holders must not use up what that person may.
 */
const sheetsOfPersonPerMinute = 8;
const sheetsOfLinkPerMinute = 5;

/**
 * Images and sheets behind the links that `generate_asset_qr_codes` gives. Whoever has a link may
 * open it until it expires: chats and printers come without a session.
 */
export const labelRoutes: FastifyPluginAsync = async (app) => {
  const sheets = createSheetThread(app.services.limitHomeOf);
  app.addHook("onClose", () => sheets.close());
  const limitAddress = app.services.createAddressLimit("sheets-of-address", sheetsPerMinute);
  const limitLink = app.services.createMinuteLimit(
    "sheets-of-link",
    sheetsOfLinkPerMinute,
    "openings",
  );
  const limitPerson = app.services.createMinuteLimit(
    "sheets-of-person",
    sheetsOfPersonPerMinute,
    "openings",
  );
  const limitOrganization = app.services.createMinuteLimit("sheets", sheetsPerMinute, "openings");

  app.route<{ Params: { token: string } }>({
    method: ["GET", "HEAD"],
    url: "/labels/:token",
    config: { rateLimit: { max: drawingsPerMinute, timeWindow: "1 minute" } },
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
        await limitOrganization(await app.services.limitHomeOf(link.organizationId));
      }
      const { fileName, type, draw } = await findLabelFile(
        request.db,
        sheets,
        app.services.config.baseUrl,
        link,
      );
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
        .send(isDrawn ? await draw() : undefined);
    },
  });
  // Also what is too long for a token: no link is.
  app.get("/labels/*", () => {
    throw unknownLink();
  });
};
