import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { getInvite, type InviteRow } from "../../../domain/people/invite-queries.js";
import { resendInvite, withdrawInvite } from "../../../domain/people/invites.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { formRoute } from "../../forms/form-route.js";
import { seeOther } from "../../forms/form-reply.js";
import { Notice } from "../../layout/notices.js";
import { SettingsPage } from "../settings-layout.js";
import { describeTarget, isEnded } from "./invitation-rows.js";
import { announceInvite } from "./invite.js";
import { invitationsAddress, membersAddress, membersCrumb } from "./parts.js";

const crumbs = () => [membersCrumb, { href: invitationsAddress, label: t("Invitations") }];

/** Resends or withdraws an invitation. Both ask for confirmation. */
export const invitationForms: FastifyPluginAsync = async (app) => {
  await app.register(resendForm);
  await app.register(withdrawForm);
};

const resendForm = formRoute({
  path: `${invitationsAddress}/:id/resend`,
  once: "resend_invite",
  change: (tx, { app, caller, id }) => resendInvite(tx, caller, id, app.services.mails),
  done: ({ invite: { email } }, { app, caller }) => announceInvite(app, caller, email),
  page: async ({ app, db, caller, id }) => {
    const invite = await getInvite(db, caller, id);
    const kept = app.services.mails.delivers
      ? ""
      : ` ${t("Email isn't set up on this server. The new link is under Settings > Mail.")}`;
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
