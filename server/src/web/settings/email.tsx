import type { VNode } from "preact";
import {
  cancelEmailChange,
  findEmailChange,
  hasProviderEmail,
  requestEmailChange,
  type WaitingEmailChange,
} from "../../domain/accounts/email-changes.js";
import { t, tRich } from "../../language/translate.js";
import { FormActions, PostForm, TextInput } from "../forms/controls.js";
import { FormContext, useForm } from "../forms/form-context.js";
import { required, textField } from "../forms/form-fields.js";
import { otherPage, seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { Facts } from "../layout/facts.js";
import { ActionLink } from "../layout/page-head.js";
import { personOf } from "../layout/reply.js";
import { askToConfirm } from "./security/confirm.js";
import { SettingsPage } from "./settings-layout.js";

export const emailAddress = "/settings/email";
const cancelAddress = `${emailAddress}/cancel`;
const crumbs = () => [{ href: "/settings", label: t("Your account") }];

/** `/settings/email`: asks for a new email, which both addresses must confirm. */
export const emailForm = formRoute({
  path: emailAddress,
  isPersonal: true,
  open: async ({ app, db, request }) => {
    const person = personOf(request);
    if (await hasProviderEmail(db, person.id)) return otherPage(200, <ProviderEmailPage />);
    if (!app.services.mails.delivers) return otherPage(200, <AskOperatorPage {...person} />);
    return askToConfirm(request) ?? { waiting: await findEmailChange(db, person.id) };
  },
  fields: { email: required(textField("New email"), "Enter your new email.") },
  change: (tx, { app, request, given: { email: newEmail } }) =>
    requestEmailChange(tx, app.services.mails, {
      person: personOf(request),
      newEmail,
      baseUrl: app.services.config.baseUrl,
      origin: request.activityOrigin(),
    }),
  done: (recipients, { app }) => {
    app.services.mails.announce();
    const [email = "", ...others] = recipients;
    return seeOther(
      emailAddress,
      others.length > 0
        ? t("We sent a link to both addresses. Open both to finish.")
        : t("We sent a new link to {email}.", { email }),
    );
  },
  page: ({ request, subject: { waiting } }) => (
    <EmailPage email={personOf(request).email} waiting={waiting} />
  ),
});

/** `/settings/email/cancel`: cancels the waiting change. */
export const cancelEmailForm = formRoute({
  path: cancelAddress,
  isPersonal: true,
  open: async ({ db, request }) =>
    (await findEmailChange(db, personOf(request).id)) ?? seeOther(emailAddress),
  change: (tx, { request }) => cancelEmailChange(tx, personOf(request)),
  done: () => seeOther("/settings", t("Your email stays as it is. Both links no longer work.")),
  page: ({ request, subject }) => (
    <SettingsPage
      title={t("Cancel the change")}
      heading={t("Cancel the change of your email?")}
      current={cancelAddress}
      crumbs={crumbs()}
    >
      <WaitingFacts email={personOf(request).email} waiting={subject} />
      <PostForm isPersonal>
        <FormActions submit={t("Cancel the change")} danger cancel={emailAddress} />
      </PostForm>
    </SettingsPage>
  ),
});

interface EmailView {
  email: string;
  waiting: WaitingEmailChange | undefined;
}

function EmailPage({ email, waiting }: EmailView): VNode {
  return (
    <SettingsPage title={t("Change email")} current={emailAddress} crumbs={crumbs()}>
      <p class="soft">
        {t(
          "We email a link to both addresses, so that no one else can change yours. You stay signed in, and connected apps stay connected.",
        )}{" "}
        {t("If you can't open your current mailbox, ask the server's administrator.")}
      </p>
      {waiting !== undefined && (
        <section class="panel" aria-labelledby="waiting">
          <h2 id="waiting">{t("Waiting for confirmation")}</h2>
          <WaitingFacts email={email} waiting={waiting} />
          <SendAgain email={waiting.new_email} />
        </section>
      )}
      <section class="panel" aria-label={t("Change email")}>
        <PostForm isPersonal>
          <Facts facts={[[t("Current email"), email]]} />
          <TextInput
            name="email"
            type="email"
            maxLength={254}
            autocomplete="email"
            {...(waiting !== undefined && {
              help: t("New links replace the ones we sent before."),
            })}
          />
          <FormActions submit={t("Send the links")} cancel="/settings" />
        </PostForm>
      </section>
    </SettingsPage>
  );
}

/** The page's other form shows the refusals of both. */
function SendAgain({ email }: { email: string }): VNode {
  return (
    <FormContext.Provider value={{ ...useForm(), errors: [] }}>
      <PostForm isPersonal>
        <input type="hidden" name="email" value={email} />
        <p class="actions">
          <button type="submit" class="quiet">
            {t("Send again")}
          </button>
          <ActionLink href={cancelAddress} quiet>
            {t("Cancel")}
          </ActionLink>
        </p>
      </PostForm>
    </FormContext.Provider>
  );
}

function WaitingFacts({ email, waiting }: { email: string; waiting: WaitingEmailChange }): VNode {
  const state = (at: Date | null) => (at === null ? t("Not confirmed yet") : t("Confirmed"));
  return (
    <Facts
      facts={[
        [t("Current email"), `${email} · ${state(waiting.old_confirmed_at)}`],
        [t("New email"), `${waiting.new_email} · ${state(waiting.new_confirmed_at)}`],
      ]}
    />
  );
}

function ProviderEmailPage(): VNode {
  return (
    <SettingsPage title={t("Change email")} current={emailAddress} crumbs={crumbs()}>
      <p>
        {t("You sign in with your organization, so your email is changed there. Ask an admin.")}
      </p>
    </SettingsPage>
  );
}

const setEmail = "fettle account set-email --email";

function AskOperatorPage({ email }: { email: string }): VNode {
  return (
    <SettingsPage title={t("Change email")} current={emailAddress} crumbs={crumbs()}>
      <p>
        {tRich(
          "This server can't send emails, so it can't confirm a new address. Ask the server's administrator to change {email} with this command:",
          { email: <strong class="address">{email}</strong> },
        )}
      </p>
      <pre>
        <code>{[setEmail, email, "--new-email you@example.com"].join(" ")}</code>
      </pre>
    </SettingsPage>
  );
}
