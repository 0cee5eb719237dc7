import type { VNode } from "preact";
import { changeName } from "../../domain/accounts/own-account.js";
import type { Membership } from "../../domain/organizations/organizations.js";
import { t, tRich } from "../../language/translate.js";
import { FormActions, PostForm, TextInput } from "../forms/controls.js";
import { required, textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { ActionLink } from "../layout/page-head.js";
import { Facts } from "../layout/facts.js";
import { personOf } from "../layout/reply.js";
import { organizationRoleLabels } from "../text/value-labels.js";
import { SettingsPage } from "./settings-layout.js";

/** `/settings`: the person's own account. */
export const profileForm = formRoute({
  path: "/settings",
  fields: { name: required(textField("Name"), "Enter your name.") },
  begin: ({ request }) => ({ name: personOf(request).name }),
  change: (tx, { request, given: { name } }) =>
    changeName(tx, { userId: personOf(request).id, name, origin: request.activityOrigin() }),
  done: () => seeOther("/settings", t("Your name is saved.")),
  page: ({ request }) => (
    <ProfilePage email={personOf(request).email} memberships={request.memberships} />
  ),
});

interface ProfileView {
  email: string;
  memberships: readonly Membership[];
}

function ProfilePage({ email, memberships }: ProfileView): VNode {
  return (
    <SettingsPage title={t("Your account")} current="/settings">
      <section class="panel" aria-label={t("Profile")}>
        <PostForm isPersonal>
          <TextInput
            name="name"
            help={t(
              "Colleagues see it on assets and tasks. What happened before keeps your earlier name.",
            )}
            maxLength={120}
            autocomplete="name"
          />
          <FormActions submit={t("Save")} />
        </PostForm>
      </section>
      <section class="panel" aria-labelledby="sign-in">
        <h2 id="sign-in">{t("Sign-in")}</h2>
        <Facts facts={[[t("Email"), email]]} />
        <p class="help">
          {t(
            "An email cannot be changed. If you have a new address, ask an admin to invite it, and connect your apps again with the new account.",
          )}
        </p>
        <ActionLink href="/settings/password" quiet>
          {t("Change password")}
        </ActionLink>
      </section>
      <Organizations memberships={memberships} />
    </SettingsPage>
  );
}

function Organizations({ memberships }: Pick<ProfileView, "memberships">): VNode {
  return (
    <section class="panel" aria-labelledby="organizations">
      <h2 id="organizations">
        {memberships.length === 1 ? t("Organization") : t("Organizations")}
      </h2>
      {memberships.length === 0 ? (
        <p>
          {tRich(
            "You are in no organization. Ask an admin of yours for an invitation to <b>your email</b>.",
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
    </section>
  );
}
