import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import {
  organizationRules,
  type OrganizationRule,
  type RuleForm,
  type RuleOf,
} from "../../db/entities/organizations.js";
import {
  changeRules,
  getRulesToChange,
  readingOfRules,
  type OwnRuleForm,
  type Rules,
  type StoredRules,
} from "../../domain/organizations/organization-rules.js";
import type { PlainText } from "../../language/texts.js";
import { t, tRich } from "../../language/translate.js";
import { Checkbox, FormActions, PostForm } from "../forms/controls.js";
import { checkboxField, type FormField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleLink } from "../forms/stale-notice.js";
import { Facts } from "../layout/facts.js";
import { Notice } from "../layout/notices.js";
import { ActionLink } from "../layout/page-head.js";
import { securityAddress } from "../layout/mfa-redirect.js";
import { formatNumber } from "../text/format.js";
import { organizationAddress, organizationCrumbs } from "./organization-address.js";
import { SettingsPage } from "./settings-layout.js";

interface RuleTexts {
  label: PlainText;
  help: (stored: StoredRules) => string;
  /** For members, who can only view the rule. */
  fact: PlainText;
  on: PlainText;
  off: PlainText;
}

const rules: Record<OrganizationRule, RuleTexts> = {
  public_reports: {
    label: "Let anyone with a label report problems",
    help: () =>
      t(
        "No account needed. You review each report under Reports. Unusable assets go out of service right away.",
      ),
    fact: "Reports without an account",
    on: "Allowed",
    off: "Not allowed",
  },
  admins_need_second_factor: {
    label: "Owners and admins need a second factor",
    help: ({ admins, admins_without: without }) =>
      t(
        "Owners and admins without a second factor must set one up before they make changes in that role or connect an app. Currently without: {without} of {admins, plural, one {# owner or admin} other {# owners and admins}}.",
        { without: formatNumber(without), admins },
      ),
    fact: "For owners and admins",
    on: "Required",
    off: "Not required",
  },
  destructive_needs_second_factor: {
    label: "Require a second factor to allow permanent deletion",
    help: ({ destructive_without: count }) =>
      t(
        "Required when someone grants this permission and each time an app deletes. {count, plural, =0 {Everyone with such an app has a second factor.} one {# person with such an app has no second factor. Their apps can't delete until they set one up.} other {# people with such an app have no second factor. Their apps can't delete until they set one up.}}",
        { count },
      ),
    fact: "For apps that delete permanently",
    on: "Required",
    off: "Not required",
  },
  deletion_needs_person: {
    label: "Confirm deletions by apps",
    help: () =>
      t(
        "The person who connected the app confirms each deletion or removal on a Fettle page. If this is off, the app asks, if it can.",
      ),
    fact: "Confirm deletions by apps",
    on: "Always",
    off: "If the app can ask",
  },
};

/** The forms of rules by the last part of their address, which is also the panel's id. */
const forms = {
  second_factor: {
    end: "second-factor",
    title: "Second factor",
    saved: "Second factor rules saved.",
  },
  deletions: {
    end: "deletions",
    title: "Deletions by apps",
    saved: "Deletion rule saved.",
  },
} as const satisfies Record<OwnRuleForm, { end: string; title: PlainText; saved: PlainText }>;

function eachRule<Form extends RuleForm, Value>(
  form: Form,
  valueOf: (name: OrganizationRule) => Value,
): Record<RuleOf<Form>, Value> {
  const entries = organizationRules[form].map((name) => [name, valueOf(name)]);
  return Object.fromEntries(entries) as Record<RuleOf<Form>, Value>;
}

export function ruleFields<Form extends RuleForm>(
  form: Form,
): Record<RuleOf<Form>, FormField<true>> {
  return eachRule(form, (name) => checkboxField(rules[name].label));
}

/** The initial values of a rules form. A checkbox that is off has no value. */
export function toRuleValues<Form extends RuleForm>(
  form: Form,
  stored: Pick<Rules, RuleOf<Form>>,
): Record<RuleOf<Form>, string> {
  const isOn: Partial<Rules> = stored;
  return eachRule(form, (name) => (isOn[name] === true ? "yes" : ""));
}

export function toRules<Form extends RuleForm>(
  form: Form,
  given: Partial<Record<OrganizationRule, true | undefined>>,
): Record<RuleOf<Form>, boolean> {
  return eachRule(form, (name) => given[name] === true);
}

export function RuleControls({ form, stored }: { form: RuleForm; stored: StoredRules }): VNode {
  return (
    <>
      {organizationRules[form].map((name) => (
        <Checkbox key={name} name={name} help={rules[name].help(stored)} />
      ))}
    </>
  );
}

export function toRuleFacts(form: RuleForm, stored: Rules): [label: string, value: string][] {
  return organizationRules[form].map((name) => {
    const { fact, on, off } = rules[name];
    return [t(fact), t(stored[name] ? on : off)];
  });
}

/** `/settings/organization/second-factor`, `/settings/organization/deletions`. */
export function rulesForm(form: OwnRuleForm): FastifyPluginAsync {
  const { end, title, saved } = forms[form];
  const address = `${organizationAddress}/${end}`;
  return formRoute({
    path: address,
    open: ({ db, caller }) => getRulesToChange(db, caller, form),
    version: (stored) => readingOfRules(form, stored),
    fields: ruleFields<RuleForm>(form),
    begin: ({ subject }) => toRuleValues<RuleForm>(form, subject),
    change: (tx, { caller, given, version }) =>
      changeRules(tx, caller, form, toRules(form, given), version),
    done: (changed) =>
      seeOther(organizationAddress, t(changed.length === 0 ? "Nothing was changed." : saved)),
    page: ({ subject: stored }) => (
      <SettingsPage title={t(title)} current={address} crumbs={organizationCrumbs}>
        <StaleLink href={address} />
        {form === "second_factor" && !stored.has_own && <OwnFactorFirst />}
        <PostForm>
          <RuleControls form={form} stored={stored} />
          <FormActions submit={t("Save")} cancel={organizationAddress} />
        </PostForm>
      </SettingsPage>
    ),
  });
}

function OwnFactorFirst(): VNode {
  return (
    <Notice kind="warning">
      <p>
        {tRich(
          "You don't have a second factor yourself. <a>Set one up</a> before you require it of others.",
          { a: (words: ComponentChildren) => <a href={securityAddress}>{words}</a> },
        )}
      </p>
    </Notice>
  );
}

/** For the organization's page, where every member reads it. */
export function RulesPanel({
  form,
  stored,
  isAdmin,
}: {
  form: OwnRuleForm;
  stored: Rules;
  isAdmin: boolean;
}): VNode {
  const { end, title } = forms[form];
  return (
    <section class="panel" aria-labelledby={end}>
      <h2 id={end}>{t(title)}</h2>
      <Facts facts={toRuleFacts(form, stored)} />
      {isAdmin && (
        <div class="actions">
          <ActionLink href={`${organizationAddress}/${end}`} quiet>
            {t("Change")}
          </ActionLink>
        </div>
      )}
    </section>
  );
}
