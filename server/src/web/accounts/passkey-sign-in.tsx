import type { VNode } from "preact";
import { requiresSso } from "../../domain/accounts/sso-required.js";
import { signInFailures } from "../../metrics.js";
import { t } from "../../language/translate.js";
import { hiddenField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { FormRefusal, otherPage, seeOther } from "../forms/form-reply.js";
import { PasskeyForm } from "../forms/passkey-form.js";
import { BarePage, NextStep } from "../layout/bare-page.js";
import { returnAddress } from "../layout/return-addresses.js";
import { askForPasskey, takePasskeyAnswer } from "./passkey-use.js";
import { completePendingSignIn, findPendingSignIn } from "./pending-sign-in.js";
import { leadToProvider } from "./provider-pages.js";
import { completeSignIn } from "./sessions.js";
import { passkeyAddress, withNext } from "./sign-in-addresses.js";

/** `/signin/passkey`: a passkey is enough, because it verifies its user. */
export const passkeySignInForm = formRoute({
  path: passkeyAddress,
  script: true,
  limit: "passkey-sign-in",
  open: async ({ app, request, query }) => {
    const { relyingParty } = app.services;
    if (relyingParty === undefined) return otherPage(404, <NoPasskeysPage />);
    // A provider's earlier statement about a person must not outlive its current one.
    if ((await findPendingSignIn(request)) === undefined) delete request.session.pendingSignIn;
    const isIn = request.person !== null && request.session.pendingSignIn === undefined;
    if (request.method === "GET" && isIn) return seeOther(returnAddress(request, query("next")));
    return relyingParty;
  },
  fields: { response: hiddenField, next: hiddenField },
  begin: ({ query }) => ({ next: query("next") }),
  inTransaction: false,
  change: async (_, { app, request, subject: relyingParty, values: { response } }) => {
    const { pendingSignIn } = request.session;
    const person = await takePasskeyAnswer({ app, request }, relyingParty, "sign_in", response);
    if (person === undefined) throw refused();
    if (pendingSignIn !== undefined && pendingSignIn.userId !== person.id) throw ofOther();
    return person;
  },
  done: async (person, { app, request, values: { next = "" } }) => {
    const address = returnAddress(request, next);
    if (request.session.pendingSignIn?.subject !== undefined) {
      await completePendingSignIn(app, request, person, "passkey");
      return seeOther(address);
    }
    if (await requiresSso(request.db, person.id)) return leadToProvider(person.email, next);
    await completeSignIn(app, request, person, { method: "passkey" });
    return seeOther(address);
  },
  page: async ({ request, subject: relyingParty, values: { next = "" } }) => {
    const options = await askForPasskey(request, relyingParty, "sign_in");
    return <PasskeyPage options={options} next={next} />;
  },
});

function refused(): FormRefusal {
  signInFailures.inc({ method: "passkey" });
  const message = t(
    "The passkey wasn't accepted. It may have taken too long, or it isn't from an account here. Try again.",
  );
  return new FormRefusal([{ message }]);
}

function ofOther(): FormRefusal {
  const message = t("That passkey belongs to a different account than the password you entered.");
  return new FormRefusal([{ message }]);
}

function PasskeyPage({ options, next }: { options: object; next: string }): VNode {
  return (
    <BarePage title={t("Sign in with a passkey")}>
      <p>
        {t(
          "Your browser asks for your fingerprint, face or PIN. You don't need a password or code.",
        )}
      </p>
      <PasskeyForm
        action={passkeyAddress}
        passkey="get"
        options={options}
        submit={t("Use a passkey")}
      >
        <input type="hidden" name="next" value={next} />
      </PasskeyForm>
      <p class="soft">
        <a href={withNext("/signin", next)}>{t("Sign in with your password")}</a>
      </p>
    </BarePage>
  );
}

function NoPasskeysPage(): VNode {
  return (
    <BarePage title={t("Passkeys aren't available here")}>
      <p>
        {t("Passkeys need an https address with a domain name, which this server doesn't have.")}
      </p>
      <NextStep href="/signin">{t("Sign in with your password")}</NextStep>
    </BarePage>
  );
}
