import {
  addDomain,
  getDomain,
  lookUpDomain,
  removeDomain,
  verifyDomain,
} from "../../../domain/identity-providers/domains.js";
import { decideOnProvider } from "../../../domain/identity-providers/providers.js";
import { requireOrganizationOwner } from "../../../domain/access/roles.js";
import { commit } from "../../../domain/changes/transactions.js";
import { AppError } from "../../../errors.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { required, textField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
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
  done: (domain) => seeOther(providerSettings, `${domain} is added. Now show that it is yours.`),
  page: () => (
    <SettingsPage title="Add a domain" current={newAddress} crumbs={providerCrumbs}>
      <PostForm>
        <TextInput
          name="domain"
          help="What stands behind the @ in your email addresses, like example.com. Domains below it count by themselves only."
          maxLength={253}
        />
        <FormActions submit="Add domain" cancel={providerSettings} />
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
  limit: { max: 30, timeWindow: 300_000 },
  open: async (form) => {
    await requireOrganizationOwner(form.db, form.caller, decideOnProvider);
    return findDomain(form);
  },
  inTransaction: false,
  change: async (_, { app, caller, request, subject }) => {
    await lookUpDomain(app.providers, subject);
    await commit({ db: request.db, caller }, (tx) => verifyDomain(tx, caller, subject));
  },
  toErrors: (error) => {
    if (!(error instanceof AppError) || error.code !== "invalid_transition") throw error;
    return seeOther(providerSettings, describeRefusalForPeople(error));
  },
  done: (_, { subject: { domain } }) => seeOther(providerSettings, `${domain} is verified.`),
});

/** `/settings/organization/provider/domains/:domain/remove` */
export const removeDomainForm = formRoute({
  path: domainAddress(":domain", "remove"),
  open: async (form) => (await askOwner(form)) ?? findDomain(form),
  change: (tx, { caller, subject }) => removeDomain(tx, caller, subject),
  done: (_, { subject: { domain } }) => seeOther(providerSettings, `${domain} is removed.`),
  page: ({ subject: { domain } }) => (
    <SettingsPage
      title="Remove a domain"
      heading={`Remove ${domain}?`}
      current={domainAddress(domain, "remove")}
      crumbs={providerCrumbs}
    >
      <p>
        Its people do not sign in with your provider any more. To add it again takes a new text in
        DNS.
      </p>
      <PostForm>
        <FormActions submit="Remove domain" danger cancel={providerSettings} />
      </PostForm>
    </SettingsPage>
  ),
});
