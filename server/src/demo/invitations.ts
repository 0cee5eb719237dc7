import type { Tx } from "../db/database.js";
import type { Caller, WorkspaceRole } from "../domain/access/caller.js";
import { setClock } from "../domain/access/clock.js";
import { createId } from "../domain/shared/ids.js";
import { recordInviteActivity } from "../domain/people/invite-sending.js";
import { insertInvite, type InviteDraft } from "../domain/people/invite-store.js";
import { withdrawInvite } from "../domain/people/invites.js";
import { createSecret } from "../domain/shared/secrets.js";
import { getWorkspace } from "../domain/shared/workspace-references.js";
import { invitations } from "./data/northgate.js";
import { dayMs, hourMs } from "./plan/calendar.js";

/** Creates invitations with past dates. No one has their links, and no email is sent. */
export async function seedInvitations(
  tx: Tx,
  callers: ReadonlyMap<string, Caller>,
  end: number,
): Promise<void> {
  for (const { name, daysAgo, by, end: outcome, ...given } of invitations) {
    const inviter = callers.get(by);
    if (inviter === undefined) continue;
    const at = new Date(end - Number(daysAgo) * dayMs + 12 * hourMs);
    await setClock(tx, at);
    const caller: Caller = { ...inviter, at };
    const place = given.workspace === "" ? null : await getWorkspace(tx, caller, given.workspace);
    const invite: InviteDraft = {
      id: createId("invite"),
      email: name + caller.userEmail.slice(caller.userEmail.indexOf("@")),
      organization_role: given.role === "admin" ? "admin" : "member",
      workspace_id: place && place.id,
      workspace_name: place && place.name,
      workspace_role: place && (given.workspaceRole as WorkspaceRole),
      access_ends_on: null,
      message: null,
      inviter: caller.userName,
    };
    await insertInvite(tx, caller, invite, createSecret());
    await recordInviteActivity(tx, caller, invite, "invite_sent");
    const accepted = outcome === "accepted" ? callers.get(name)?.userId : undefined;
    await tx.query(
      `UPDATE invites SET delivery_status = 'sent', accepted_by = $3,
         accepted_at = CASE WHEN $3::text IS NOT NULL THEN created_at + interval '2 days' END
       WHERE organization_id = $1 AND id = $2`,
      [caller.organizationId, invite.id, accepted],
    );
    if (outcome === "revoked") {
      await setClock(tx, new Date(at.getTime() + dayMs));
      await withdrawInvite(tx, caller, invite.id);
    }
  }
}
