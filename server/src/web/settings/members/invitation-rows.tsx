import type { FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import {
  listInvites,
  type InviteListing,
  type InvitePage,
  type InviteRow,
} from "../../../domain/people/invite-queries.js";
import {
  findDeliveryStates,
  type InviteDelivery,
} from "../../../domain/messaging/undelivered-mails.js";
import type { InviteStatus } from "../../../domain/people/invite-status.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { describeDeliveryResult } from "../../text/delivery-results.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink } from "../../layout/page-head.js";
import { InvitationLink } from "./invitation-link.js";
import { invitationsAddress } from "./parts.js";
import { PersonName } from "../../text/person-name.js";

export interface Invitations {
  page: InvitePage;
  /** The status of each invitation's email, by invitation. */
  deliveries: ReadonlyMap<string, InviteDelivery>;
}

export async function findInvitations(
  { db, server }: FastifyRequest,
  caller: Caller,
  listing: InviteListing,
): Promise<Invitations> {
  const page = await listInvites(db, caller, listing, server.services.cursors);
  const ids = page.invites.map(({ id }) => id);
  const { mails } = server.services;
  return { page, deliveries: await findDeliveryStates(db, caller, ids, mails) };
}

/** True if no action on the invitation is left. */
export function isEnded({ status }: InviteRow): boolean {
  return status === "accepted" || status === "revoked";
}

export const inviteStatusLabels: Record<InviteStatus, string> = translated({
  pending: "Open||an invitation",
  accepted: "Accepted",
  expired: "Expired",
  revoked: "Withdrawn",
});

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
  delivery: InviteDelivery | undefined;
  caller: Caller;
}): VNode {
  const { id, email, status } = invite;
  return (
    <li class="row">
      <div class="invitation">
        <p>
          <strong>{email}</strong>
        </p>
        <p>{describeTarget(invite)}</p>
        <Course invite={invite} />
        {status === "pending" && delivery !== undefined && (
          <DeliveryState invite={invite} delivery={delivery} caller={caller} />
        )}
      </div>
      {!isEnded(invite) && (
        <p class="row-actions">
          <ActionLink
            href={`${invitationsAddress}/${id}/resend`}
            quiet
            label={t("Resend the invitation for {email}", { email })}
          >
            {t("Resend")}
          </ActionLink>
          <ActionLink
            href={`${invitationsAddress}/${id}/withdraw`}
            quiet
            label={t("Withdraw the invitation for {email}", { email })}
          >
            {t("Withdraw")}
          </ActionLink>
        </p>
      )}
    </li>
  );
}

/** The sender, the time, and the expiry or outcome. */
function Course({ invite }: { invite: InviteRow }): VNode {
  const { status, invited_by, created_at, expires_at } = invite;
  const at = <Moment at={new Date(created_at)} inline />;
  const end = <Moment at={new Date(expires_at)} inline />;
  return (
    <p class="soft">
      {tRich("Invited by {person}, {at}.", { person: <PersonName name={invited_by} />, at })}{" "}
      {status === "accepted" && t("Accepted.")}
      {status === "revoked" && t("Withdrawn.")}
      {status === "expired" && tRich("Expired {at}.", { at: end })}
      {status === "pending" && tRich("Valid until {at}.", { at: end })}
    </p>
  );
}

const adminTargets = {
  admin: "Admin of the organization, and admin in {place}",
  member: "Admin of the organization, and member in {place}",
  viewer: "Admin of the organization, and viewer in {place}",
} as const;

const memberTargets = {
  admin: "Admin in {place}",
  member: "Member in {place}",
  viewer: "Viewer in {place}",
} as const;

/** "Admin of the organization, and viewer in Main Facility" */
export function describeTarget(invite: InviteRow): string {
  const { organization_role: role, workspace_name: place, workspace_role: placeRole } = invite;
  if (place === null || placeRole === null) {
    return role === "admin" ? t("Admin of the organization") : t("Member of the organization");
  }
  const targets = role === "admin" ? adminTargets : memberTargets;
  return t(targets[placeRole], { place });
}

function DeliveryState({
  invite,
  delivery,
  caller,
}: {
  invite: InviteRow;
  delivery: InviteDelivery;
  caller: Caller;
}): VNode {
  const { status, link } = delivery;
  const reason = delivery.reason === null ? null : describeDeliveryResult(delivery.reason);
  if (status === "sent") return <p class="soft">{t("Email sent.")}</p>;
  if (status === "queued") {
    return (
      <p class="soft">
        {reason === null
          ? t("Email on its way.")
          : t("Email not sent yet. We'll try again: {reason}", { reason })}
      </p>
    );
  }
  return (
    <>
      <p class="delivery-problem">
        {status === "kept"
          ? t("No email was sent because email isn't set up on this server.")
          : `${t("Email not delivered.")}${reason === null ? "" : ` ${reason}`}`}
        {!isOrganizationAdmin(caller) &&
          ` ${t("An organization admin can find the link under Settings > Mail.")}`}
      </p>
      {isOrganizationAdmin(caller) && (
        <InvitationLink inviteId={invite.id} recipient={invite.email} link={link} />
      )}
    </>
  );
}
