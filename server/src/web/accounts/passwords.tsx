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
import { isOfOnlyWay } from "../../domain/accounts/only-way.js";
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

/** A new password by a mailed link. */
export const passwordPages: FastifyPluginAsync = async (app) => {
  await app.register(forgotForm);
  app.get("/password/sent", async (_, reply) => sendPage(reply, <SentPage />));
  await app.register(resetForm);
};

/** Writing a mail takes longer than writing none: no answer comes earlier than both would. */
const answerMs = 250;

/** `/password/forgot`: asks for the link. */
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
    // Whoever holds an address for long makes one connection wait, however many ask for a link to it.
    await app.services.strangersTurns(toLookup(email), () =>
      commit({ db: request.db, caller: null }, (tx) =>
        requestPasswordReset(tx, app.services.mails, asked),
      ),
    );
    return begunAt;
  },
  done: async (begunAt, { app, db, values: { email = "" } }) => {
    app.services.mails.announce();
    await pause(begunAt + answerMs - performance.now());
    if (await isOfOnlyWay(db, email)) return leadToProvider(email, "");
    return seeOther(
      "/password/sent",
      t("We have looked for an account of {email}.", { email: email.trim() }),
    );
  },
  page: () => <ForgotPage />,
});

/** `/password/reset/:token`: uses it. */
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
    await endSession(request, t("Your password is changed. Sign in with the new one."));
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
      <p>{t("We send you a link with which you choose a new one.")}</p>
      <PostForm action="/password/forgot">
        <TextInput
          name="email"
          type="email"
          help={t("The address that you sign in with.")}
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
          "This server sends no mail, so it cannot send you a link. Ask the person who runs the server to give your account a new password. They use this command:",
        )}
      </p>
      <pre>
        <code>{"fettle account set-password --email you@example.com --password-stdin"}</code>
      </pre>
      <p class="soft">
        {t(
          "A new password signs you out of every browser and ends calendar addresses of yours. Apps you have connected stay connected.",
        )}
      </p>
      <BackToSignIn />
    </BarePage>
  );
}

function SentPage(): VNode {
  return (
    <BarePage title={t("Look into your mail")}>
      <p>
        {t(
          "If there is an account with this address, a mail with a link is on its way. The link works once, within one hour.",
        )}
      </p>
      <p class="soft">
        {t(
          "Nothing there after a few minutes? Look into the spam folder, and whether it is the address that you sign in with. An address gets at most three of these mails an hour.",
        )}
      </p>
      <p>
        <a href="/password/forgot">{t("Ask again")}</a>
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
          "You are signed out of every browser then, and calendar addresses of yours end. Apps you have connected stay connected.",
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
          "A link for a new password works once, within one hour, and only the newest one does. Your password was not changed just now.",
        )}
      </p>
      <NextStep href="/password/forgot">{t("Ask for a new link")}</NextStep>
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
