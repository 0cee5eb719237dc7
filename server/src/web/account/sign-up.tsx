import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { hasAccounts } from "../../domain/accounts/setup-links.js";
import { requestSignUp } from "../../domain/accounts/sign-ups.js";
import { commit } from "../../domain/sql/transactions.js";
import { readFields, toFormErrors } from "../forms/forms.js";
import { Page } from "../layout/layout.js";
import { layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { AccountForm, accountFields, type AccountFormProps } from "./account-form.js";
import { fewPerAddress, NotSetUpPage } from "./setup.js";

/** `/signup`: an account of one's own, where the operator allows it and addresses can be verified. */
export const signUpPages: FastifyPluginAsync = async (app) => {
  const isOpen = app.config.signup === "open";
  if (isOpen && !app.mails.delivers) {
    app.log.warn(
      "SIGNUP=open needs a mail server to verify addresses; without SMTP_URL nobody can sign up",
    );
  }

  /** Why nobody can sign up here, if so. The first account is made with the set-up link. */
  async function findObstacle(): Promise<VNode | undefined> {
    if (!(await hasAccounts(app.db.manager))) return <NotSetUpPage />;
    if (!isOpen) return <InvitationOnlyPage />;
    return app.mails.delivers ? undefined : <NoMailPage />;
  }

  app.get("/signup", async (request, reply) => {
    if (request.person !== null) return reply.redirect("/", 303);
    const obstacle = await findObstacle();
    return sendPage(reply, obstacle ?? <SignUpPage frame={layoutProps(request, reply)} />);
  });

  app.post("/signup", { config: { rateLimit: fewPerAddress } }, async (request, reply) => {
    const obstacle = await findObstacle();
    if (obstacle !== undefined) return sendPage(reply.code(403), obstacle);
    const values = readFields(request.body, accountFields);
    const { baseUrl } = app.config;
    const origin = request.activityOrigin();
    try {
      const waiting = await commit(app.db, (tx) =>
        requestSignUp(tx, app.mails, { ...values, baseUrl, origin }),
      );
      if (waiting !== undefined) request.session.signUp = waiting;
    } catch (error) {
      const errors = toFormErrors(error);
      const frame = layoutProps(request, reply);
      return sendPage(
        reply.code(400),
        <SignUpPage frame={frame} values={values} errors={errors} />,
      );
    }
    app.mails.announce();
    flash(request, `We write to ${values.email.trim()}.`);
    return reply.redirect("/signup/sent", 303);
  });

  app.get("/signup/sent", async (request, reply) =>
    sendPage(reply, <SentPage frame={layoutProps(request, reply)} />),
  );
};

function SignUpPage(props: AccountFormProps): VNode {
  return (
    <Page title="Create an account" width="narrow" bare message={props.frame.message}>
      <h1>Create an account</h1>
      <AccountForm action="/signup" {...props} />
      <p class="soft">
        You have an account? <a href="/signin">Sign in</a>
      </p>
    </Page>
  );
}

function SentPage({ frame }: { frame: LayoutProps }): VNode {
  return (
    <Page title="Look into your mail" width="narrow" bare message={frame.message}>
      <h1>Look into your mail</h1>
      <p>
        Open the link in the mail to confirm your address. It works once, within 24 hours; your
        account is made then.
      </p>
      <p class="soft">
        Nothing there after a few minutes? Look into the spam folder, or send the form again with
        the right address. An address gets at most three of these mails an hour.
      </p>
      <p>
        <a href="/signup">Back to the form</a>
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

function NoMailPage(): VNode {
  return (
    <Page title="Accounts are made by the operator" width="narrow" bare>
      <h1>Accounts are made by the operator</h1>
      <p>
        This server sends no mail, so it cannot check that an address is yours. Ask the person who
        runs the server to make an account for you. They use this command:
      </p>
      <pre>
        <code>
          fettle account create --email you@example.com --name "Your name" --organization
          "Organization name" --password-stdin
        </code>
      </pre>
      <p>
        <a href="/signin">Go to sign-in</a>
      </p>
    </Page>
  );
}
