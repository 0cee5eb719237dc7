import type { ComponentChildren, VNode } from "preact";
import type { Tx } from "../../db/database.js";
import { verifyPasswordOf } from "../../domain/accounts/accounts.js";
import { hasAccounts } from "../../domain/accounts/setup-links.js";
import { requiresSso, emailRequiresSso } from "../../domain/accounts/sso-required.js";
import { t, tRich } from "../../language/translate.js";
import { PostForm, TextInput } from "../forms/controls.js";
import { hiddenField, textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { FormRefusal, otherPage, seeOther } from "../forms/form-reply.js";
import { BarePage } from "../layout/bare-page.js";
import { returnAddress } from "../layout/return-addresses.js";
import { DemoSignIn } from "./demo-sign-in.js";
import { keepPendingSignIn } from "./pending-sign-in.js";
import { leadToProvider } from "./provider-pages.js";
import { completeSignIn } from "./sessions.js";
import {
  passkeyAddress,
  providerAddress,
  secondFactorAddress,
  withNext,
} from "./sign-in-addresses.js";
import { NotSetUpPage } from "./setup.js";
import { isDocumentAddress } from "../../domain/oauth/client-documents.js";
import { findClient } from "../../domain/oauth/clients.js";
import { waitingAddress } from "./stored-invitation.js";

/** `/signin`: pages redirect signed-out people here, and back after the sign-in. */
export const signInForm = formRoute({
  path: "/signin",
  open: async ({ request, db, query }) => {
    if (request.method === "POST") return undefined;
    if (request.person !== null) return seeOther(returnAddress(request, query("next")));
    return (await hasAccounts(db)) ? undefined : otherPage(200, <NotSetUpPage />);
  },
  fields: { email: textField("Email"), password: textField("Password"), next: hiddenField },
  begin: ({ query }) => ({ next: query("next") }),
  inTransaction: false,
  onlyChecks: true,
  change: async (db, { app, request, values: { email = "", password = "" } }) => {
    await app.services.signInThrottle.begin("password", request.ip, email);
    const origin = request.activityOrigin();
    const failures = app.services.failedSignIns;
    const person = await verifyPasswordOf(db, { email, password, origin, failures });
    const hasOneWay =
      person === undefined ? await emailRequiresSso(db, email) : await requiresSso(db, person.id);
    // The response doesn't reveal if the account exists or if the password was right.
    if (hasOneWay) return undefined;
    if (person === undefined) {
      throw new FormRefusal([
        { field: "email", message: t("That email and password don't match.") },
      ]);
    }
    return person;
  },
  done: async (person, { app, request, values: { email = "", next = "" } }) => {
    if (person === undefined) return leadToProvider(email, next);
    if (person.hasSecondFactor) {
      await app.services.signInThrottle.takeBack("password", request.ip, person.email);
      keepPendingSignIn(request, person);
      return seeOther(withNext(secondFactorAddress, next));
    }
    const address = returnAddress(request, next);
    await completeSignIn(app, request, person, { method: "password" });
    return seeOther(address);
  },
  page: async ({ app, db, request, values: { next = "" } }) => (
    <SignInPage
      next={next}
      purpose={await describePurpose(db, returnAddress(request, next))}
      passkeysOffered={app.services.relyingParty !== undefined}
      isDemo={app.services.demoPeople !== undefined}
      signUpOffered={app.services.config.signup === "open" && app.services.mails.delivers}
    />
  ),
});

interface SignInView {
  /** The key of the stored return address. Empty for none. */
  next: string;
  /** The person's goal, if it is more than viewing a page. */
  purpose: VNode | undefined;
  passkeysOffered: boolean;
  isDemo: boolean;
  signUpOffered: boolean;
}

function SignInPage({ next, purpose, passkeysOffered, isDemo, signUpOffered }: SignInView): VNode {
  return (
    <BarePage title={t("Sign in")}>
      {purpose}
      {isDemo && <DemoSignIn />}
      <PostForm action="/signin">
        <input type="hidden" name="next" value={next} />
        <TextInput name="email" type="email" autocomplete="username" required />
        <TextInput name="password" type="password" autocomplete="current-password" required />
        <button type="submit">{t("Sign in")}</button>
      </PostForm>
      {passkeysOffered && (
        <p>
          <a class="button quiet" href={withNext(passkeyAddress, next)}>
            {t("Sign in with a passkey")}
          </a>
        </p>
      )}
      <p>
        <a class="button quiet" href={withNext(providerAddress, next)}>
          {t("Sign in with your organization")}
        </a>
      </p>
      <p class="soft">
        <a href="/password/forgot">{t("Forgot your password?")}</a>
      </p>
      {signUpOffered && (
        <p class="soft">
          {tRich("No account yet? <a>Create an account</a>", {
            a: (words: ComponentChildren) => <a href="/signup">{words}</a>,
          })}
        </p>
      )}
    </BarePage>
  );
}

/** Describes the person's goal after the sign-in, if it is more than viewing a page. */
async function describePurpose(db: Tx, address: string): Promise<VNode | undefined> {
  if (address === waitingAddress) return <p>{t("Sign in to accept the invitation.")}</p>;
  if (!address.startsWith("/oauth/authorize?")) return undefined;
  const name = await findAppName(db, address);
  return (
    <p>
      {name === undefined
        ? t("An app wants to connect. Sign in, then decide what it can do.")
        : tRich("An app called {name} wants to connect. Sign in, then decide what it can do.", {
            name: <bdi class="app-name">{name}</bdi>,
          })}
    </p>
  );
}

/** Only for registered apps. The server doesn't fetch client metadata documents for strangers. */
async function findAppName(db: Tx, address: string): Promise<string | undefined> {
  const query = address.slice(address.indexOf("?") + 1);
  const id = new URLSearchParams(query).get("client_id") ?? "";
  if (id.includes("\0") || isDocumentAddress(id)) return undefined;
  return (await findClient(db, id))?.name ?? undefined;
}
