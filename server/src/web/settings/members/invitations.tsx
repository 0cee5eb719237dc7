import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { getInvite, type InviteRow } from "../../../domain/people/invite-queries.js";
import { requireOrganizationAdmin } from "../../../domain/access/roles.js";
import { findDeliveryStates } from "../../../domain/messaging/undelivered-mails.js";
import { resendInvite, withdrawInvite } from "../../../domain/people/invites.js";
import { t, tRich } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { formRoute } from "../../forms/form-route.js";
import { seeOther } from "../../forms/form-reply.js";
import { Moment } from "../../layout/moment.js";
import { Notice } from "../../layout/notices.js";
import { ActionLink } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { PersonName } from "../../text/person-name.js";
import { SettingsPage } from "../settings-layout.js";
import { InvitationLink } from "./invitation-link.js";
import { describeTarget, isEnded } from "./invitation-rows.js";
import { announceInvite } from "./invite.js";
import { invitationsAddress, membersAddress, membersCrumb } from "./parts.js";

const crumbs = () => [membersCrumb, { href: invitationsAddress, label: t("Invitations") }];

/**
 * Shows the link of an invitation that wasn't emailed. Resends or withdraws an invitation. Both ask
 * for confirmation.
 */
export const invitationForms: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>(`${invitationsAddress}/:id`, async (request, reply) => {
    const { db, params } = request;
    const caller = callerOf(request);
    await requireOrganizationAdmin(db, caller, "manage members");
    const invite = await getInvite(db, caller, params.id);
    const states = await findDeliveryStates(db, caller, [invite.id], app.services.mails);
    const status = states.get(invite.id)?.status;
    const isUnsent = status === "kept" || status === "failed";
    if (invite.status !== "pending" || !isUnsent) return reply.redirect(invitationsAddress, 303);
    return sendPage(reply, <LinkPage invite={invite} link={states.get(invite.id)?.link} />);
  });
  await app.register(resendForm);
  await app.register(withdrawForm);
};

const resendForm = formRoute({
  path: `${invitationsAddress}/:id/resend`,
  once: "resend_invite",
  change: (tx, { app, caller, id }) => resendInvite(tx, caller, id, app.services.mails),
  done: ({ invite }, { app, caller }) => announceInvite(app, caller, invite),
  page: async ({ app, db, caller, id }) => {
    const invite = await getInvite(db, caller, id);
    const kept = app.services.mails.delivers
      ? ""
      : ` ${t("Email isn't set up on this server. You get a new link to send.")}`;
    return (
      <QuestionPage
        invite={invite}
        title={t("Resend the invitation for {email}?", { email: invite.email })}
        text={`${t("The new link is valid for 7 days. The previous link stops working.")}${kept}`}
        submit={t("Resend")}
      />
    );
  },
});

const withdrawForm = formRoute({
  path: `${invitationsAddress}/:id/withdraw`,
  change: (tx, { caller, id }) => withdrawInvite(tx, caller, id),
  done: ({ invite: { email } }) =>
    seeOther(
      membersAddress,
      t("Invitation for {email} withdrawn. Its link no longer works.", { email }),
    ),
  page: async ({ db, caller, id }) => {
    const invite = await getInvite(db, caller, id);
    return (
      <QuestionPage
        invite={invite}
        title={t("Withdraw the invitation for {email}?", { email: invite.email })}
        text={t("The link stops working right away. You can invite the person again at any time.")}
        submit={t("Withdraw invitation")}
        danger
      />
    );
  },
});

function LinkPage({ invite, link }: { invite: InviteRow; link: string | undefined }): VNode {
  const { id, email } = invite;
  const title = t("Send this link to {email}", { email });
  return (
    <SettingsPage title={title} current={invitationsAddress} crumbs={crumbs()}>
      <section class="panel" aria-label={title}>
        <p>{describeTarget(invite)}</p>
        <p class="soft">
          {tRich("Invited by {person}, {at}. Valid until {end}.", {
            person: <PersonName name={invite.invited_by} />,
            at: <Moment at={new Date(invite.created_at)} inline />,
            end: <Moment at={new Date(invite.expires_at)} inline />,
          })}
        </p>
        <InvitationLink inviteId={id} recipient={email} link={link} />
      </section>
      <p class="actions">
        <ActionLink href={`${membersAddress}/invite`}>{t("Invite another person")}</ActionLink>
        <ActionLink href={membersAddress} quiet>
          {t("Members")}
        </ActionLink>
      </p>
    </SettingsPage>
  );
}

interface QuestionView {
  invite: InviteRow;
  title: string;
  text: string;
  submit: string;
  danger?: boolean;
}

function QuestionPage({ invite, title, text, submit, danger = false }: QuestionView): VNode {
  return (
    <SettingsPage title={title} current={invitationsAddress} crumbs={crumbs()}>
      <p>{describeTarget(invite)}.</p>
      {isEnded(invite) ? (
        <Notice>
          <p>
            {invite.status === "accepted"
              ? t("This invitation was already accepted.")
              : t("This invitation was already withdrawn.")}{" "}
            <a href={invitationsAddress}>{t("All invitations")}</a>
          </p>
        </Notice>
      ) : (
        <>
          <p>{text}</p>
          <PostForm>
            <FormActions submit={submit} danger={danger} cancel={membersAddress} />
          </PostForm>
        </>
      )}
    </SettingsPage>
  );
}
