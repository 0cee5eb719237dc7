import type { VNode } from "preact";
import { createChallenge, isOpen } from "../../../domain/accounts/challenges.js";
import {
  addPasskey,
  createRegistrationOptions,
  getPasskey,
  maxPasskeyName,
  removePasskey,
} from "../../../domain/accounts/passkeys.js";
import { AppError } from "../../../errors.js";
import { t } from "../../../language/translate.js";
import { renewSession } from "../../accounts/sessions.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { hiddenField, required, textField } from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import { otherPage, seeOther } from "../../forms/form-reply.js";
import { PasskeyForm } from "../../forms/passkey-form.js";
import { personOf } from "../../layout/reply.js";
import { securityAddress } from "../../layout/mfa-redirect.js";
import { describeBrowser } from "../../text/browser-names.js";
import { SettingsPage } from "../settings-layout.js";
import { askToConfirm, ownerOf, securityCrumbs } from "./confirm.js";
import { NoPasskeysPage } from "./no-passkeys.js";
import { showRecoveryCodes } from "./recovery-codes.js";

const passkeysAddress = `${securityAddress}/passkeys`;
export const newPasskeyAddress = `${passkeysAddress}/new`;

export function removePasskeyAddress(id: string): string {
  return `${passkeysAddress}/${id}/remove`;
}

/** `/settings/security/passkeys/new` */
export const newPasskeyForm = formRoute({
  path: newPasskeyAddress,
  isPersonal: true,
  script: true,
  open: async ({ app, request }) =>
    askToConfirm(request) ?? app.services.relyingParty ?? otherPage(404, <NoPasskeysPage />),
  fields: {
    name: required(textField("Name"), "Enter a name."),
    response: hiddenField,
  },
  begin: ({ request }) => ({ name: describeBrowser(request.headers["user-agent"] ?? null) }),
  change: (tx, { app, request, subject: relyingParty, given: { name }, values }) => {
    const { challenge } = request.session;
    if (!isOpen(challenge, "register")) throw new AppError("validation_failed", "passkey_refused");
    const answer = { relyingParty, challenge, response: values.response ?? "", name };
    return addPasskey(tx, app.services.secondFactors, ownerOf(request), answer);
  },
  done: async (codes, { app, request, given: { name } }) => {
    app.services.mails.announce();
    delete request.session.challenge;
    await renewSession(request, personOf(request).id, "passkey");
    if (codes !== undefined) return showRecoveryCodes(request, codes, { isFirst: true });
    return seeOther(securityAddress, t("Passkey {name} added.", { name: name.trim() }));
  },
  page: async ({ db, request, subject: relyingParty }) => {
    const challenge = createChallenge("register");
    request.session.challenge = challenge;
    const person = personOf(request);
    const options = await createRegistrationOptions(db, relyingParty, person, challenge);
    return <NewPasskeyPage options={options} />;
  },
});

/** `/settings/security/passkeys/:id/remove` */
export const removePasskeyForm = formRoute({
  path: removePasskeyAddress(":id"),
  isPersonal: true,
  open: async ({ db, request, id }) =>
    askToConfirm(request) ?? (await getPasskey(db, personOf(request).id, id)),
  change: (tx, { app, request, subject }) =>
    removePasskey(tx, app.services.secondFactors, ownerOf(request), subject),
  done: async (_, { app, request, subject: { name } }) => {
    app.services.mails.announce();
    await renewSession(request, personOf(request).id);
    return seeOther(securityAddress, t("Passkey {name} removed.", { name }));
  },
  page: ({ subject: { id, name } }) => <RemovePage id={id} name={name} />,
});

function NewPasskeyPage({ options }: { options: object }): VNode {
  return (
    <SettingsPage title={t("Add a passkey")} current={newPasskeyAddress} crumbs={securityCrumbs()}>
      <p class="soft">
        {t(
          "A passkey is stored on this device, a security key or in a password manager. You sign in with your fingerprint, face or PIN, without a password or code.",
        )}
      </p>
      <section class="panel" aria-label={t("New passkey")}>
        <PasskeyForm
          action={newPasskeyAddress}
          passkey="create"
          options={options}
          submit={t("Add passkey")}
          cancel={securityAddress}
        >
          <TextInput
            name="name"
            help={t("To tell your passkeys apart, for example the device name.")}
            maxLength={maxPasskeyName}
          />
        </PasskeyForm>
      </section>
    </SettingsPage>
  );
}

function RemovePage({ id, name }: { id: string; name: string }): VNode {
  return (
    <SettingsPage
      title={t("Remove a passkey")}
      heading={t("Remove the passkey {name}?", { name })}
      current={removePasskeyAddress(id)}
      crumbs={securityCrumbs()}
    >
      <p>
        {t(
          "You can no longer sign in with it. Your device or password manager still shows it, so delete it there too. Without another second factor, you sign in with your password only, and your recovery codes are deleted.",
        )}
      </p>
      <PostForm isPersonal>
        <FormActions submit={t("Remove passkey")} danger cancel={securityAddress} />
      </PostForm>
    </SettingsPage>
  );
}
