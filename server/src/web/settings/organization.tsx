import type { VNode } from "preact";
import { isOrganizationAdmin } from "../../domain/access/caller.js";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import {
  getOrganizationSettings,
  updateOrganization,
  type OrganizationSettings,
} from "../../domain/organizations/organization-settings.js";
import { getDeletionRule } from "../../domain/organizations/deletion-rule.js";
import { getSecondFactorRules } from "../../domain/organizations/second-factor-rules.js";
import { t, tRich } from "../../language/translate.js";
import { Checkbox, FormActions, PostForm, Select, TextInput } from "../forms/controls.js";
import { withPresent } from "../forms/choices.js";
import { checkboxField, required, textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { currencies, toCurrencyLabel, zones } from "../forms/place-choices.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleLink } from "../forms/stale-notice.js";
import { Facts, InventoryNumber } from "../layout/facts.js";
import { toZoneLabel } from "../text/format.js";
import { toFieldLabel } from "../text/field-labels.js";
import { DeletionRulePanel } from "./deletion-rule.js";
import { ProviderPanel } from "./provider/overview.js";
import { SecondFactorRulesPanel } from "./second-factor-rules.js";
import { organizationAddress } from "./organization-address.js";
import { OrganizationExportPanel } from "./organization-export.js";
import { SettingsPage } from "./settings-layout.js";

/** `/settings/organization`: name, time zone, currency and inventory prefix; members read them. */
export const organizationForm = formRoute({
  path: organizationAddress,
  open: async ({ request, db, caller }) => {
    if (request.method !== "POST") return getOrganizationSettings(db, caller);
    await requireOrganizationAdmin(db, caller, "change the organization");
    return undefined;
  },
  version: (settings) => settings?.version ?? 0,
  fields: {
    name: required(
      textField(() => toFieldLabel("name")),
      "Enter a name.",
    ),
    time_zone: required(
      textField(() => toFieldLabel("time_zone")),
      "Choose a time zone.",
    ),
    currency: required(
      textField(() => toFieldLabel("currency")),
      "Choose a currency.",
    ),
    inventory_prefix: textField(() => toFieldLabel("inventory_prefix")),
    public_reports: checkboxField("Anybody with the label may report a problem"),
  },
  begin: async ({ db, caller, subject }) => {
    const { public_reports, ...settings } = subject ?? (await getOrganizationSettings(db, caller));
    const { name, time_zone, currency, inventory_prefix } = settings;
    const ticked = public_reports ? { public_reports: "yes" } : {};
    return { name, time_zone, currency, inventory_prefix, ...ticked };
  },
  once: "update_organization",
  change: (tx, { caller, given, version }) =>
    updateOrganization(tx, caller, {
      ...given,
      public_reports: given.public_reports ?? false,
      expected_version: version,
    }),
  done: ({ organization, changed }) =>
    seeOther(
      organizationAddress,
      changed.length === 0
        ? t("Nothing was changed.")
        : t("{name} is saved.", { name: organization.name }),
    ),
  page: async ({ caller, db, subject }) => {
    const settings = subject ?? (await getOrganizationSettings(db, caller));
    return (
      <SettingsPage title={t("Organization")} current={organizationAddress}>
        <StaleLink what="settings" href={organizationAddress} />
        {isOrganizationAdmin(caller) ? (
          <OrganizationForm settings={settings} />
        ) : (
          <OrganizationFacts settings={settings} />
        )}
        <SecondFactorRulesPanel
          rules={await getSecondFactorRules(db, caller)}
          isAdmin={isOrganizationAdmin(caller)}
        />
        <DeletionRulePanel
          needsPerson={await getDeletionRule(db, caller)}
          isAdmin={isOrganizationAdmin(caller)}
        />
        {isOrganizationAdmin(caller) && <ProviderPanel />}
        {isOrganizationAdmin(caller) && <OrganizationExportPanel />}
      </SettingsPage>
    );
  },
});

interface SettingsView {
  settings: OrganizationSettings;
}

function OrganizationFacts({ settings }: SettingsView): VNode {
  return (
    <>
      <p class="soft">{t("Admins of the organization can change this.")}</p>
      <section class="panel">
        <Facts
          facts={[
            [t("Name"), <bdi>{settings.name}</bdi>],
            [t("Time zone"), toZoneLabel(settings.time_zone)],
            [t("Currency"), toCurrencyLabel(settings.currency)],
            [
              t("Reports without an account"),
              settings.public_reports ? t("Allowed") : t("Not allowed"),
            ],
            [t("Inventory prefix"), <InventoryNumber>{settings.inventory_prefix}</InventoryNumber>],
          ]}
        />
      </section>
    </>
  );
}

function OrganizationForm({ settings }: SettingsView): VNode {
  const { prefix_is_used: isUsed, inventory_prefix: prefix } = settings;
  return (
    <PostForm class="panel">
      <TextInput name="name" maxLength={120} />
      <Select
        name="time_zone"
        help={t(
          "Dates are read in it: what is due today, what is overdue, and the times of the history. Changing it changes how they are shown, not what is stored.",
        )}
        options={withPresent(zones, settings.time_zone, toZoneLabel)}
      />
      <Select
        name="currency"
        help={t("For new amounts. Amounts that are stored already keep their currency.")}
        options={withPresent(currencies, settings.currency, toCurrencyLabel)}
      />
      {isUsed ? (
        <div class="field">
          <p class="label">{t("Inventory prefix")}</p>
          <p class="help">
            {tRich("Fixed, because inventory numbers like {number} were given with it.", {
              number: <InventoryNumber>{`${prefix}-000001`}</InventoryNumber>,
            })}
          </p>
          <p>
            <InventoryNumber>{prefix}</InventoryNumber>
          </p>
        </div>
      ) : (
        <TextInput
          name="inventory_prefix"
          help={t(
            "1 to 8 letters and digits. New assets get numbers like {number}; with the first of them the prefix is fixed.",
            { number: `${prefix}-000001` },
          )}
          maxLength={8}
          required
        />
      )}
      <Checkbox
        name="public_reports"
        help={t(
          "Whoever scans a label without an account sees what the label says, and can report what is wrong. Somebody decides on each report under Reports; what cannot be used any more is out of service at once.",
        )}
      />
      <FormActions submit={t("Save organization")} />
    </PostForm>
  );
}
