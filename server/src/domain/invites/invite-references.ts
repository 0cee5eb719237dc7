import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import type { Caller, WorkspaceRole } from "../caller.js";
import { idKindOf } from "../ids.js";
import { inviteStatus, type InviteStatus } from "./invite-status.js";
import { createParameters } from "../parameters.js";
import { quote } from "../quote.js";
import { seesInvite } from "../visibility.js";
import { refuseOtherIds } from "../wrong-id.js";

export interface InviteRecord {
  id: string;
  email: string;
  status: InviteStatus;
  organization_role: "admin" | "member";
  workspace_id: string | null;
  workspace_name: string | null;
  workspace_role: WorkspaceRole | null;
  message: string | null;
  /** The name of who invited first. */
  inviter: string;
  sent_count: number;
  last_sent_at: Date;
  recent_resends: Date[];
  /** Whether a newer invitation took the place of this expired one. */
  replaced: boolean;
}

/** Finds an invitation by id, if the caller may see it, and locks it until the transaction ends. */
export async function lockInvite(
  tx: EntityManager,
  caller: Caller,
  reference: string,
): Promise<InviteRecord> {
  const field = "invite_id";
  refuseOtherIds(reference, "invite", { field });
  const rows = idKindOf(reference) === "invite" ? await findInvite(tx, caller, reference) : [];
  const found = rows[0];
  if (found === undefined) {
    throw new AppError(
      "not_found",
      `Invite not found for ${quote(reference)}. Give the id (inv_…) from list_invites. It may also be an invitation you cannot see.`,
      { field },
    );
  }
  return found;
}

async function findInvite(tx: EntityManager, caller: Caller, id: string): Promise<InviteRecord[]> {
  const parameters = createParameters(caller.organizationId, id);
  return tx.query(
    `SELECT i.id, i.email::text AS email, ${inviteStatus("i")} AS status, i.organization_role,
       i.workspace_id, coalesce(w.name::text, i.workspace_name) AS workspace_name,
       i.workspace_role, i.message, u.name AS inviter, i.sent_count, i.last_sent_at,
       i.recent_resends,
       i.replaced_at IS NOT NULL AS replaced
     FROM invites i JOIN users u ON u.id = i.invited_by
     LEFT JOIN workspaces w ON w.organization_id = i.organization_id AND w.id = i.workspace_id
     WHERE i.organization_id = $1 AND i.id = $2 AND ${seesInvite(caller, parameters, "i")}
     FOR NO KEY UPDATE OF i`,
    parameters.values,
  );
}
