import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { recordActivity } from "../../domain/logs/record-activity.js";
import { t } from "../../language/translate.js";
import { endSession } from "./sessions.js";

/** `/signout` */
export const signOutPages: FastifyPluginAsync = async (app) => {
  app.post("/signout", async (request, reply) => {
    await signOut(request);
    return reply.redirect("/signin", 303);
  });
};

/** Signs out, and notes who did; the next page says so. */
export async function signOut(request: FastifyRequest): Promise<void> {
  const { person } = request;
  await endSession(request, t("You are signed out."));
  if (person === null) return;
  await recordActivity(request.db.manager, {
    userId: person.id,
    actorName: person.name,
    type: "signed_out",
    origin: request.activityOrigin(),
  });
}
