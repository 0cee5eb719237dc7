import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import { hasAccounts } from "../../domain/accounts/setup-links.js";
import { checkSignUp, requestSignUp } from "../../domain/accounts/sign-ups.js";
import { commit } from "../../domain/history/transactions.js";
import { toLookup } from "../../domain/shared/emails.js";
import { t, tRich } from "../../language/translate.js";
import { inChosenLanguage } from "../forms/place-choices.js";
import { formRoute } from "../forms/form-route.js";
import { otherPage, seeOther } from "../forms/form-reply.js";
import { sendPage } from "../layout/reply.js";
import {
  AccountForm,
  accountFields,
  beginAccount,
  checkAccountForm,
  toAccount,
} from "./account-form.js";
import { BarePage } from "../layout/bare-page.js";
import { NotSetUpPage } from "./setup.js";
import type { AppServices } from "../../services.js";

/** `/signup`: an account of one's own, where the operator allows it and addresses can be verified. */
export const signUpPages: FastifyPluginAsync = async (app) => {
  if (app.services.config.signup === "open" && !app.services.mails.delivers) {
    app.log.warn(
      "SIGNUP=open needs a mail server to verify addresses; without SMTP_URL nobody can sign up",
    );
  }
  await app.register(signUpForm);
  app.get("/signup/sent", async (_, reply) => sendPage(reply, <SentPage />));
};

const signUpForm = formRoute({
  path: "/signup",
  limit: "account-form",
  open: async ({ app, request }) => {
    const isPost = request.method === "POST";
    if (!isPost && request.person !== null) return seeOther("/");
    const obstacle = await findObstacle(app.services);
    return obstacle === undefined ? undefined : otherPage(isPost ? 403 : 200, obstacle);
  },
  fields: accountFields,
  check: checkAccountForm,
  begin: ({ request }) => beginAccount(request),
  inTransaction: false,
  change: (_, { app, request, values }) =>
    inChosenLanguage(values, async () => {
      const { mails, config } = app.services;
      const origin = request.activityOrigin();
      const checked = await checkSignUp({ ...toAccount(values), origin });
      // As for a link for a new password.
      return app.services.strangersTurns(toLookup(checked.email), () =>
        commit({ db: request.db, caller: null }, (tx) =>
          requestSignUp(tx, mails, { ...checked, baseUrl: config.baseUrl }),
        ),
      );
    }),
  done: (waiting, { app, request, values: { email = "" } }) => {
    if (waiting !== undefined) request.session.signUp = waiting;
    app.services.mails.announce();
    return seeOther("/signup/sent", t("We write to {email}.", { email: email.trim() }));
  },
  page: () => <SignUpPage />,
});

/** Why nobody can sign up here, if so. The first account is made with the set-up link. */
async function findObstacle({
  config,
  strangersDb,
  mails,
}: AppServices): Promise<VNode | undefined> {
  if (!(await hasAccounts(strangersDb))) return <NotSetUpPage />;
  if (config.signup !== "open") return <InvitationOnlyPage />;
  return mails.delivers ? undefined : <NoMailPage />;
}

function SignUpPage(): VNode {
  return (
    <BarePage title={t("Create an account")}>
      <AccountForm action="/signup" />
      <p class="soft">
        {tRich("You have an account? <a>Sign in</a>", {
          a: (words: ComponentChildren) => <a href="/signin">{words}</a>,
        })}
      </p>
    </BarePage>
  );
}

function SentPage(): VNode {
  return (
    <BarePage title={t("Look into your mail")}>
      <p>
        {t(
          "Open the link in the mail to confirm your address. It works once, within 24 hours; your account is made then.",
        )}
      </p>
      <p class="soft">
        {t(
          "Nothing there after a few minutes? Look into the spam folder, or send the form again with the right address. An address gets at most three of these mails an hour.",
        )}
      </p>
      <p>
        <a href="/signup">{t("Back to the form")}</a>
      </p>
    </BarePage>
  );
}

function InvitationOnlyPage(): VNode {
  return (
    <BarePage title={t("Accounts are by invitation")}>
      <p>
        {t(
          "On this server nobody creates an account alone. Ask an owner or admin of your organization to invite you, or the person who runs the server.",
        )}
      </p>
      <p>
        <a href="/signin">{t("Go to sign-in")}</a>
      </p>
    </BarePage>
  );
}

function NoMailPage(): VNode {
  return (
    <BarePage title={t("Accounts are made by the operator")}>
      <p>
        {t(
          "This server sends no mail, so it cannot check that an address is yours. Ask the person who runs the server to make an account for you. They use this command:",
        )}
      </p>
      <pre>
        <code>
          {
            'fettle account create --email you@example.com --name "Your name" --organization "Organization name" --password-stdin'
          }
        </code>
      </pre>
      <p>
        <a href="/signin">{t("Go to sign-in")}</a>
      </p>
    </BarePage>
  );
}
