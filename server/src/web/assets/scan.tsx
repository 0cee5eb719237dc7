import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { EntityManager } from "typeorm";
import { findAssetOfCode, findOrganizationOfCode } from "../../domain/assets/asset-sightings.js";
import type { Caller } from "../../domain/access/caller.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { LabelNotFoundPage } from "./not-found-pages.js";

/** From the code of a label to its asset, in whichever organization of the person that is. */
export const scanPages: FastifyPluginAsync = async (app) => {
  // Codes hold their address in capitals, which makes them smaller.
  for (const path of ["/q/:code", "/Q/:code"]) {
    app.get<{ Params: { code: string } }>(
      path,
      { preHandler: app.requireMember },
      async (request, reply) => {
        const { code } = request.params;
        const id = await findAsset(request.db.manager, request, code);
        if (id !== undefined) return reply.redirect(`/assets/${id}?scanned=1`, 303);
        const page = LabelNotFoundPage({ code });
        return sendPage(reply.code(404), page);
      },
    );
  }
};

async function findAsset(
  db: EntityManager,
  request: FastifyRequest,
  code: string,
): Promise<string | undefined> {
  const { memberships } = request;
  const organization = await findOrganizationOfCode(
    db,
    code,
    memberships.map(({ id }) => id),
  );
  const membership = memberships.find(({ id }) => id === organization);
  if (membership === undefined) return undefined;
  const { id, name, role, ...rules } = membership;
  const caller: Caller = {
    ...callerOf(request),
    ...rules,
    organizationId: id,
    organizationName: name,
    organizationRole: role,
  };
  return findAssetOfCode(db, caller, code);
}
