import type { ComponentChildren, VNode } from "preact";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import {
  changeSecondFactorRules,
  getSecondFactorRules,
  readingOfRules,
  type StoredRules,
} from "../../domain/organizations/second-factor-rules.js";
import { t, tRich } from "../../language/translate.js";
import { Checkbox, FormActions, PostForm } from "../forms/controls.js";
import { checkboxField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleLink } from "../forms/stale-notice.js";
import { Facts } from "../layout/facts.js";
import { Notice } from "../layout/notices.js";
import { ActionLink } from "../layout/page-head.js";
import { securityAddress } from "../layout/second-factor-lead.js";
import { formatNumber } from "../text/format.js";
import { organizationAddress, organizationCrumbs } from "./organization-address.js";
import { SettingsPage } from "./settings-layout.js";

const address = `${organizationAddress}/second-factor`;

/** `/settings/organization/second-factor`: what the organization asks a second factor for. */
export const secondFactorRulesForm = formRoute({
  path: address,
  open: async ({ db, caller }) => {
    await requireOrganizationAdmin(db, caller, "decide who needs a second factor");
    return getSecondFactorRules(db, caller);
  },
  version: readingOfRules,
  fields: {
    admins_need_second_factor: checkboxField("Owners and admins need a second factor"),
    destructive_needs_second_factor: checkboxField(
      "Letting an app delete permanently needs a second factor",
    ),
  },
  begin: ({ subject }) => ({
    ...(subject.admins_need_second_factor && { admins_need_second_factor: "yes" }),
    ...(subject.destructive_needs_second_factor && { destructive_needs_second_factor: "yes" }),
  }),
  change: (tx, { caller, given, version }) => {
    const rules = {
      admins_need_second_factor: given.admins_need_second_factor === true,
      destructive_needs_second_factor: given.destructive_needs_second_factor === true,
    };
    return changeSecondFactorRules(tx, caller, rules, version);
  },
  done: (changed) =>
    seeOther(
      organizationAddress,
      changed.length === 0
        ? t("Nothing was changed.")
        : t("The rules for second factors are saved."),
    ),
  page: ({ subject }) => <RulesPage rules={subject} />,
});

function RulesPage({ rules }: { rules: StoredRules }): VNode {
  const { admins, admins_without: without, has_own: hasOwn } = rules;
  const { destructive_without: destructive } = rules;
  return (
    <SettingsPage title={t("Second factor")} current={address} crumbs={organizationCrumbs}>
      <StaleLink what="settings" href={address} />
      {!hasOwn && (
        <Notice kind="warning">
          <p>
            {tRich(
              "You have no second factor yourself. <a>Set one up</a> before you ask others for it.",
              { a: (words: ComponentChildren) => <a href={securityAddress}>{words}</a> },
            )}
          </p>
        </Notice>
      )}
      <PostForm>
        <Checkbox
          name="admins_need_second_factor"
          help={t(
            "Who has none sets one up before the next change as an owner or admin, and before connecting an app. {without} of {admins, plural, one {# owner or admin has} other {# owners and admins have}} none now.",
            { without: formatNumber(without), admins },
          )}
        />
        <Checkbox
          name="destructive_needs_second_factor"
          help={t(
            "Asked on the consent page, and again whenever an app deletes. Apps that are connected already stay connected; {count, plural, one {# person has} other {# people have}} one that may delete permanently, but no second factor: it is refused until they set one up.",
            { count: destructive },
          )}
        />
        <FormActions submit={t("Save")} cancel={organizationAddress} />
      </PostForm>
    </SettingsPage>
  );
}

/** For the page of the organization, where every member reads it. */
export function SecondFactorRulesPanel({
  rules,
  isAdmin,
}: {
  rules: StoredRules;
  isAdmin: boolean;
}): VNode {
  const toWords = (isOn: boolean) => (isOn ? t("Needed") : t("Not needed"));
  return (
    <section class="panel" aria-labelledby="second-factor">
      <h2 id="second-factor">{t("Second factor")}</h2>
      <Facts
        facts={[
          [t("For owners and admins"), toWords(rules.admins_need_second_factor)],
          [
            t("For letting an app delete permanently"),
            toWords(rules.destructive_needs_second_factor),
          ],
        ]}
      />
      {isAdmin && (
        <div class="actions">
          <ActionLink href={address} quiet>
            {t("Change")}
          </ActionLink>
        </div>
      )}
    </section>
  );
}
