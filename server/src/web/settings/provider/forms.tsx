import type { VNode } from "preact";
import { requireOrganizationOwner } from "../../../domain/access/roles.js";
import { ProviderFailure } from "../../../domain/accounts/provider-client.js";
import { setSsoRequired } from "../../../domain/accounts/sso-required.js";
import {
  decideOnProvider,
  getProviderSettings,
  readingOfProvider,
  removeProvider,
  saveProvider,
  type ProviderSettings,
} from "../../../domain/accounts/providers.js";
import { AppError } from "../../../errors.js";
import { t, tRich } from "../../../language/translate.js";
import { providerCallback } from "../../accounts/sign-in-addresses.js";
import {
  Checkbox,
  FormActions,
  PostForm,
  Select,
  TextInput,
  toNamedOptions,
} from "../../forms/controls.js";
import { checkboxField, required, textField } from "../../forms/form-fields.js";
import { refuseAt, seeOther, type FormReply } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { StaleLink } from "../../forms/stale-notice.js";
import { Notice } from "../../layout/notices.js";
import { describeProviderFailure } from "../../text/provider-failures.js";
import { askToConfirm } from "../security/confirm.js";
import { SettingsPage } from "../settings-layout.js";
import { providerCrumbs, providerSettings } from "./addresses.js";

/**
 * For owners with a recent confirmation of identity, because the provider signs in everyone else.
 */
export async function askOwner({
  db,
  caller,
  request,
}: FormRequest): Promise<FormReply | undefined> {
  await requireOrganizationOwner(db, caller, decideOnProvider);
  return askToConfirm(request);
}

async function openForOwner(form: FormRequest): Promise<ProviderSettings | FormReply> {
  return (await askOwner(form)) ?? getProviderSettings(form.db, form.caller);
}

const editAddress = `${providerSettings}/edit`;

/** `/settings/organization/provider/edit` */
export const editProviderForm = formRoute({
  path: editAddress,
  open: openForOwner,
  version: ({ provider }) => readingOfProvider(provider),
  fields: {
    issuer: required(textField("Issuer URL"), "Enter the address."),
    client_id: required(textField("Client ID"), "Enter the client ID."),
    client_secret: textField("Client secret"),
    verifies_addresses: checkboxField("The provider verifies all addresses"),
  },
  begin: ({ subject: { provider } }) => ({
    ...(provider !== null && { issuer: provider.issuer, client_id: provider.client_id }),
    ...(provider?.verifies_addresses === true && { verifies_addresses: "yes" }),
  }),
  change: (tx, { app, caller, given, version: expected }) =>
    saveProvider(tx, caller, app.services.providerSecrets, {
      issuer: given.issuer,
      client_id: given.client_id,
      client_secret: given.client_secret,
      verifies_addresses: given.verifies_addresses === true,
      expected,
    }),
  done: () => seeOther(providerSettings, t("Identity provider saved. Test the connection next.")),
  page: ({ app, caller, subject }) => (
    <EditPage
      isNew={subject.provider === null}
      redirectUri={app.services.config.baseUrl + providerCallback(caller.organizationId)}
    />
  ),
});

function EditPage({ isNew, redirectUri }: { isNew: boolean; redirectUri: string }): VNode {
  return (
    <SettingsPage title={t("Identity provider")} current={editAddress} crumbs={providerCrumbs()}>
      <StaleLink href={providerSettings} />
      <p>
        {tRich(
          "At the provider, register Fettle as a confidential web client with the redirect URL {redirectUri}",
          { redirectUri: <code class="secret-key">{redirectUri}</code> },
        )}
      </p>
      <PostForm>
        <TextInput
          name="issuer"
          help={t("From the provider's documentation, such as https://login.example.com.")}
          maxLength={500}
        />
        <TextInput name="client_id" maxLength={300} />
        <TextInput
          name="client_secret"
          type="password"
          help={
            isNew
              ? t("Stored encrypted and never shown again.")
              : t("Leave blank to keep the current secret. A new address needs a new secret.")
          }
          autocomplete="new-password"
          maxLength={1000}
          required={isNew}
        />
        <Checkbox
          name="verifies_addresses"
          help={t(
            "Only for providers that don't send email_verified, such as Entra ID. Select this only if people can't choose their own address there.",
          )}
        />
        <FormActions submit={t("Save")} cancel={providerSettings} />
      </PostForm>
    </SettingsPage>
  );
}

