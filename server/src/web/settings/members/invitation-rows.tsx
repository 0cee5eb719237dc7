import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import type { InviteRow } from "../../../domain/invites/invite-queries.js";
import type { InviteStatus } from "../../../domain/sql/invite-status.js";
import type { MailStatus } from "../../../db/entities/outgoing-mail.js";
import { Moment } from "../../layout/moment.js";
import { workspaceRoleLabels } from "../../text/value-labels.js";
import { invitationsAddress } from "./parts.js";

/** How far the mail of each invitation has come, by invitation. */
export type Deliveries = ReadonlyMap<string, { status: MailStatus; reason: string | null }>;

export const inviteStatusLabels: Record<InviteStatus, string> = {
  pending: "Open",
  accepted: "Accepted",
  expired: "Expired",
  revoked: "Withdrawn",
};

/** Invitations: who, to where, as what, from whom, until when, and whether the mail got there. */
export function InvitationRows({
  invites,
  deliveries,
  caller,
}: {
  invites: readonly InviteRow[];
  deliveries: Deliveries;
  caller: Caller;
}): VNode {
  return (
    <ul class="rows invitations">
      {invites.map((invite) => (
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
  delivery: { status: MailStatus; reason: string | null } | undefined;
  caller: Caller;
}): VNode {
  const { id, email, status } = invite;
  const { timeZone } = caller;
  const isEnded = status === "accepted" || status === "revoked";
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
          {isEnded ? (
            `. ${inviteStatusLabels[status]}.`
          ) : (
            <>
              . {status === "expired" ? "Expired" : "Valid until"}{" "}
              <Moment at={new Date(invite.expires_at)} timeZone={timeZone} inline />.
            </>
          )}
        </p>
        {status === "pending" && <Delivery delivery={delivery} caller={caller} />}
      </div>
      {!isEnded && (
        <p class="row-actions">
          <a
            class="button quiet"
            href={`${invitationsAddress}/${id}/resend`}
            aria-label={`Send the invitation of ${email} again`}
          >
            Send again
          </a>
          <a
            class="button quiet"
            href={`${invitationsAddress}/${id}/withdraw`}
            aria-label={`Withdraw the invitation of ${email}`}
          >
            Withdraw
          </a>
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

function Delivery({
  delivery,
  caller,
}: {
  delivery: { status: MailStatus; reason: string | null } | undefined;
  caller: Caller;
}): VNode | null {
  if (delivery === undefined) return null;
  const { status, reason } = delivery;
  const why = reason === null ? "" : ` ${reason}`;
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
        : `The mail was not delivered.${why}`}{" "}
      {where}.
    </p>
  );
}
