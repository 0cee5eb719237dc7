import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { endSession as removeSession } from "../../domain/accounts/sessions.js";
import { endSubscription } from "../../domain/messaging/push-subscriptions.js";
import { commit } from "../../domain/history/transactions.js";
import { recordActivity } from "../../domain/audit/record-activity.js";
import { t } from "../../language/translate.js";
import { readPushMark } from "../layout/push-cookie.js";
import { endSession } from "./sessions.js";

/** `/signout` */
export const signOutPages: FastifyPluginAsync = async (app) => {
  app.post("/signout", async (request, reply) => {
    await signOut(request);
    return reply.redirect("/signin", 303);
  });
};

/** Ends the session and records it in one transaction. The next page shows a message. */
export async function signOut(request: FastifyRequest): Promise<void> {
  const { person, session } = request;
  if (person !== null) {
    const mark = readPushMark(request);
    const who = { userId: person.id, actorName: person.name, origin: request.activityOrigin() };
    await commit({ db: request.db, caller: null, request }, async (tx) => {
      const isEnded = await removeSession(tx, session.sessionId);
      if (mark !== undefined) await endSubscription(tx, person.id, mark);
      if (isEnded) await recordActivity(tx, { ...who, type: "signed_out" });
    });
  }
  await endSession(request, t("You're signed out."));
}
