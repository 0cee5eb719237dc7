import type { VNode } from "preact";
import { webhookEvents, type WebhookEvent } from "../../../db/entities/messaging.js";
import {
  addWebhook,
  changeWebhook,
  getWebhook,
  readingOfWebhook,
  readWebhookSecret,
  removeWebhook,
  renewWebhookSecret,
  requireWebhookAdmin,
  resumeWebhook,
  sendTest,
  stopWebhook,
  type GivenWebhook,
  type WithSecret,
} from "../../../domain/messaging/webhooks.js";
import { t } from "../../../language/translate.js";
import { Checkbox, FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { checkboxField, required, textField, type FormField } from "../../forms/form-fields.js";
import { otherPage, seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { StaleLink } from "../../forms/stale-notice.js";
import { TextToCopy } from "../../forms/text-to-copy.js";
import { SettingsPage } from "../settings-layout.js";
import { webhookAddress, webhooksAddress, webhooksCrumbs } from "./addresses.js";
import { eventLabels } from "./event-labels.js";

const eventFields = Object.fromEntries(
  webhookEvents.map((event) => [event, checkboxField(() => eventLabels[event])]),
) as Record<WebhookEvent, FormField<true>>;

const fields = { ...eventFields, url: required(textField("Address"), "Enter an https address.") };

function toWebhook(given: Partial<Record<WebhookEvent, true>> & { url: string }): GivenWebhook {
  return { url: given.url, events: webhookEvents.filter((event) => given[event] === true) };
}

const open = ({ db, caller, id }: FormRequest) => getWebhook(db, caller, id);

/** `/settings/webhooks/new` */
export const newWebhookForm = formRoute({
  path: `${webhooksAddress}/new`,
  open: ({ db, caller }) => requireWebhookAdmin(db, caller),
  fields,
  once: "create_webhook",
  // Without the secret, because the result is stored with the form's idempotency key.
  change: async (tx, { app, caller, given }) => ({
    id: (await addWebhook(tx, caller, app.services.webhookSecrets, toWebhook(given))).id,
  }),
  done: async ({ id }, { app, db, caller }) => {
    const secret = await readWebhookSecret(db, caller, app.services.webhookSecrets, id);
    return otherPage(200, <SecretPage {...{ id, secret }} />);
  },
  page: () => (
    <SettingsPage
      title={t("Add a webhook")}
      current={`${webhooksAddress}/new`}
      crumbs={webhooksCrumbs()}
    >
      <WebhookFields submit={t("Add webhook")} cancel={webhooksAddress} />
    </SettingsPage>
  ),
});

/** `/settings/webhooks/:id/edit` */
export const changeWebhookForm = formRoute({
  path: webhookAddress(":id", "edit"),
  open,
  version: readingOfWebhook,
  fields,
  begin: ({ subject: { url, events } }) => ({
    url,
    ...Object.fromEntries(events.map((event) => [event, "yes"])),
  }),
  change: (tx, { caller, id, given, version: expected }) =>
    changeWebhook(tx, caller, id, { ...toWebhook(given), expected }),
  done: (_, { id }) => seeOther(webhookAddress(id), t("Webhook saved.")),
  page: ({ id }) => (
    <SettingsPage
      title={t("Edit webhook")}
      current={webhookAddress(id, "edit")}
      crumbs={webhooksCrumbs()}
    >
      <StaleLink href={webhookAddress(id)} />
      <WebhookFields submit={t("Save")} cancel={webhookAddress(id)} />
    </SettingsPage>
  ),
});

function WebhookFields({ submit, cancel }: { submit: string; cancel: string }): VNode {
  return (
    <section class="panel" aria-label={t("Webhook")}>
      <PostForm>
        <TextInput
          name="url"
          maxLength={500}
          help={t(
            "A public https address. It must return a status of 200 to 299 within 5 seconds. Redirects aren't supported.",
          )}
        />
        <fieldset>
          <legend>{t("Events")}</legend>
          {webhookEvents.map((event) => (
            <Checkbox key={event} name={event} />
          ))}
        </fieldset>
        <FormActions submit={submit} cancel={cancel} />
      </PostForm>
    </section>
  );
}

/** `/settings/webhooks/:id/secret` */
export const secretForm = formRoute({
  path: webhookAddress(":id", "secret"),
  open,
  change: (tx, { app, caller, id }) =>
    renewWebhookSecret(tx, caller, app.services.webhookSecrets, id),
  done: (made) => otherPage(200, <SecretPage {...made} />),
  page: ({ id }) => (
    <SettingsPage
      title={t("New secret")}
      heading={t("Create a new secret?")}
      current={webhookAddress(id, "secret")}
      crumbs={webhooksCrumbs()}
    >
      <p>
        {t(
          "From then on, messages are signed only with the new secret. Until the receiver knows it, messages fail and are retried for a day.",
        )}
      </p>
      <PostForm>
        <FormActions submit={t("Create a new secret")} cancel={webhookAddress(id)} />
      </PostForm>
    </SettingsPage>
  ),
});

function SecretPage({ id, secret }: WithSecret): VNode {
  return (
    <SettingsPage title={t("The secret")} current={webhookAddress(id)} crumbs={webhooksCrumbs()}>
      <p>
        {t(
          "The receiver uses it to verify that a message comes from Fettle, for example with a Standard Webhooks library.",
        )}{" "}
        <strong>{t("Shown only once.")}</strong>
      </p>
      <section class="panel" aria-label={t("Secret")}>
        <TextToCopy id="secret" label={t("Secret")} value={secret} />
        <div class="actions">
          <a class="button" href={webhookAddress(id)}>
            {t("I've saved it, continue")}
          </a>
        </div>
      </section>
    </SettingsPage>
  );
}

/** The button "Send a test". */
export const testWebhookForm = formRoute({
  path: webhookAddress(":id", "test"),
  limit: "webhook-test",
  open,
  change: (tx, { caller, id }) => sendTest(tx, caller, id),
  done: ({ is_sample: isSample }, { id }) =>
    seeOther(
      webhookAddress(id),
      isSample
        ? t("Nothing sent. This is a sample address.")
        : t("Test sent. The response appears below in a few seconds."),
    ),
});

export const stopWebhookForm = formRoute({
  path: webhookAddress(":id", "stop"),
  open,
  change: (tx, { caller, id }) => stopWebhook(tx, caller, id),
  done: (_, { id }) => seeOther(webhookAddress(id), t("Paused. Nothing is sent until you resume.")),
});

export const resumeWebhookForm = formRoute({
  path: webhookAddress(":id", "resume"),
  open,
  change: (tx, { caller, id }) => resumeWebhook(tx, caller, id),
  done: (_, { id }) => seeOther(webhookAddress(id), t("Resumed. New events are sent from now on.")),
});

/** `/settings/webhooks/:id/delete` */
export const removeWebhookForm = formRoute({
  path: webhookAddress(":id", "delete"),
  open,
  change: (tx, { caller, id }) => removeWebhook(tx, caller, id),
  done: () => seeOther(webhooksAddress, t("Webhook deleted.")),
  page: ({ id, subject: { url } }) => (
    <SettingsPage
      title={t("Delete the webhook")}
      heading={t("Delete the webhook to {host}?", { host: new URL(url).host })}
      current={webhookAddress(id, "delete")}
      crumbs={webhooksCrumbs()}
    >
      <p>{t("Nothing more is sent, including pending messages. Its secret is deleted.")}</p>
      <PostForm>
        <FormActions submit={t("Delete")} danger cancel={webhookAddress(id)} />
      </PostForm>
    </SettingsPage>
  ),
});
