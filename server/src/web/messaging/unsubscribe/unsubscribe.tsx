import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { NotificationKind } from "../../../db/entities/messaging.js";
import { commit } from "../../../domain/history/transactions.js";
import type { Subscription } from "../../../domain/messaging/mail-cipher.js";
import {
  findNotificationChoices,
  topicsOf,
  unsubscribe,
} from "../../../domain/messaging/notification-choices.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { BarePage } from "../../layout/bare-page.js";
import { sendPage } from "../../layout/reply.js";
import { routeLimit } from "../../../traffic/bounds.js";

const path = "/unsubscribe/:token";
type Route = { Params: { token: string } };

const maxBytes = 4096;

/**
 * GET only shows the button, because programs that follow links in emails must not unsubscribe
 * anyone.
 */
export const unsubscribePage: FastifyPluginAsync = async (app) => {
  app.get<Route>(path, async (request, reply) => {
    const subscription = subscriptionOf(request);
    if (subscription === undefined) return sendPage(reply.code(404), <WrongLinkPage />);
    const choices = await findNotificationChoices(request.db, subscription);
    const isOn = topicsOf[subscription.kind].some((topic) => choices?.email[topic] === true);
    return sendPage(reply, isOn ? <AskPage {...subscription} /> : <EndedPage {...subscription} />);
  });
};

/**
 * POST unsubscribes, for the page's button and for email programs (RFC 8058). They send neither
 * cookie nor token, so the secret in the address authorizes them.
 */
export const unsubscribeRoute: FastifyPluginAsync = async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    { parseAs: "string", bodyLimit: maxBytes },
    (_request, body, done) => {
      done(null, body);
    },
  );
  const config = { rateLimit: routeLimit("unsubscribe") };
  app.post<Route>(path, { config }, async (request, reply) => {
    const subscription = subscriptionOf(request);
    if (subscription === undefined) return reply.redirect(request.url, 303);
    await app.services.anonymousQueue(subscription.organizationId, () =>
      commit({ db: app.services.anonymousDb, caller: null }, (tx) =>
        unsubscribe(tx, subscription, subscription.kind),
      ),
    );
    // Email programs don't follow redirects.
    if (!isOneClick(request.body)) return reply.redirect(request.url, 303);
    return reply.type("text/plain").send("You get no more of these mails.\n");
  });
};

function subscriptionOf({ params, server }: FastifyRequest<Route>): Subscription | undefined {
  return server.services.mails.readUnsubscribeToken(params.token);
}

/** As a form, or as multipart. */
function isOneClick(body: unknown): boolean {
  return typeof body === "string" && /List-Unsubscribe[\s\S]*One-Click/.test(body);
}

const asked: Record<NotificationKind, string> = translated({
  assigned: "You get emails when someone assigns work to you.",
  comment: "You get emails about comments that mention you or are on your tasks.",
  reminder: "You get emails about work that's due tomorrow or overdue.",
  report_answered: "You get emails about problems you reported.",
  contractor_done: "You get emails when a contractor marks your work as done.",
  weekly_digest: "You get a weekly summary on Mondays.",
});

const ended: Record<NotificationKind, string> = translated({
  assigned: "You no longer get emails when someone assigns work to you.",
  comment: "You no longer get emails about comments that mention you or are on your tasks.",
  reminder: "You no longer get emails about work that's due tomorrow or overdue.",
  report_answered: "You no longer get emails about problems you reported.",
  contractor_done: "You no longer get emails when a contractor marks your work as done.",
  weekly_digest: "You no longer get the weekly summary on Mondays.",
});

function AskPage({ kind }: Subscription): VNode {
  return (
    <BarePage title={t("Unsubscribe from these emails?")}>
      <p>{asked[kind]}</p>
      <form method="post">
        <div class="actions">
          <button type="submit">{t("Unsubscribe")}</button>
          <a class="button quiet" href="/settings/notifications">
            {t("Email preferences")}
          </a>
        </div>
      </form>
    </BarePage>
  );
}

function EndedPage({ kind }: Subscription): VNode {
  return (
    <BarePage title={t("You're unsubscribed")}>
      <p role="status">{ended[kind]}</p>
      <p>
        {tRich("<a>Choose which emails you get</a> at any time after signing in.", { a: choices })}
      </p>
    </BarePage>
  );
}

function choices(words: ComponentChildren): VNode {
  return <a href="/settings/notifications">{words}</a>;
}

function WrongLinkPage(): VNode {
  return (
    <BarePage title={t("This link doesn't work")}>
      <p>
        {tRich(
          "The link is incomplete or too old. Sign in and <a>choose which emails you get</a>.",
          { a: choices },
        )}
      </p>
    </BarePage>
  );
}
