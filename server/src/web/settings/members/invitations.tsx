import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { createOnce } from "../../../domain/changes/idempotency.js";
import { getInvite, type InviteRow } from "../../../domain/invites/invite-queries.js";
import { resendInvite, withdrawInvite } from "../../../domain/invites/invites.js";
import { commit } from "../../../domain/sql/transactions.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { createFormKey, readFormKey, toFormErrors } from "../../forms/forms.js";
import { PageHead } from "../../layout/page-parts.js";
import { Notice, type FormError } from "../../layout/parts.js";
import {
  callerOf,
  layoutProps,
  refuse,
  sendPage,
  flash,
  type LayoutProps,
} from "../../layout/reply.js";
import { SettingsPage } from "../settings-frame.js";
import { describeAim } from "./invitation-rows.js";
import { tellSent } from "./invite.js";
import { invitationsAddress, membersAddress, membersCrumb, type PersonParams } from "./parts.js";

const invitationsCrumb = { href: invitationsAddress, label: "Invitations" };

/** Sending an invitation again, and withdrawing one; both ask once more. */
export const invitationPages: FastifyPluginAsync = async (app) => {
  app.get<PersonParams>(`${invitationsAddress}/:id/resend`, async (request, reply) =>
    ask(request, reply, "resend"),
  );

  app.post<PersonParams>(`${invitationsAddress}/:id/resend`, async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const requestKey = readFormKey(request.body);
    const intended = { tool: "web:resend_invite", requestKey, arguments: { id } };
    try {
      const { invite } = await commit(app.db, (tx) =>
        createOnce(tx, caller, intended, () => resendInvite(tx, caller, id, app.mails)),
      );
      app.mails.announce();
      tellSent(request, invite.email, app.mails.delivers);
      return await reply.redirect(membersAddress, 303);
    } catch (error) {
      const errors = toFormErrors(error).map(({ message }) => ({ message }));
      return ask(request, refuse(reply, error), "resend", errors);
    }
  });

  app.get<PersonParams>(`${invitationsAddress}/:id/withdraw`, async (request, reply) =>
    ask(request, reply, "withdraw"),
  );

  app.post<PersonParams>(`${invitationsAddress}/:id/withdraw`, async (request, reply) => {
    const caller = callerOf(request);
    try {
      const { invite } = await commit(app.db, (tx) =>
        withdrawInvite(tx, caller, request.params.id),
      );
      flash(
        request,
        `The invitation of ${invite.email} is withdrawn. Its link does not work any more.`,
      );
      return await reply.redirect(membersAddress, 303);
    } catch (error) {
      const errors = toFormErrors(error).map(({ message }) => ({ message }));
      return ask(request, reply.code(400), "withdraw", errors);
    }
  });

  async function ask(
    request: FastifyRequest<PersonParams>,
    reply: FastifyReply,
    what: "resend" | "withdraw",
    errors: readonly FormError[] = [],
  ): Promise<FastifyReply> {
    const invite = await getInvite(app.db.manager, callerOf(request), request.params.id);
    const frame = layoutProps(request, reply);
    const { delivers } = app.mails;
    return sendPage(reply, <QuestionPage {...{ frame, invite, what, delivers, errors }} />);
  }
};

interface QuestionView {
  frame: LayoutProps;
  invite: InviteRow;
  what: "resend" | "withdraw";
  delivers: boolean;
  errors: readonly FormError[];
}

function QuestionPage({ frame, invite, what, delivers, errors }: QuestionView): VNode {
  const { email, status } = invite;
  const title =
    what === "resend"
      ? `Send the invitation of ${email} again?`
      : `Withdraw the invitation of ${email}?`;
  const isEnded = status === "accepted" || status === "revoked";
  return (
    <SettingsPage title={title} current={invitationsAddress} frame={frame}>
      <PageHead title={title} crumbs={[membersCrumb, invitationsCrumb]} />
      <p>{describeAim(invite)}.</p>
      {isEnded ? (
        <Notice>
          <p>
            This invitation {status === "accepted" ? "was accepted" : "was withdrawn"} already, so
            there is nothing left to do with it. <a href={invitationsAddress}>All invitations</a>
          </p>
        </Notice>
      ) : (
        <>
          <p>
            {what === "resend"
              ? `The new link is valid for 7 days, and the link sent before stops working.${delivers ? "" : " No mail server is set: you find the new link under Settings > Mail."}`
              : "Its link stops working at once. The same person can be invited again at any time."}
          </p>
          <PostForm frame={frame} errors={errors}>
            <input type="hidden" name="request_key" value={createFormKey()} />
            <FormActions
              submit={what === "resend" ? "Send again" : "Withdraw invitation"}
              danger={what === "withdraw"}
              cancel={membersAddress}
            />
          </PostForm>
        </>
      )}
    </SettingsPage>
  );
}
