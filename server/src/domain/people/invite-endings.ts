import type { Database, Tx } from "../../db/database.js";
import type { Actor } from "../access/caller.js";
import { discardMails } from "../messaging/outbox.js";
import { deleteInBatches } from "../history/batches.js";
import { defaultRetention, type Retention } from "../shared/retention.js";
import { recordInviteActivity } from "./invite-sending.js";
import { inviteStatusSql } from "./invite-status.js";
import type { InviteDraft } from "./invite-store.js";

/**
 * Withdraws pending invitations that would undo a loss of access. These are invitations that the
 * person could no longer send, and invitations that would restore the person's own access.
 * `workspaceId` is set if the person left only this workspace.
 */
export async function withdrawInvitesOf(
  tx: Tx,
  actor: Actor,
  { userId, workspaceId }: { userId: string; workspaceId?: string | undefined },
): Promise<void> {
  const withdrawn = await tx.query<EndedInvite>(
    `UPDATE invites i SET revoked_at = app_now(), revoked_by = $4
     FROM users u LEFT JOIN organization_members m ON m.organization_id = $1 AND m.user_id = u.id
       AND m.removed_at IS NULL
     WHERE u.id = $2 AND i.organization_id = $1 AND ${inviteStatusSql("i")} = 'pending'
       AND (i.invited_by = u.id AND NOT ${mayStillInvite}
         OR i.email = u.email AND (m.user_id IS NULL
           OR CASE WHEN $3::text IS NULL THEN i.organization_role = 'admin'
              ELSE i.workspace_id = $3 END))
     RETURNING ${endedColumns}`,
    [actor.organizationId, userId, workspaceId ?? null, actor.userId],
  );
  await tell(tx, actor, withdrawn);
}

/** Withdraws pending invitations to a workspace that is being deleted. Returns their number. */
export async function withdrawInvitesTo(
  tx: Tx,
  actor: Actor,
  workspaceId: string,
): Promise<number> {
  const withdrawn = await tx.query<EndedInvite>(
    `UPDATE invites i SET revoked_at = app_now(), revoked_by = $3
     WHERE i.organization_id = $1 AND i.workspace_id = $2 AND ${inviteStatusSql("i")} = 'pending'
     RETURNING ${endedColumns}`,
    [actor.organizationId, workspaceId, actor.userId],
  );
  await tell(tx, actor, withdrawn);
  return withdrawn.length;
}

const endedColumns = "i.id, i.email::text AS email, i.workspace_id, i.organization_role";

async function tell(tx: Tx, actor: Actor, withdrawn: readonly EndedInvite[]): Promise<void> {
  for (const invite of withdrawn) {
    await discardMails(tx, actor.organizationId, invite.id);
    await recordInviteActivity(tx, actor, invite, "invite_withdrawn");
  }
}

type EndedInvite = Pick<InviteDraft, "id" | "email" | "workspace_id" | "organization_role">;

/**
 * The rule of `requireMayInvite` in SQL, for person u with membership m and an existing invitation.
 */
const mayStillInvite = `(m.user_id IS NOT NULL AND u.deactivated_at IS NULL AND (m.role <> 'member'
    OR i.organization_role = 'member' AND EXISTS (SELECT 1 FROM workspace_members w
      WHERE w.organization_id = $1 AND w.user_id = u.id AND w.workspace_id = i.workspace_id
        AND w.role = 'admin')))`;

/** Deletes invitations that ended long ago, with their emails. */
export async function cleanUpInvites(
  db: Database,
  { audit }: Retention = defaultRetention,
): Promise<void> {
  if (audit === 0) return;
  await deleteInBatches(
    db,
    "invites",
    `${inviteStatusSql("invites")} <> 'pending'
     AND coalesce(accepted_at, revoked_at, expires_at) < app_now() - make_interval(days => $1)`,
    [audit],
  );
}
