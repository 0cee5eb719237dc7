import type { VNode } from "preact";
import { changeProfile, readingOfProfile } from "../../domain/accounts/own-account.js";
import type { Reader } from "../../domain/accounts/reader.js";
import type { Membership } from "../../domain/organizations/organizations.js";
import { toLocale } from "../../language/locale.js";
import { t, tRich } from "../../language/translate.js";
import { FormActions, PostForm, Select, TextInput } from "../forms/controls.js";
import { withPresent } from "../forms/choices.js";
import { required, textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import {
  inChosenLanguage,
  languageField,
  languageHelp,
  languages,
  toLanguageValue,
  zones,
} from "../forms/place-choices.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleLink } from "../forms/stale-notice.js";
import { ActionLink } from "../layout/page-head.js";
import { Facts } from "../layout/facts.js";
import { personOf } from "../layout/reply.js";
import { toZoneLabel } from "../text/format.js";
import { toFieldLabel } from "../text/field-labels.js";
import { organizationRoleLabels } from "../text/value-labels.js";
import { emailAddress } from "./email.js";
import { personAddress } from "./members/parts.js";
import { readSummary, SummaryPanel, type Summary } from "./summary.js";
import { SettingsPage } from "./settings-layout.js";
import { useLayout } from "../layout/layout-context.js";

/** `/settings`: the person's own account. */
export const profileForm = formRoute({
  path: "/settings",
  isPersonal: true,
  limit: "profile",
  open: async ({ request }) => personOf(request),
  version: readingOfProfile,
  fields: {
    name: required(textField("Name"), "Enter your name."),
    job_title: textField("Job title"),
    language: languageField,
    time_zone: textField(() => toFieldLabel("time_zone")),
  },
  begin({ subject: { name, jobTitle, locale, timeZone } }) {
    return {
      name,
      job_title: jobTitle ?? "",
      language: toLanguageValue(locale),
      time_zone: timeZone ?? asOrganization,
    };
  },
  change: (
    tx,
    {
      request,
      version,
      given: { name, job_title: jobTitle = null, language, time_zone: timeZone },
    },
  ) =>
    changeProfile(tx, {
      userId: personOf(request).id,
      name,
      jobTitle,
      locale: language === undefined ? undefined : toLocale(language),
      timeZone: timeZone === asOrganization ? null : timeZone,
      origin: request.activityOrigin(),
      expected: version,
    }),
  done: (_profile, { given }) =>
    inChosenLanguage(given, () => seeOther("/settings", t("Account saved."))),
  page: async ({ request }) => (
    <ProfilePage
      person={personOf(request)}
      memberships={request.memberships}
      summary={await readSummary(request)}
    />
  ),
});

/** The form's value for no personal time zone. */
const asOrganization = "organization";

interface ProfileView {
  person: Reader;
  memberships: readonly Membership[];
  summary: Summary;
}

function ProfilePage({ person, memberships, summary }: ProfileView): VNode {
  const { id, email, timeZone } = person;
  return (
    <SettingsPage title={t("Your account")} current="/settings">
      <SummaryPanel {...summary} />
      <section class="panel" aria-label={t("Profile")}>
        <StaleLink href="/settings" />
        <PostForm isPersonal>
          <TextInput
            name="name"
            help={t("Shown to colleagues. Past activity keeps your old name.")}
            maxLength={120}
            autocomplete="name"
          />
          <TextInput
            name="job_title"
            help={t("Such as lift engineer. Shown to colleagues and assistants.")}
            maxLength={80}
            autocomplete="organization-title"
          />
          <Select name="language" help={languageHelp()} options={languages} />
          <Select
            name="time_zone"
            help={t("Times you see and enter. Due dates follow the organization.")}
            options={[
              { value: asOrganization, label: t("Same as organization") },
              ...withPresent(zones, timeZone, toZoneLabel),
            ]}
          />
          <FormActions submit={t("Save")} />
        </PostForm>
      </section>
      <section class="panel" aria-labelledby="sign-in">
        <h2 id="sign-in">{t("Sign-in")}</h2>
        <Facts facts={[[t("Email"), email]]} />
        <p class="actions">
          <ActionLink href={emailAddress} quiet>
            {t("Change email")}
          </ActionLink>
          <ActionLink href="/settings/password" quiet>
            {t("Change password")}
          </ActionLink>
        </p>
      </section>
      <Organizations memberships={memberships} userId={id} />
    </SettingsPage>
  );
}

function Organizations({
  memberships,
  userId,
}: Pick<ProfileView, "memberships"> & { userId: string }): VNode {
  const { organization } = useLayout();
  return (
    <section class="panel" aria-labelledby="organizations">
      <h2 id="organizations">
        {memberships.length === 1 ? t("Organization") : t("Organizations")}
      </h2>
      {memberships.length === 0 ? (
        <p>
          {tRich(
            "You're not in an organization. Ask an admin for an invitation to <b>your email</b>.",
            { b: (words) => <strong>{words}</strong> },
          )}
        </p>
      ) : (
        <ul class="plain">
          {memberships.map(({ id, name, role }) => (
            <li key={id}>
              <bdi>{name}</bdi> <span class="soft">{organizationRoleLabels[role]}</span>
            </li>
          ))}
        </ul>
      )}
      {organization !== undefined && (
        <ActionLink href={personAddress(userId)} quiet>
          {t("Working time and absences")}
        </ActionLink>
      )}
    </section>
  );
}
