import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { VNode } from "preact";
import { cleanEmail } from "../../domain/values/emails.js";
import {
  findPasswordReset,
  requestPasswordReset,
  resetPassword,
} from "../../domain/accounts/password-resets.js";
import { commit } from "../../domain/sql/transactions.js";
import { AppError } from "../../errors.js";
import { PostForm, TextInput } from "../forms/controls.js";
import { readFields, toFormErrors } from "../forms/forms.js";
import { Page } from "../layout/layout.js";
import type { FormError } from "../layout/parts.js";
import { layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { NewPasswordField } from "./account-form.js";
import { endSession } from "./sessions.js";
import { fewPerAddress } from "./setup.js";

/** A new password by a mailed link. */
export const passwordPages: FastifyPluginAsync = async (app) => {
  await app.register(forgotPages);
  await app.register(resetPages);
};

/** `/password/forgot`: asks for the link. */
const forgotPages: FastifyPluginAsync = async (app) => {
  app.get("/password/forgot", async (request, reply) =>
    app.mails.delivers
      ? sendPage(reply, <ForgotPage frame={layoutProps(request, reply)} />)
      : sendPage(reply, <AskOperatorPage />),
  );

  app.post("/password/forgot", { config: { rateLimit: fewPerAddress } }, async (request, reply) => {
    if (!app.mails.delivers) return sendPage(reply.code(403), <AskOperatorPage />);
    const values = readFields(request.body, ["email"]);
    try {
      cleanEmail(values.email);
    } catch (error) {
      const errors = toFormErrors(error);
      const frame = layoutProps(request, reply);
      return sendPage(
        reply.code(400),
        <ForgotPage frame={frame} values={values} errors={errors} />,
      );
    }
    const { baseUrl } = app.config;
    const origin = request.activityOrigin();
    await commit(app.db, (tx) =>
      requestPasswordReset(tx, app.mails, { email: values.email, baseUrl, origin }),
    );
    app.mails.announce();
    flash(request, `We have looked for an account of ${values.email.trim()}.`);
    return reply.redirect("/password/sent", 303);
  });

  app.get("/password/sent", async (request, reply) =>
    sendPage(reply, <SentPage frame={layoutProps(request, reply)} />),
  );
};

/** `/password/reset/:token`: uses it. */
const resetPages: FastifyPluginAsync = async (app) => {
  app.get<Link>("/password/reset/:token", async (request, reply) => {
    const reset = await findPasswordReset(app.db.manager, request.params.token);
    if (reset === undefined) return sendDeadLink(reply);
    return sendPage(reply, <ResetPage frame={layoutProps(request, reply)} email={reset.email} />);
  });

  app.post<Link>(
    "/password/reset/:token",
    { config: { rateLimit: fewPerAddress } },
    async (request, reply) => {
      const { token } = request.params;
      const { password } = readFields(request.body, ["password"]);
      const origin = request.activityOrigin();
      try {
        await commit(app.db, (tx) => resetPassword(tx, { token, password, origin }));
      } catch (error) {
        const reset = await findPasswordReset(app.db.manager, token);
        if (reset === undefined || (error instanceof AppError && error.code === "expired")) {
          return sendDeadLink(reply);
        }
        const errors = toFormErrors(error);
        const frame = layoutProps(request, reply);
        return sendPage(
          reply.code(400),
          <ResetPage frame={frame} email={reset.email} errors={errors} />,
        );
      }
      await endSession(request, "Your password is changed. Sign in with the new one.");
      return reply.redirect("/signin", 303);
    },
  );
};

interface Link {
  Params: { token: string };
}

function sendDeadLink(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(410), <DeadResetPage />);
}

interface ForgotView {
  frame: LayoutProps;
  values?: { email: string };
  errors?: readonly FormError[];
}

function ForgotPage({ frame, values = { email: "" }, errors = [] }: ForgotView): VNode {
  return (
    <Page title="Forgot your password" width="narrow" bare message={frame.message}>
      <h1>Forgot your password?</h1>
      <p>We send you a link with which you choose a new one.</p>
      <PostForm frame={frame} action="/password/forgot" errors={errors}>
        <TextInput
          name="email"
          label="Email"
          type="email"
          help="The address that you sign in with."
          values={values}
          errors={errors}
          autocomplete="username"
          maxLength={254}
          required
        />
        <button type="submit">Send the link</button>
      </PostForm>
      <BackToSignIn />
    </Page>
  );
}

function AskOperatorPage(): VNode {
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
      <BackToSignIn />
    </Page>
  );
}

function SentPage({ frame }: { frame: LayoutProps }): VNode {
  return (
    <Page title="Look into your mail" width="narrow" bare message={frame.message}>
      <h1>Look into your mail</h1>
      <p>
        If there is an account with this address, a mail with a link is on its way. The link works
        once, within one hour.
      </p>
      <p class="soft">
        Nothing there after a few minutes? Look into the spam folder, and whether it is the address
        that you sign in with. An address gets at most three of these mails an hour.
      </p>
      <p>
        <a href="/password/forgot">Ask again</a>
      </p>
      <BackToSignIn />
    </Page>
  );
}

function ResetPage(props: {
  frame: LayoutProps;
  email: string;
  errors?: readonly FormError[];
}): VNode {
  const { frame, email, errors = [] } = props;
  return (
    <Page title="Choose a new password" width="narrow" bare message={frame.message}>
      <h1>Choose a new password</h1>
      <p>
        For the account <strong class="address">{email}</strong>
      </p>
      <PostForm frame={frame} errors={errors}>
        <NewPasswordField label="New password" errors={errors} />
        <button type="submit">Set new password</button>
      </PostForm>
      <p class="soft">
        You are signed out of every browser then. Apps you have connected stay connected.
      </p>
    </Page>
  );
}

function DeadResetPage(): VNode {
  return (
    <Page title="This link no longer works" width="narrow" bare>
      <h1>This link no longer works</h1>
      <p>
        A link for a new password works once, within one hour, and only the newest one does. Your
        password was not changed just now.
      </p>
      <p>
        <a class="button" href="/password/forgot">
          Ask for a new link
        </a>
      </p>
      <BackToSignIn />
    </Page>
  );
}

function BackToSignIn(): VNode {
  return (
    <p class="soft">
      <a href="/signin">Back to sign-in</a>
    </p>
  );
}
