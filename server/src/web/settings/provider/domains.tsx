import {
  addDomain,
  getDomain,
  lookUpDomain,
  removeDomain,
  verifyDomain,
} from "../../../domain/accounts/domains.js";
import { decideOnProvider } from "../../../domain/accounts/providers.js";
import { requireOrganizationOwner } from "../../../domain/access/roles.js";
import { commit } from "../../../domain/history/transactions.js";
import { AppError } from "../../../errors.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { required, textField } from "../../forms/form-fields.js";
import { refuseAt, seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { describeRefusalForPeople } from "../../text/refusals-for-people.js";
import { SettingsPage } from "../settings-layout.js";
import { domainAddress, providerCrumbs, providerSettings } from "./addresses.js";
import { askOwner } from "./forms.js";

const newAddress = `${providerSettings}/domains/new`;

/** `/settings/organization/provider/domains/new` */
export const newDomainForm = formRoute({
  path: newAddress,
  open: askOwner,
  fields: { domain: required(textField("Domain"), "Enter a domain.") },
  change: (tx, { caller, given }) => addDomain(tx, caller, given.domain),
  done: (domain) => seeOther(providerSettings, t("{domain} added. Now verify it.", { domain })),
  page: () => (
    <SettingsPage title={t("Add a domain")} current={newAddress} crumbs={providerCrumbs()}>
      <PostForm>
        <TextInput
          name="domain"
          help={t(
            "The part of your email addresses after the @, such as example.com. Add subdomains separately.",
          )}
          maxLength={253}
        />
        <FormActions submit={t("Add domain")} cancel={providerSettings} />
      </PostForm>
    </SettingsPage>
  ),
});

function findDomain({ db, caller, params: { domain = "" } }: FormRequest) {
  return getDomain(db, caller, domain);
}

/** The button "Check now". */
export const checkDomainForm = formRoute({
  path: domainAddress(":domain", "check"),
  limit: "domain-check",
  open: async (form) => {
    await requireOrganizationOwner(form.db, form.caller, decideOnProvider);
    return findDomain(form);
  },
  inTransaction: false,
  change: async (_, { app, caller, request, subject }) => {
    await lookUpDomain(app.services.providers, subject);
    await commit({ db: request.db, caller }, (tx) => verifyDomain(tx, caller, subject));
  },
  toErrors: (error) => {
    if (!(error instanceof AppError) || error.code !== "invalid_transition") throw error;
    return refuseAt(providerSettings, describeRefusalForPeople(error));
  },
  done: (_, { subject: { domain } }) =>
    seeOther(providerSettings, t("{domain} verified.", { domain })),
});

/** `/settings/organization/provider/domains/:domain/remove` */
export const removeDomainForm = formRoute({
  path: domainAddress(":domain", "remove"),
  open: async (form) => (await askOwner(form)) ?? findDomain(form),
  change: (tx, { caller, subject }) => removeDomain(tx, caller, subject.domain),
  done: (_, { subject: { domain } }) =>
    seeOther(providerSettings, t("{domain} removed.", { domain })),
  page: ({ subject: { domain } }) => (
    <SettingsPage
      title={t("Remove a domain")}
      heading={t("Remove {domain}?", { domain })}
      current={domainAddress(domain, "remove")}
      crumbs={providerCrumbs()}
    >
      <p>
        {t(
          "People with this domain can no longer sign in with your provider. Adding it again needs a new DNS record.",
        )}
      </p>
      <PostForm>
        <FormActions submit={t("Remove domain")} danger cancel={providerSettings} />
      </PostForm>
    </SettingsPage>
  ),
});
