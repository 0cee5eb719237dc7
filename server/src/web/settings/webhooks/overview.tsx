import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import {
  webhookTest,
  type WebhookDelivery,
  type WebhookEvent,
} from "../../../db/entities/messaging.js";
import {
  findDeliveries,
  findTroubles,
  getWebhook,
  listWebhooks,
  type ShownWebhook,
  type WebhookTrouble,
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
    const caller = callerOf(request);
    const webhooks = await listWebhooks(request.db, caller);
    const troubles = await findTroubles(request.db, caller);
    return sendPage(reply, <ListPage webhooks={webhooks} troubles={troubles} />);
  });
  app.get<{ Params: { id: string } }>(webhookAddress(":id"), async (request, reply) => {
    const caller = callerOf(request);
    const { db } = request;
    const webhook = await getWebhook(db, caller, request.params.id);
    const deliveries = await findDeliveries(db, caller, webhook.id);
    const trouble = (await findTroubles(db, caller)).get(webhook.id);
    if (deliveries.some(isUnderWay)) reply.header("refresh", "3");
    return sendPage(reply, <WebhookPage {...{ webhook, trouble, deliveries }} />);
  });
};

/** Long enough for a sender to get to it. Later, only the link "Refresh" loads the page again. */
const underWayMs = 60_000;

const isUnderWay = (delivery: WebhookDelivery): boolean =>
  isWaiting(delivery) && Date.now() - delivery.created_at.getTime() < underWayMs;

const isWaiting = ({ state, attempts }: WebhookDelivery): boolean =>
  state === "queued" && attempts === 0;

function ListPage({
  webhooks,
  troubles,
}: {
  webhooks: readonly ShownWebhook[];
  troubles: ReadonlyMap<string, WebhookTrouble>;
}): VNode {
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
                <State webhook={webhook} trouble={troubles.get(webhook.id)} />{" "}
                {describeEvents(webhook)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </SettingsPage>
  );
}

function State({
  webhook: { is_active: isActive, failing_since: failing },
  trouble,
}: Pick<WebhookView, "webhook" | "trouble">): VNode {
  if (isActive) {
    return trouble === undefined ? (
      <span class="tag good">{t("Active")}</span>
    ) : (
      <span class="tag bad">{t("Failing, retrying")}</span>
    );
  }
  return failing === null ? (
    <span class="tag">{t("Paused")}</span>
  ) : (
    <span class="tag bad">{t("Failing, paused")}</span>
  );
}

function describeEvents({ events }: ShownWebhook): string {
  return listOf(events.map((event) => eventLabels[event as WebhookEvent]));
}

interface WebhookView {
  webhook: ShownWebhook;
  trouble: WebhookTrouble | undefined;
  deliveries: readonly WebhookDelivery[];
}

function WebhookPage({ webhook, trouble, deliveries }: WebhookView): VNode {
  const { id, url, created_at } = webhook;
  return (
    <SettingsPage
      title={t("Webhook")}
      heading={new URL(url).host}
      current={webhookAddress(id)}
      crumbs={webhooksCrumbs()}
      width="wide"
    >
      {webhook.is_sample && (
        <Notice title={t("Sample webhook")}>
          <p>{t("Nothing is sent to this address. Change it to your own to try webhooks.")}</p>
        </Notice>
      )}
      {trouble !== undefined && <Trouble webhook={webhook} trouble={trouble} />}
      <section class="panel" aria-label={t("Webhook")}>
        <Facts
          facts={[
            [t("Address"), <code class="secret-key">{url}</code>],
            [t("State"), <State webhook={webhook} trouble={trouble} />],
            [t("Events"), describeEvents(webhook)],
            [t("Added"), <Moment at={created_at} />],
          ]}
        />
        <Actions {...webhook} />
      </section>
      <Deliveries id={id} deliveries={deliveries} />
    </SettingsPage>
  );
}

/** The actual cause, and when the next attempt is or how to go on. */
function Trouble({
  webhook: { failing_since: since },
  trouble: { cause, next_attempt_at: next },
}: {
  webhook: ShownWebhook;
  trouble: WebhookTrouble;
}): VNode {
  const result = cause === undefined ? "" : describeDeliveryResult(cause);
  return (
    <Notice kind="warning" title={t("Deliveries fail")}>
      {result !== "" && <p>{result}</p>}
      <p>
        {next !== undefined && tRich("Next attempt: {at}.", { at: <Moment at={next} inline /> })}
        {since !== null &&
          tRich(
            "Paused since {at}. Send a test. If it arrives, resume. Events from the pause aren't sent.",
            { at: <Moment at={since} inline /> },
          )}
      </p>
    </Notice>
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

function Deliveries({ id, deliveries }: Pick<WebhookView, "deliveries"> & { id: string }): VNode {
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{t("Last deliveries")}</h2>
      {deliveries.some(isWaiting) && (
        <p>
          <a href={webhookAddress(id)}>{t("Refresh")}</a>
        </p>
      )}
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
                  <td>
                    {one.state === "failed" ? (
                      <span class="tag bad">{states.failed}</span>
                    ) : (
                      states[one.state]
                    )}
                  </td>
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
