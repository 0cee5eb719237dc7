import type { VNode } from "preact";
import { isOrganizationAdmin } from "../../domain/access/caller.js";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import {
  getOrganizationSettings,
  updateOrganization,
  type OrganizationSettings,
} from "../../domain/organizations/organization-settings.js";
import { getWorkingTime } from "../../domain/people/working-time.js";
import { getRules, type StoredRules } from "../../domain/organizations/organization-rules.js";
import { t, tRich } from "../../language/translate.js";
import { FormActions, PostForm, Select, TextInput } from "../forms/controls.js";
import { withPresent } from "../forms/choices.js";
import { required, textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { currencies, toCurrencyLabel, zones } from "../forms/place-choices.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleLink } from "../forms/stale-notice.js";
import { Facts, InventoryNumber } from "../layout/facts.js";
import { toZoneLabel } from "../text/format.js";
import { toFieldLabel } from "../text/field-labels.js";
import { ProviderPanel } from "./provider/overview.js";
import {
  RuleControls,
  ruleFields,
  RulesPanel,
  toRuleFacts,
  toRules,
  toRuleValues,
} from "./organization-rules.js";
import { organizationAddress } from "./organization-address.js";
import { OrganizationExportPanel } from "./organization-export.js";
import { SettingsPage } from "./settings-layout.js";
import { WorkingTimePanel } from "./working-time.js";

/**
 * `/settings/organization`: name, time zone, currency and inventory prefix. Members can only view
 * them.
 */
export const organizationForm = formRoute({
  path: organizationAddress,
  open: async ({ request, db, caller }) => {
    if (request.method !== "POST") return getOrganizationSettings(db, caller);
    await requireOrganizationAdmin(db, caller, "edit the organization");
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
    ...ruleFields("organization"),
  },
  begin: async ({ db, caller, subject }) => {
    const settings = subject ?? (await getOrganizationSettings(db, caller));
    const { name, time_zone, currency, inventory_prefix } = settings;
    return {
      name,
      time_zone,
      currency,
      inventory_prefix,
      ...toRuleValues("organization", settings),
    };
  },
  once: "update_organization",
  change: (tx, { caller, given, version }) =>
    updateOrganization(tx, caller, {
      ...given,
      ...toRules("organization", given),
      expected_version: version,
    }),
  done: ({ organization, changed }) =>
    seeOther(
      organizationAddress,
      changed.length === 0
        ? t("Nothing was changed.")
        : t("{name} saved.", { name: organization.name }),
    ),
  page: async ({ caller, db, subject }) => {
    const isAdmin = isOrganizationAdmin(caller);
    const settings = subject ?? (await getOrganizationSettings(db, caller));
    const stored = await getRules(db, caller);
    const { usual } = await getWorkingTime(db, caller);
    return (
      <SettingsPage title={t("Organization")} current={organizationAddress}>
        <StaleLink href={organizationAddress} />
        {isAdmin ? (
          <OrganizationForm settings={settings} stored={stored} />
        ) : (
          <OrganizationFacts settings={settings} stored={stored} />
        )}
        <WorkingTimePanel usual={usual} isAdmin={isAdmin} />
        <RulesPanel form="second_factor" stored={stored} isAdmin={isAdmin} />
        <RulesPanel form="deletions" stored={stored} isAdmin={isAdmin} />
        {isAdmin && <ProviderPanel />}
        {isAdmin && <OrganizationExportPanel />}
      </SettingsPage>
    );
  },
});

interface SettingsView {
  settings: OrganizationSettings;
  stored: StoredRules;
}

function OrganizationFacts({ settings, stored }: SettingsView): VNode {
  return (
    <>
      <p class="soft">{t("Organization admins can change this.")}</p>
      <section class="panel">
        <Facts
          facts={[
            [t("Name"), <bdi>{settings.name}</bdi>],
            [t("Time zone"), toZoneLabel(settings.time_zone)],
            [t("Currency"), toCurrencyLabel(settings.currency)],
            ...toRuleFacts("organization", stored),
            [t("Inventory prefix"), <InventoryNumber>{settings.inventory_prefix}</InventoryNumber>],
          ]}
        />
      </section>
    </>
  );
}

function OrganizationForm({ settings, stored }: SettingsView): VNode {
  const { prefix_is_used: isUsed, inventory_prefix: prefix } = settings;
  return (
    <PostForm class="panel">
      <TextInput name="name" maxLength={120} />
      <Select
        name="time_zone"
        help={t("Sets when a day starts and ends. Stored dates don't change.")}
        options={withPresent(zones, settings.time_zone, toZoneLabel)}
      />
      <Select
        name="currency"
        help={t("Used for new amounts. Existing amounts keep their currency.")}
        options={withPresent(currencies, settings.currency, toCurrencyLabel)}
      />
      {isUsed ? (
        <div class="field">
          <p class="label">{t("Inventory prefix")}</p>
          <p class="fixed-value">
            <InventoryNumber>{prefix}</InventoryNumber>
          </p>
          <p class="help">
            {tRich("Can't be changed: existing numbers, such as {number}, use it.", {
              number: <InventoryNumber>{`${prefix}-000001`}</InventoryNumber>,
            })}
          </p>
        </div>
      ) : (
        <TextInput
          name="inventory_prefix"
          help={t(
            "1 to 8 letters and digits, used in numbers like {number}. You can't change it after the first asset.",
            { number: `${prefix}-000001` },
          )}
          maxLength={8}
          required
        />
      )}
      <RuleControls form="organization" stored={stored} />
      <FormActions submit={t("Save organization")} />
    </PostForm>
  );
}
