import type { Tx } from "../../db/database.js";
import type { Invite } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { idKindOf } from "../shared/ids.js";
import { inviteStatusSql, type InviteStatus } from "./invite-status.js";
import { createParameters } from "../../db/parameters.js";
import { requireSecondFactor } from "../access/roles.js";
import { visibleInviteSql } from "../access/visibility.js";
import { rejectWrongKindOfId } from "../shared/wrong-kind-of-id.js";

export interface InviteRecord
  extends
    Pick<Invite, "id" | "email" | "organization_role" | "workspace_id" | "workspace_name">,
    Pick<Invite, "workspace_role" | "message" | "sent_count" | "last_sent_at" | "recent_resends">,
    Pick<Invite, "access_ends_on"> {
  status: InviteStatus;
  /** Name of the person who sent the first email. */
  inviter: string;
  replaced: boolean;
}

/**
 * Finds an invitation by id or email, if the caller may withdraw or resend it. Locks it until the
 * transaction ends. An email means its only pending invitation, or the newest if none is pending.
 */
export async function lockInvite(tx: Tx, caller: Caller, reference: string): Promise<InviteRecord> {
  requireSecondFactor(caller);
  const field = "invite_id";
  rejectWrongKindOfId(reference, "invite", field);
  const invites = await findInvites(tx, caller, reference);
  const open = invites.filter(({ status }) => status === "pending");
  if (open.length > 1) {
    throw new AppError("validation_failed", "invite_ambiguous", { field, reference, open });
  }
  const [found] = invites;
  if (found === undefined) {
    throw new AppError("not_found", "invite_not_found", { field, reference });
  }
  return found;
}

async function findInvites(tx: Tx, caller: Caller, reference: string): Promise<InviteRecord[]> {
  const parameters = createParameters(caller.organizationId, reference);
  const isMeant = idKindOf(reference) === "invite" ? "i.id = $2" : "i.email = $2::citext";
  return tx.query(
    `SELECT i.id, i.email::text AS email, ${inviteStatusSql("i")} AS status, i.organization_role,
       i.workspace_id, coalesce(w.name::text, i.workspace_name) AS workspace_name,
       i.workspace_role, i.message, u.name AS inviter, i.sent_count, i.last_sent_at,
       i.recent_resends, i.access_ends_on, i.replaced_at IS NOT NULL AS replaced
     FROM invites i JOIN users u ON u.id = i.invited_by
     LEFT JOIN workspaces w ON w.organization_id = i.organization_id AND w.id = i.workspace_id
     WHERE i.organization_id = $1 AND ${isMeant} AND ${visibleInviteSql(caller, parameters, "i")}
     ORDER BY ${inviteStatusSql("i")} = 'pending' DESC, i.created_at DESC, i.id LIMIT 20
     FOR NO KEY UPDATE OF i`,
    parameters.values,
  );
}
