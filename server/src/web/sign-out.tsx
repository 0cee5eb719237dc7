import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { recordActivity } from "../domain/activity.js";
import { Page } from "./layout.js";
import { sendPage } from "./reply.js";
import { endSession } from "./sessions.js";

/** `/signout` and `/password/forgot`. */
export const signOutPages: FastifyPluginAsync = async (app) => {
  app.post("/signout", async (request, reply) => {
    const { person } = request;
    await endSession(request, "You are signed out.");
    if (person !== null) {
      await recordActivity(app.db.manager, {
        userId: person.id,
        actorName: person.name,
        type: "signed_out",
        origin: request.activityOrigin(),
      });
    }
    return reply.redirect("/signin", 303);
  });

  app.get("/password/forgot", async (_request, reply) => sendPage(reply, <ForgotPage />));
};

function ForgotPage(): VNode {
  return (
    <Page title="Forgot your password" width="narrow" bare>
      <h1>Forgot your password?</h1>
      <p>
        This server sends no mail, so it cannot send you a link. Ask the person who runs the server
        to give your account a new password. They use this command:
      </p>
      <pre>
        <code>fettle account set-password --email you@example.com --password-stdin</code>
      </pre>
      <p class="soft">
        A new password signs you out of every browser. Apps you have connected stay connected.
      </p>
      <p>
        <a href="/signin">Back to sign-in</a>
      </p>
    </Page>
  );
}