/** The button "Test the connection". */
export const testProviderForm = formRoute({
  path: `${providerSettings}/test`,
  limit: "provider-test",
  open: async ({ db, caller }) => {
    await requireOrganizationOwner(db, caller, decideOnProvider);
    return getProviderSettings(db, caller);
  },
  inTransaction: false,
  change: async (_, { app, subject: { provider } }) => {
    if (provider === null) throw new AppError("invalid_transition", "no_identity_provider");
    await app.services.providers.check(provider.issuer);
  },
  toErrors: (error, { request }) => {
    if (!(error instanceof ProviderFailure)) throw error;
    request.log.info({ err: error, reason: error.reason }, "a test of an identity provider failed");
    const { what, todo } = describeProviderFailure(error);
    return refuseAt(providerSettings, [t("Test failed."), what, todo].join(" "));
  },
  done: () =>
    seeOther(
      providerSettings,
      t(
        "Connected. The identity provider meets Fettle's requirements. Sign in once to check the client ID and secret.",
      ),
    ),
});

/** `/settings/organization/provider/remove` */
export const removeProviderForm = formRoute({
  path: `${providerSettings}/remove`,
  open: openForOwner,
  change: (tx, { caller }) => removeProvider(tx, caller),
  done: () => seeOther(providerSettings, t("Identity provider removed.")),
  page: () => (
    <SettingsPage
      title={t("Remove the identity provider")}
      heading={t("Remove the identity provider?")}
      current={`${providerSettings}/remove`}
      crumbs={providerCrumbs()}
    >
      <p>
        {t(
          "People can no longer sign in with it. Those without a password can request one under “Forgot your password?”. No one is signed out.",
        )}
      </p>
      <PostForm>
        <FormActions submit={t("Remove identity provider")} danger cancel={providerSettings} />
      </PostForm>
    </SettingsPage>
  ),
});

/** `/settings/organization/provider/sso-required` */
export const ssoRequiredForm = formRoute({
  path: `${providerSettings}/sso-required`,
  open: openForOwner,
  fields: {
    sso_required: checkboxField("Require single sign-on for our domains"),
    break_glass_owner: textField("Owner with password access"),
  },
  begin: ({ subject: { provider } }) => ({
    ...(provider?.sso_required === true && { sso_required: "yes" }),
    break_glass_owner: provider?.break_glass_owner_id ?? "",
  }),
  change: (tx, { app, caller, given }) =>
    setSsoRequired(tx, caller, app.services.mails, {
      on: given.sso_required === true,
      breakGlassOwner: given.break_glass_owner ?? null,
    }),
  done: (changed, { app }) => {
    app.services.mails.announce();
    return seeOther(providerSettings, changed ? t("Rule saved.") : t("Nothing was changed."));
  },
  page: ({ subject }) => <SsoRequiredPage owners={subject.owners} hasOwn={subject.has_own} />,
});

interface SsoRequiredView {
  owners: ProviderSettings["owners"];
  hasOwn: boolean;
}

function SsoRequiredPage({ owners, hasOwn }: SsoRequiredView): VNode {
  return (
    <SettingsPage
      title={t("Single sign-on only")}
      current={`${providerSettings}/sso-required`}
      crumbs={providerCrumbs()}
    >
      {!hasOwn && (
        <Notice kind="warning">
          <p>{t("Sign in with the provider yourself before you turn this on.")}</p>
        </Notice>
      )}
      <PostForm>
        <Checkbox
          name="sso_required"
          help={t(
            "Their passwords, password links and passkeys are refused. The rule applies from the next sign-in. It doesn't end existing sessions or disconnect apps. Owners get an email when it ends.",
          )}
        />
        <Select
          name="break_glass_owner"
          help={t(
            "An owner who can still sign in with a password if the provider is down or its secret has expired. Use a long password and a second factor for this account.",
          )}
          options={toNamedOptions(owners)}
          empty={t("No one")}
        />
        <FormActions submit={t("Save")} cancel={providerSettings} />
      </PostForm>
    </SettingsPage>
  );
}
