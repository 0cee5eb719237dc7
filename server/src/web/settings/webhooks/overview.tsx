import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import {
  webhookTest,
  type WebhookDelivery,
  type WebhookEvent,
} from "../../../db/entities/messaging.js";
import {
  findDeliveries,
  getWebhook,
  listWebhooks,
  type ShownWebhook,
} from "../../../domain/messaging/webhooks.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { PostForm } from "../../forms/controls.js";
import { Facts } from "../../layout/facts.js";
import { Moment } from "../../layout/moment.js";
import { describeDeliveryResult } from "../../text/delivery-results.js";
import { EmptyState, Notice } from "../../layout/notices.js";
import { ActionLink } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { listOf } from "../../text/format.js";
import { SettingsPage } from "../settings-layout.js";
import { webhookAddress, webhooksAddress, webhooksCrumbs } from "./addresses.js";
import { eventLabels } from "./event-labels.js";

/** `/settings/webhooks`: the webhooks, each with its last deliveries. */
export const webhookOverviewPages: FastifyPluginAsync = async (app) => {
  app.get(webhooksAddress, async (request, reply) => {
    const webhooks = await listWebhooks(request.db, callerOf(request));
    return sendPage(reply, <ListPage webhooks={webhooks} />);
  });
  app.get<{ Params: { id: string } }>(webhookAddress(":id"), async (request, reply) => {
    const caller = callerOf(request);
    const { db } = request;
    const webhook = await getWebhook(db, caller, request.params.id);
    const deliveries = await findDeliveries(db, caller, webhook.id);
    return sendPage(reply, <WebhookPage webhook={webhook} deliveries={deliveries} />);
  });
};

function ListPage({ webhooks }: { webhooks: readonly ShownWebhook[] }): VNode {
  const add = <ActionLink href={`${webhooksAddress}/new`}>{t("Add a webhook")}</ActionLink>;
  return (
    <SettingsPage
      title={t("Webhooks")}
      current={webhooksAddress}
      {...(webhooks.length > 0 && { actions: add })}
    >
      <p>
        {t(
          "Notify other systems when something happens in Fettle. Messages are signed (Standard Webhooks) and sent to an https address.",
        )}
      </p>
      {webhooks.length === 0 ? (
        <EmptyState title={t("No webhooks yet")}>
          <p class="actions">{add}</p>
        </EmptyState>
      ) : (
        <ul class="things">
          {webhooks.map((webhook) => (
            <li key={webhook.id}>
              <a class="address" href={webhookAddress(webhook.id)}>
                {webhook.url}
              </a>
              <p class="soft">
                {describeState(webhook)} · {describeEvents(webhook)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </SettingsPage>
  );
}

function describeState({ is_active: isActive, failing_since: failing }: ShownWebhook): string {
  if (isActive) return t("Active");
  return failing === null ? t("Paused") : t("Failing, paused");
}

function describeEvents({ events }: ShownWebhook): string {
  return listOf(events.map((event) => eventLabels[event as WebhookEvent]));
}

interface WebhookView {
  webhook: ShownWebhook;
  deliveries: readonly WebhookDelivery[];
}

function WebhookPage({ webhook, deliveries }: WebhookView): VNode {
  const { id, url, created_at, failing_since } = webhook;
  return (
    <SettingsPage
      title={t("Webhook")}
      heading={new URL(url).host}
      current={webhookAddress(id)}
      crumbs={webhooksCrumbs()}
      width="wide"
    >
      {failing_since !== null && (
        <Notice>
          <p>
            {tRich(
              "Paused since {at} because deliveries failed for a day, the address returned 410 (Gone), or too many events were waiting. Send a test. If it arrives, resume. Events from the pause aren't sent.",
              { at: <Moment at={failing_since} /> },
            )}
          </p>
        </Notice>
      )}
      <section class="panel" aria-label={t("Webhook")}>
        <Facts
          facts={[
            [t("Address"), <code class="secret-key">{url}</code>],
            [t("State"), describeState(webhook)],
            [t("Events"), describeEvents(webhook)],
            [t("Added"), <Moment at={created_at} />],
          ]}
        />
        <Actions {...webhook} />
      </section>
      <Deliveries deliveries={deliveries} />
    </SettingsPage>
  );
}

function Actions({ id, is_active: isActive }: ShownWebhook): VNode {
  return (
    <div class="actions">
      <PostForm action={webhookAddress(id, "test")}>
        <button type="submit">{t("Send a test")}</button>
      </PostForm>
      <PostForm action={webhookAddress(id, isActive ? "stop" : "resume")}>
        <button type="submit" class="quiet">
          {isActive ? t("Pause") : t("Resume")}
        </button>
      </PostForm>
      <ActionLink href={webhookAddress(id, "edit")} quiet>
        {t("Change")}
      </ActionLink>
      <ActionLink href={webhookAddress(id, "secret")} quiet>
        {t("New secret")}
      </ActionLink>
      <ActionLink href={webhookAddress(id, "delete")} quiet label={t("Delete the webhook")}>
        {t("Delete")}
      </ActionLink>
    </div>
  );
}

const states: Record<WebhookDelivery["state"], string> = translated({
  queued: "Waiting",
  delivered: "Delivered",
  failed: "Failed||a delivery",
});

function Deliveries({ deliveries }: Omit<WebhookView, "webhook">): VNode {
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{t("Last deliveries")}</h2>
      {deliveries.length === 0 ? (
        <p class="soft">{t("No deliveries in the last 7 days.")}</p>
      ) : (
        <div
          class="table-scroll panel"
          role="region"
          aria-label={t("Last deliveries, as a table")}
          tabIndex={0}
        >
          <table>
            <thead>
              <tr>
                <th scope="col">{t("Event")}</th>
                <th scope="col">{t("When")}</th>
                <th scope="col">{t("State")}</th>
                <th scope="col">{t("Attempts")}</th>
                <th scope="col">{t("Response||of a receiver")}</th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    {one.type === webhookTest ? t("Test") : eventLabels[one.type]}
                  </th>
                  <td>
                    <Moment at={one.created_at} />
                  </td>
                  <td>{states[one.state]}</td>
                  <td>{one.attempts}</td>
                  <td>{one.last_result !== null && describeDeliveryResult(one.last_result)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
