import type { FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import {
  listInvites,
  type InviteListing,
  type InvitePage,
  type InviteRow,
} from "../../../domain/invites/invite-queries.js";
import { findDeliveryStates } from "../../../domain/mail/undelivered-mails.js";
import type { InviteStatus } from "../../../domain/sql/invite-status.js";
import type { MailStatus } from "../../../db/entities/outgoing-mail.js";
import { Moment } from "../../layout/moment.js";
import { workspaceRoleLabels } from "../../text/value-labels.js";
import { ActionLink } from "../../layout/page-head.js";
import { invitationsAddress } from "./parts.js";

export interface Invitations {
  page: InvitePage;
  /** How far the mail of each has come, by invitation. */
  deliveries: ReadonlyMap<string, Delivery>;
}

interface Delivery {
  status: MailStatus;
  reason: string | null;
}

export async function findInvitations(
  { db, server: { cursors } }: FastifyRequest,
  caller: Caller,
  listing: InviteListing,
): Promise<Invitations> {
  const page = await listInvites(db.manager, caller, listing, cursors);
  const ids = page.invites.map(({ id }) => id);
  return { page, deliveries: await findDeliveryStates(db.manager, caller, ids) };
}

/** Whether nothing can be done with it any more. */
export function isEnded({ status }: InviteRow): boolean {
  return status === "accepted" || status === "revoked";
}

export const inviteStatusLabels: Record<InviteStatus, string> = {
  pending: "Open",
  accepted: "Accepted",
  expired: "Expired",
  revoked: "Withdrawn",
};

/** Invitations: who, to where, as what, from whom, until when, and whether the mail got there. */
export function InvitationRows({
  invitations: { page, deliveries },
  caller,
}: {
  invitations: Invitations;
  caller: Caller;
}): VNode {
  return (
    <ul class="rows invitations">
      {page.invites.map((invite) => (
        <Invitation
          key={invite.id}
          invite={invite}
          delivery={deliveries.get(invite.id)}
          caller={caller}
        />
      ))}
    </ul>
  );
}

function Invitation({
  invite,
  delivery,
  caller,
}: {
  invite: InviteRow;
  delivery: Delivery | undefined;
  caller: Caller;
}): VNode {
  const { id, email, status } = invite;
  const { timeZone } = caller;
  return (
    <li class="row">
      <div class="invitation">
        <p>
          <strong>{email}</strong>
        </p>
        <p>{describeTarget(invite)}</p>
        <p class="soft">
          Invited by {invite.invited_by},{" "}
          <Moment at={new Date(invite.created_at)} timeZone={timeZone} inline />
          {isEnded(invite) ? (
            `. ${inviteStatusLabels[status]}.`
          ) : (
            <>
              . {status === "expired" ? "Expired" : "Valid until"}{" "}
              <Moment at={new Date(invite.expires_at)} timeZone={timeZone} inline />.
            </>
          )}
        </p>
        {status === "pending" && delivery !== undefined && (
          <DeliveryState delivery={delivery} caller={caller} />
        )}
      </div>
      {!isEnded(invite) && (
        <p class="row-actions">
          <ActionLink
            href={`${invitationsAddress}/${id}/resend`}
            quiet
            label={`Send the invitation of ${email} again`}
          >
            Send again
          </ActionLink>
          <ActionLink
            href={`${invitationsAddress}/${id}/withdraw`}
            quiet
            label={`Withdraw the invitation of ${email}`}
          >
            Withdraw
          </ActionLink>
        </p>
      )}
    </li>
  );
}

/** "Admin of the organization, and Viewer in Main Facility" */
export function describeTarget(invite: InviteRow): string {
  const { organization_role: role, workspace_name: place, workspace_role: placeRole } = invite;
  const start = role === "admin" ? "Admin of the organization" : "Member of the organization";
  if (place === null || placeRole === null) return start;
  const there = `${workspaceRoleLabels[placeRole]} in ${place}`;
  return role === "admin"
    ? `${start}, and ${there.charAt(0).toLowerCase()}${there.slice(1)}`
    : there;
}

function DeliveryState({ delivery, caller }: { delivery: Delivery; caller: Caller }): VNode {
  const { status, reason } = delivery;
  if (status === "sent") return <p class="soft">The mail was sent.</p>;
  if (status === "queued") {
    return (
      <p class="soft">
        The mail is on its way{reason === null ? "." : `, and tried again: ${reason}`}
      </p>
    );
  }
  const where = isOrganizationAdmin(caller) ? (
    <a href="/settings/mail">Copy its link from Settings &gt; Mail</a>
  ) : (
    "An admin of the organization finds its link under Settings > Mail"
  );
  return (
    <p class="delivery-problem">
      {status === "kept"
        ? "No mail was sent, because no mail server is set."
        : `The mail was not delivered.${reason === null ? "" : ` ${reason}`}`}{" "}
      {where}.
    </p>
  );
}
