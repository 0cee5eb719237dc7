import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import {
  findRecentDeliveries,
  listUndeliveredMails,
  type Delivery,
  type UndeliveredMail,
  type UndeliveredMailPage,
} from "../../domain/messaging/undelivered-mails.js";
import { t, tRich } from "../../language/translate.js";
import { Moment } from "../layout/moment.js";
import { Pager, ListCount } from "../lists/pager.js";
import { EmptyState, Notice } from "../layout/notices.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { toPageQuery } from "../lists/list-query.js";
import { describeDeliveryResult } from "../text/delivery-results.js";
import { nameRole } from "./activity-sentences.js";
import { InvitationLink } from "./members/invitation-link.js";
import { SettingsPage } from "./settings-layout.js";
import { readQuery, rowsOnPage } from "./settings-query.js";
import { PersonName } from "../text/person-name.js";

const address = "/settings/mail";

/** `/settings/mail`: invitations to send by hand, and the status of the other emails. */
export const mailPages: FastifyPluginAsync = async (app) => {
  app.get(address, async (request, reply) => {
    const caller = callerOf(request);
    const { cursor } = readQuery(request.query, ["cursor"]);
    const listing = { limit: rowsOnPage, cursor: cursor || undefined };
    const [page, deliveries] = await Promise.all([
      listUndeliveredMails(request.db, caller, listing, app.services),
      findRecentDeliveries(request.db, caller),
    ]);
    const { delivers } = app.services.mails;
    const view = { caller, delivers, cursor, page, deliveries };
    return sendPage(reply, <MailPage {...view} />);
  });
};

interface MailView {
  caller: Caller;
  delivers: boolean;
  cursor: string;
  page: UndeliveredMailPage;
  deliveries: readonly Delivery[];
}

function MailPage({ caller, delivers, cursor, page, deliveries }: MailView): VNode {
  return (
    <SettingsPage title={t("Mail")} current={address}>
      {!delivers && (
        <Notice title={t("Email isn't set up")}>
          <p>
            {tRich(
              "Invitations are saved here. Copy each link and send it to that person. Anyone who opens it can join in their place. To send emails, the server's administrator sets <code>SMTP_URL</code> and <code>MAIL_FROM</code> and restarts the server.",
              { code: (words: ComponentChildren) => <code>{words}</code> },
            )}
          </p>
        </Notice>
      )}
      {page.total_count > 0 ? (
        <section aria-labelledby="waiting">
          <h2 id="waiting">{t("Send yourself")}</h2>
          <ListCount shown={page.mails.length} total={page.total_count} one="mail" />
          <ul class="rows mails">
            {page.mails.map((mail) => (
              <UndeliveredRow key={mail.id} mail={mail} caller={caller} />
            ))}
          </ul>
          <Pager path={address} query={toPageQuery({ cursor })} nextCursor={page.next_cursor} />
        </section>
      ) : (
        <EmptyState title={t("No emails are waiting to be sent")}>
          <p>
            {delivers
              ? t("Invitations that can't be emailed appear here, with their links.")
              : t("Invite someone, and the link appears here.")}
          </p>
          <p>
            <a class="button quiet" href="/settings/members/invite">
              {t("Invite a person")}
            </a>
          </p>
        </EmptyState>
      )}
      {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
    </SettingsPage>
  );
}

function UndeliveredRow({ mail, caller }: { mail: UndeliveredMail; caller: Caller }): VNode {
  const { recipient, link, reason, invite_id: inviteId } = mail;
  return (
    <li class="row">
      <div class="mail">
        <h3>{recipient}</h3>
        <p dir="auto">{describePurpose(mail, caller)}</p>
        <p class="soft">
          {tRich("Invited by {person}, {at}. Valid until {end}.", {
            person: <PersonName name={mail.invited_by} />,
            at: <Moment at={mail.created_at} inline />,
            end: <Moment at={mail.expires_at} inline />,
          })}
        </p>
        {mail.status === "failed" && (
          <p class="delivery-problem">
            {t("Email not delivered.")}
            {reason !== null && ` ${describeDeliveryResult(reason)}`}
          </p>
        )}
        <InvitationLink inviteId={inviteId} recipient={recipient} link={link} />
      </div>
    </li>
  );
}

function describePurpose(mail: UndeliveredMail, { organizationName }: Caller): string {
  const { workspace_name: place, workspace_role: role } = mail;
  if (place === null || role === null) {
    return t("Invitation to {organization}", { organization: organizationName });
  }
  return t("Invitation to {place} in {organization}, as {role}", {
    place,
    organization: organizationName,
    role: nameRole(role),
  });
}

function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }): VNode {
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{t("Recent emails")}</h2>
      <ul class="rows">
        {deliveries.map((delivery) => (
          <li key={delivery.id} class="row">
            <span class="recipient">{delivery.recipient}</span>
            <span class="soft">
              <State delivery={delivery} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function State({ delivery }: { delivery: Delivery }): VNode {
  const { sent_at: sent, attempts, reason, next_attempt_at: next } = delivery;
  if (sent !== null) {
    return <>{tRich("Sent {at}", { at: <Moment at={sent} inline /> })}</>;
  }
  if (attempts === 0 || reason === null) return <>{t("On its way")}</>;
  return (
    <>
      {describeDeliveryResult(reason)} {tRich("Retry {at}", { at: <Moment at={next} inline /> })}
    </>
  );
}
