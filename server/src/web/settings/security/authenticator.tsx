import type { ComponentChildren, VNode } from "preact";
import {
  addAuthenticator,
  createOffer,
  openOffer,
  removeAuthenticator,
  type AuthenticatorOffer,
} from "../../../domain/accounts/authenticators.js";
import { findSecondFactors } from "../../../domain/accounts/second-factors.js";
import { t, tRich } from "../../../language/translate.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { hiddenField, required, textField } from "../../forms/form-fields.js";
import { QrImage } from "../../forms/qr-image.js";
import { formRoute } from "../../forms/form-route.js";
import { FormRefusal, seeOther } from "../../forms/form-reply.js";
import { personOf } from "../../layout/reply.js";
import { securityAddress } from "../../layout/mfa-redirect.js";
import { renewSession } from "../../accounts/sessions.js";
import { SettingsPage } from "../settings-layout.js";
import { askToConfirm, ownerOf, securityCrumbs } from "./confirm.js";
import { showRecoveryCodes } from "./recovery-codes.js";

export const authenticatorAddress = `${securityAddress}/authenticator`;
export const removeAuthenticatorAddress = `${authenticatorAddress}/remove`;

/** `/settings/security/authenticator`: sets up an authenticator, which replaces an earlier one. */
export const authenticatorForm = formRoute({
  path: authenticatorAddress,
  isPersonal: true,
  open: async ({ db, request }) => {
    const { authenticator } = await findSecondFactors(db, personOf(request).id);
    return askToConfirm(request) ?? { isReplaced: authenticator !== null };
  },
  fields: {
    code: required(textField("Code"), "Enter the code from the app."),
    offer: hiddenField,
  },
  begin: ({ app, request }) => ({
    offer: createOffer(app.services.secondFactors, personOf(request)).sealed,
  }),
  change: async (tx, { app, request, values: { offer = "" }, given: { code } }) => {
    const open = openOffer(app.services.secondFactors, personOf(request), offer);
    if (open === undefined) throw tooOld();
    const { secret } = open;
    return addAuthenticator(tx, app.services.secondFactors, ownerOf(request), { secret, code });
  },
  done: async (codes, { app, request }) => {
    app.services.mails.announce();
    await renewSession(request, personOf(request).id, "authenticator");
    const done = t("Authenticator app set up.");
    if (codes === undefined) return seeOther(securityAddress, done);
    return showRecoveryCodes(request, codes, { isFirst: true });
  },
  page: ({ app, request, subject: { isReplaced }, values: { offer = "" } }) => {
    const person = personOf(request);
    const present = openOffer(app.services.secondFactors, person, offer);
    const shown = present ?? createOffer(app.services.secondFactors, person);
    return <AuthenticatorPage offer={shown} isReplaced={isReplaced} />;
  },
});

function tooOld(): FormRefusal {
  const message = t("This page was open for too long. Scan the new QR code below.");
  return new FormRefusal([{ message }]);
}

/** `/settings/security/authenticator/remove` */
export const removeAuthenticatorForm = formRoute({
  path: removeAuthenticatorAddress,
  isPersonal: true,
  open: async ({ db, request }) => {
    const { authenticator } = await findSecondFactors(db, personOf(request).id);
    return authenticator === null ? seeOther(securityAddress) : askToConfirm(request);
  },
  change: (tx, { app, request }) =>
    removeAuthenticator(tx, app.services.secondFactors, ownerOf(request)),
  done: async (_, { app, request }) => {
    app.services.mails.announce();
    await renewSession(request, personOf(request).id);
    return seeOther(securityAddress, t("Authenticator app removed."));
  },
  page: () => (
    <SettingsPage
      title={t("Remove the authenticator app")}
      heading={t("Remove the authenticator app?")}
      current={removeAuthenticatorAddress}
      crumbs={securityCrumbs()}
    >
      <p>
        {t(
          "Its codes stop working. Without another second factor, you sign in with your password only, and your recovery codes are deleted. You can set it up again at any time.",
        )}
      </p>
      <PostForm isPersonal>
        <FormActions submit={t("Remove authenticator app")} danger cancel={securityAddress} />
      </PostForm>
    </SettingsPage>
  ),
});

interface AuthenticatorView {
  offer: AuthenticatorOffer;
  isReplaced: boolean;
}

function AuthenticatorPage({ offer, isReplaced }: AuthenticatorView): VNode {
  return (
    <SettingsPage
      title={isReplaced ? t("Replace the authenticator app") : t("Set up an authenticator app")}
      current={authenticatorAddress}
      crumbs={securityCrumbs()}
    >
      <p class="soft">
        {t(
          "An app such as Aegis, Google Authenticator or a password manager shows a new code every 30 seconds. You enter it after your password.",
        )}
        {isReplaced && ` ${t("Codes from your current app stop working.")}`}
      </p>
      <section class="panel" aria-label={t("Authenticator app")}>
        <ol class="steps">
          <li>
            {tRich("Scan this with the app, or <a>open it in an app on this device</a>.", {
              a: (words: ComponentChildren): VNode => <a href={offer.uri}>{words}</a>,
            })}
            <QrImage label={t("Scan with your authenticator app")} text={offer.uri} />
          </li>
          <li>
            {t("Can't scan? Enter this key:")}
            <code class="secret-key">{offer.secret.match(/.{1,4}/g)?.join(" ")}</code>
          </li>
          <li>{t("Enter the six digits the app shows now.")}</li>
        </ol>
        <PostForm isPersonal>
          <input type="hidden" name="offer" value={offer.sealed} />
          <TextInput name="code" inputMode="numeric" autocomplete="one-time-code" maxLength={12} />
          <FormActions submit={t("Set up")} cancel={securityAddress} />
        </PostForm>
      </section>
    </SettingsPage>
  );
}
