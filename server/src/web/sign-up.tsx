import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { VNode } from "preact";
import { hasAccounts, signUp } from "../domain/people/setup-links.js";
import { AccountForm, accountFields, type AccountFormProps } from "./account-form.js";
import { readFields, toFormErrors } from "./forms.js";
import { Page } from "./layout.js";
import { sendPage } from "./reply.js";
import { startSession } from "./sessions.js";
import { fewPerAddress, NotSetUpPage } from "./setup.js";

/** `/signup`: an account of one's own, where the operator allows it. */
export const signUpPages: FastifyPluginAsync = async (app) => {
  const isOpen = app.config.signup === "open";

  app.get("/signup", async (request, reply) => {
    if (request.person !== null) return reply.redirect("/", 303);
    // The first account is made with the set-up link, so that nobody takes the server over.
    if (!(await hasAccounts(app.db.manager))) return sendPage(reply, <NotSetUpPage />);
    if (!isOpen) return sendPage(reply, <InvitationOnlyPage />);
    return showForm(reply, {});
  });

  app.post("/signup", { config: { rateLimit: fewPerAddress } }, async (request, reply) => {
    if (!isOpen) return sendPage(reply.code(403), <InvitationOnlyPage />);
    if (!(await hasAccounts(app.db.manager))) return sendPage(reply.code(403), <NotSetUpPage />);
    const values = readFields(request.body, accountFields);
    try {
      const person = await app.db.transaction((tx) =>
        signUp(tx, { ...values, origin: request.activityOrigin() }),
      );
      await startSession(request, person.id, "Your account and your organization are ready.");
      return await reply.redirect("/", 303);
    } catch (error) {
      const errors = toFormErrors(error);
      return showForm(reply.code(400), { values, errors });
    }
  });

  function showForm(
    reply: FastifyReply,
    props: Pick<AccountFormProps, "values" | "errors">,
  ): FastifyReply {
    return sendPage(reply, <SignUpPage csrfToken={reply.generateCsrf()} {...props} />);
  }
};

function SignUpPage(props: Omit<AccountFormProps, "action">): VNode {
  return (
    <Page title="Create an account" width="narrow" bare>
      <h1>Create an account</h1>
      <AccountForm action="/signup" {...props} />
      <p class="soft">
        You have an account? <a href="/signin">Sign in</a>
      </p>
    </Page>
  );
}

function InvitationOnlyPage(): VNode {
  return (
    <Page title="Accounts are by invitation" width="narrow" bare>
      <h1>Accounts are by invitation</h1>
      <p>
        On this server nobody creates an account alone. Ask an owner or admin of your organization
        to invite you, or the person who runs the server.
      </p>
      <p>
        <a href="/signin">Go to sign-in</a>
      </p>
    </Page>
  );
}
