import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { setTimeout as pause } from "node:timers/promises";
import { checkPassword, hashPassword, lineOf } from "../../domain/accounts/passwords.js";
import { commit } from "../../domain/history/transactions.js";
import { cleanEmail, toLookup } from "../../domain/shared/emails.js";
import {
  findPasswordReset,
  requestPasswordReset,
  resetPassword,
} from "../../domain/accounts/password-resets.js";
import { emailRequiresSso } from "../../domain/accounts/sso-required.js";
import { AppError } from "../../errors.js";
import { PostForm, TextInput } from "../forms/controls.js";
import { textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { otherPage, seeOther } from "../forms/form-reply.js";
import { toFormErrors } from "../forms/form-errors.js";
import { t, tRich } from "../../language/translate.js";
import { sendPage } from "../layout/reply.js";
import { NewPasswordField } from "./account-form.js";
import { BarePage, NextStep } from "../layout/bare-page.js";
import { leadToProvider } from "./provider-pages.js";
import { endSession } from "./sessions.js";

/** Password reset by an emailed link. */
export const passwordPages: FastifyPluginAsync = async (app) => {
  await app.register(forgotForm);
  app.get("/password/sent", async (_, reply) => sendPage(reply, <SentPage />));
  await app.register(resetForm);
};

/**
 * Minimum response time. Writing an email takes longer than writing none, and timing must not
 * reveal it.
 */
const answerMs = 250;

/** `/password/forgot`: requests the link. */
const forgotForm = formRoute({
  path: "/password/forgot",
  limit: "account-form",
  open: async ({ app, request: { method } }) =>
    app.services.mails.delivers
      ? undefined
      : otherPage(method === "GET" ? 200 : 403, <AskOperatorPage />),
  fields: { email: textField("Email") },
  inTransaction: false,
  change: async (_, { app, request, values }) => {
    const begunAt = performance.now();
    const email = cleanEmail(values.email ?? "");
    const asked = { email, baseUrl: app.services.config.baseUrl, origin: request.activityOrigin() };
    // Requests queue per address. A long lock on the address blocks only one connection.
    await app.services.anonymousQueue(toLookup(email), () =>
      commit({ db: request.db, caller: null }, (tx) =>
        requestPasswordReset(tx, app.services.mails, asked),
      ),
    );
    return begunAt;
  },
  done: async (begunAt, { app, db, values: { email = "" } }) => {
    app.services.mails.announce();
    await pause(begunAt + answerMs - performance.now());
    if (await emailRequiresSso(db, email)) return leadToProvider(email, "");
    return seeOther(
      "/password/sent",
      t("If {email} has an account, we sent a link.", { email: email.trim() }),
    );
  },
  page: () => <ForgotPage />,
});

/** `/password/reset/:token`: uses the link. */
const resetForm = formRoute({
  path: "/password/reset/:token",
  limit: "account-form",
  open: async ({ db, params: { token = "" } }) =>
    (await findPasswordReset(db, token)) ?? deadLink(),
  fields: { password: textField("New password") },
  inTransaction: false,
  change: async (_, { request, params: { token = "" }, subject, values: { password = "" } }) => {
    const origin = request.activityOrigin();
    checkPassword(password, subject.email);
    const passwordHash = await hashPassword(password, lineOf(origin, subject.email));
    return commit({ db: request.db, caller: null }, (tx) =>
      resetPassword(tx, { token, passwordHash, origin }),
    );
  },
  toErrors: (error) =>
    error instanceof AppError && error.code === "expired" ? deadLink() : toFormErrors(error),
  done: async (_, { request }) => {
    await endSession(request, t("Password changed. Sign in with the new one."));
    return seeOther("/signin");
  },
  page: ({ subject: { email } }) => <ResetPage email={email} />,
});

function deadLink() {
  return otherPage(410, <DeadResetPage />);
}

function ForgotPage(): VNode {
  return (
    <BarePage title={t("Forgot your password")} heading={t("Forgot your password?")}>
      <p>{t("We'll send you a link to choose a new one.")}</p>
      <PostForm action="/password/forgot">
        <TextInput
          name="email"
          type="email"
          help={t("The address you sign in with.")}
          autocomplete="username"
          maxLength={254}
          required
        />
        <button type="submit">{t("Send the link")}</button>
      </PostForm>
      <BackToSignIn />
    </BarePage>
  );
}

function AskOperatorPage(): VNode {
  return (
    <BarePage title={t("Forgot your password")} heading={t("Forgot your password?")}>
      <p>
        {t(
          "This server can't send emails, so it can't send you a link. Ask the server's administrator to set a new password with this command:",
        )}
      </p>
      <pre>
        <code>{"fettle account set-password --email you@example.com --password-stdin"}</code>
      </pre>
      <p class="soft">
        {t(
          "A new password signs you out of every browser and revokes your calendar address. Connected apps stay connected.",
        )}
      </p>
      <BackToSignIn />
    </BarePage>
  );
}

function SentPage(): VNode {
  return (
    <BarePage title={t("Check your email")}>
      <p>
        {t(
          "If this address has an account, an email with a link is on its way. The link works once, for one hour.",
        )}
      </p>
      <p class="soft">
        {t(
          "No email after a few minutes? Check your spam folder and the address you sign in with. You can request three emails an hour.",
        )}
      </p>
      <p>
        <a href="/password/forgot">{t("Request a new link")}</a>
      </p>
      <BackToSignIn />
    </BarePage>
  );
}

function ResetPage({ email }: { email: string }): VNode {
  return (
    <BarePage title={t("Choose a new password")}>
      <p>{tRich("For the account {email}", { email: <strong class="address">{email}</strong> })}</p>
      <PostForm>
        <NewPasswordField />
        <button type="submit">{t("Set new password")}</button>
      </PostForm>
      <p class="soft">
        {t(
          "This signs you out of every browser and revokes your calendar address. Connected apps stay connected.",
        )}
      </p>
    </BarePage>
  );
}

function DeadResetPage(): VNode {
  return (
    <BarePage title={t("This link no longer works")}>
      <p>
        {t(
          "A password link works once, for one hour, and only the newest one works. Your password was not changed.",
        )}
      </p>
      <NextStep href="/password/forgot">{t("Request a new link")}</NextStep>
      <BackToSignIn />
    </BarePage>
  );
}

function BackToSignIn(): VNode {
  return (
    <p class="soft">
      <a href="/signin">{t("Back to sign-in")}</a>
    </p>
  );
}
