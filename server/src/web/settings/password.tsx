import type { VNode } from "preact";
import { changePassword, checkPasswordChange } from "../../domain/accounts/own-account.js";
import { commit } from "../../domain/history/transactions.js";
import { t } from "../../language/translate.js";
import { NewPasswordField } from "../accounts/account-form.js";
import { renewSession } from "../accounts/sessions.js";
import { FormActions, PostForm, TextInput } from "../forms/controls.js";
import { required, textField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { personOf } from "../layout/reply.js";
import { throttleGuesses } from "./security/confirm.js";
import { SettingsPage } from "./settings-layout.js";

const address = "/settings/password";
const crumbs = () => [{ href: "/settings", label: t("Your account") }];

/** `/settings/password`: changes the password. Needs the current one. */
export const passwordForm = formRoute({
  path: address,
  fields: {
    current_password: required(textField("Current password"), "Enter your current password."),
    password: required(textField("New password"), "Enter the new password."),
  },
  inTransaction: false,
  change: (db, { app, request, given: { current_password: currentPassword, password } }) => {
    const { id: userId } = personOf(request);
    const { sessionId } = request.session;
    const origin = request.activityOrigin();
    return throttleGuesses({ app, request }, "current_password", async () => {
      const hashes = await checkPasswordChange(db, userId, { currentPassword, password });
      const change = { userId, sessionId, hashes, origin };
      return commit({ db: request.db, caller: null }, (tx) => changePassword(tx, change));
    });
  },
  done: async (ended, { request }) => {
    await renewSession(request, personOf(request).id);
    return seeOther("/settings", describeChange(ended));
  },
  page: ({ request }) => <PasswordPage email={personOf(request).email} />,
});

function describeChange(ended: number): string {
  if (ended === 0) return t("Password changed. You weren't signed in anywhere else.");
  return t(
    "Password changed. You're signed out of {count, plural, one {# other browser} other {# other browsers}}.",
    { count: ended },
  );
}

function PasswordPage({ email }: { email: string }): VNode {
  return (
    <SettingsPage title={t("Change password")} current={address} crumbs={crumbs()}>
      <p class="soft">
        {t(
          "You stay signed in here and are signed out of every other browser. Your calendar address is revoked. Connected apps stay connected.",
        )}
      </p>
      <section class="panel" aria-label={t("Change password")}>
        <PostForm isPersonal>
          {/* Identifies the account to a password manager. */}
          <input
            type="email"
            value={email}
            autocomplete="username"
            aria-label={t("Email")}
            readOnly
            hidden
          />
          <TextInput name="current_password" type="password" autocomplete="current-password" />
          <NewPasswordField />
          <FormActions submit={t("Change password")} cancel="/settings" />
        </PostForm>
      </section>
      <p class="soft">
        <a href="/password/forgot">{t("Forgot your current password?")}</a>
      </p>
    </SettingsPage>
  );
}
