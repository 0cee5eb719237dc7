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

/** `/signup`: creates an account, if the operator allows sign-up and addresses can be verified. */
export const signUpPages: FastifyPluginAsync = async (app) => {
  if (app.services.config.signup === "open" && !app.services.mails.delivers) {
    app.log.warn(
      "SIGNUP=open needs a mail server to verify addresses; without SMTP_URL, no one can sign up",
    );
  }
  await app.register(signUpForm);
  app.get("/signup/sent", async (_, reply) => sendPage(reply, <SentPage />));
};

const signUpForm = formRoute({
  path: "/signup",
  script: true,
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
      // Requests queue per address, as for password resets.
      return app.services.anonymousQueue(toLookup(checked.email), () =>
        commit({ db: request.db, caller: null }, (tx) =>
          requestSignUp(tx, mails, { ...checked, baseUrl: config.baseUrl }),
        ),
      );
    }),
  done: (waiting, { app, request, values: { email = "" } }) => {
    if (waiting !== undefined) request.session.signUp = waiting;
    app.services.mails.announce();
    return seeOther("/signup/sent", t("We'll email {email}.", { email: email.trim() }));
  },
  page: () => <SignUpPage />,
});

/** Returns a page if sign-up isn't possible. The first account is created with the set-up link. */
async function findObstacle({
  config,
  anonymousDb,
  mails,
}: AppServices): Promise<VNode | undefined> {
  if (!(await hasAccounts(anonymousDb))) return <NotSetUpPage />;
  if (config.signup !== "open") return <InvitationOnlyPage />;
  return mails.delivers ? undefined : <NoMailPage />;
}

function SignUpPage(): VNode {
  return (
    <BarePage title={t("Create an account")}>
      <AccountForm action="/signup" />
      <p class="soft">
        {tRich("Have an account? <a>Sign in</a>", {
          a: (words: ComponentChildren) => <a href="/signin">{words}</a>,
        })}
      </p>
    </BarePage>
  );
}

function SentPage(): VNode {
  return (
    <BarePage title={t("Check your email")}>
      <p>
        {t(
          "Open the link in the email to confirm your address and create your account. It works once, for 24 hours.",
        )}
      </p>
      <p class="soft">
        {t(
          "No email after a few minutes? Check your spam folder, or send the form again with the right address. You can request three emails an hour.",
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
    <BarePage title={t("Accounts are by invitation only")}>
      <p>
        {t(
          "Ask an owner or admin of your organization, or the server's administrator, to invite you.",
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
    <BarePage title={t("The server's administrator creates accounts")}>
      <p>
        {t(
          "This server can't send emails, so it can't check your address. Ask the server's administrator to create an account for you with this command:",
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
