import type { VNode } from "preact";
import { commit } from "../../domain/history/transactions.js";
import {
  findSecondFactors,
  useCode,
  type SecondFactors,
} from "../../domain/accounts/second-factors.js";
import { signInFailures } from "../../metrics.js";
import { t } from "../../language/translate.js";
import { PostForm } from "../forms/controls.js";
import { CodeInput, codeField, wrongCode } from "../forms/code-input.js";
import { hiddenField, readText } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { FormRefusal, seeOther } from "../forms/form-reply.js";
import { BarePage } from "../layout/bare-page.js";
import { returnAddress } from "../layout/return-addresses.js";
import { completePendingSignIn, findPendingSignIn } from "./pending-sign-in.js";
import { passkeyAddress, secondFactorAddress, withNext } from "./sign-in-addresses.js";

/** `/signin/second-factor`: asks for the second factor after a correct password. */
export const secondFactorForm = formRoute({
  path: secondFactorAddress,
  open: async ({ request, query }) => {
    const person = await findPendingSignIn(request);
    if (person !== undefined) return person;
    const next = query("next") || readText(request.body, "next");
    if (request.person !== null) return seeOther(returnAddress(request, next));
    return seeOther(withNext("/signin", next), t("Enter your email and password again."));
  },
  fields: { code: codeField, next: hiddenField },
  begin: ({ query }) => ({ next: query("next") }),
  inTransaction: false,
  change: async (_, { app, request, subject: person, given: { code } }) => {
    await app.services.signInThrottle.begin("factor", request.ip, person.email);
    const factor = await commit({ db: request.db, caller: null }, (tx) =>
      useCode(tx, app.services.secondFactors, person, code, request.activityOrigin()),
    );
    if (factor !== undefined) return factor;
    signInFailures.inc({ method: "second_factor" });
    app.services.failedSignIns.record({
      userId: person.id,
      userName: person.name,
      origin: request.activityOrigin(),
      isSecondFactor: true,
    });
    throw new FormRefusal([wrongCode]);
  },
  done: async (factor, { app, request, subject: person, values: { next = "" } }) => {
    const address = returnAddress(request, next);
    await completePendingSignIn(app, request, person, factor);
    if (factor !== "recovery_code") return seeOther(address);
    const to = { href: "/settings/security", label: t("Sign-in and security") };
    return seeOther(address, t("You used one of your recovery codes. It no longer works."), to);
  },
  page: async ({ app, db, request, subject: { id }, values: { next = "" } }) => {
    const factors = await findSecondFactors(db, id);
    const offersPasskey = factors.passkeys.length > 0 && app.services.relyingParty !== undefined;
    const isOfProvider = request.session.pendingSignIn?.subject !== undefined;
    return <SecondFactorPage {...{ factors, offersPasskey, isOfProvider, next }} />;
  },
});

interface SecondFactorView {
  factors: SecondFactors;
  offersPasskey: boolean;
  /** True if the first step was the identity provider. */
  isOfProvider: boolean;
  next: string;
}

function SecondFactorPage(view: SecondFactorView): VNode {
  const { factors, offersPasskey, isOfProvider, next } = view;
  return (
    <BarePage title={t("Second factor")} heading={t("One more step")}>
      <p>
        {isOfProvider
          ? t("Your organization signed you in. Now use your second factor.")
          : t("Password correct. Now use your second factor.")}
      </p>
      {offersPasskey && (
        <p>
          <a
            class={factors.authenticator === null ? "button" : "button quiet"}
            href={withNext(passkeyAddress, next)}
          >
            {t("Use a passkey")}
          </a>
        </p>
      )}
      <PostForm action={secondFactorAddress}>
        <input type="hidden" name="next" value={next} />
        <CodeInput hasAuthenticator={factors.authenticator !== null} />
        <button type="submit" class={factors.authenticator === null ? "secondary" : undefined}>
          {t("Sign in")}
        </button>
      </PostForm>
      <p class="soft">
        {t("Lost everything? Ask the server's administrator to remove your second factors.")}
      </p>
      <p class="soft">
        <a href={withNext("/signin", next)}>{t("Use another account")}</a>
      </p>
    </BarePage>
  );
}
