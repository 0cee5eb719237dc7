import { IsNull, Raw, type Tx } from "../../db/database.js";
import { Invite } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { violates } from "../../db/query-errors.js";
import type { InviteRecord } from "./invite-references.js";
import type { WorkspaceRef } from "../access/roles.js";
import { omit } from "../shared/omit.js";
import { hashSecret } from "../shared/secrets.js";
import { getWorkspace } from "../shared/workspace-references.js";

export type InviteDraft = Omit<
  InviteRecord,
  "status" | "sent_count" | "last_sent_at" | "recent_resends" | "replaced"
>;

/** Links are valid for a week. In hours, so daylight saving doesn't affect it. */
export const validFor = "interval '168 hours'";

/** Marks an expired invitation as replaced. Otherwise it blocks a new one to the address. */
export async function replaceExpired(
  tx: Tx,
  caller: Caller,
  email: string,
  place: WorkspaceRef,
): Promise<void> {
  const expires_at = Raw((column) => `${column} <= app_now()`);
  await tx.update(
    Invite,
    { ...openInvite(caller, email, place?.id), expires_at },
    { replaced_at: () => "app_now()" },
  );
}

/** Matches the open invitation of an address to a place. At most one exists. */
function openInvite(caller: Caller, email: string, workspaceId: string | null | undefined) {
  return {
    organization_id: caller.organizationId,
    email,
    workspace_id: workspaceId ?? IsNull(),
    accepted_at: IsNull(),
    revoked_at: IsNull(),
    replaced_at: IsNull(),
  };
}

/** Stores an invitation with the hash of its token. Returns the expiry of its link. */
export async function insertInvite(
  tx: Tx,
  caller: Caller,
  draft: InviteDraft,
  token: string,
): Promise<Date> {
  try {
    const row = {
      ...omit(draft, "inviter"),
      organization_id: caller.organizationId,
      token_hash: hashSecret(token),
      invited_by: caller.userId,
      expires_at: () => `app_now() + ${validFor}`,
      last_sent_at: () => "app_now()",
    };
    const [stored] = await tx.transaction((savepoint) =>
      savepoint.insert(Invite, row, { returning: ["expires_at"] }),
    );
    if (stored?.expires_at === undefined) throw new Error("The new invitation was not stored.");
    return stored.expires_at;
  } catch (error) {
    if (violates(error, "an address has one open invitation"))
      throw await alreadyPending(tx, caller, draft);
    // The workspace was deleted meanwhile.
    if (violates(error, "the workspace of an invitation is there") && draft.workspace_id !== null) {
      await getWorkspace(tx, caller, draft.workspace_id);
    }
    throw error;
  }
}

async function alreadyPending(tx: Tx, caller: Caller, draft: InviteDraft): Promise<AppError> {
  const { email, workspace_id } = draft;
  const pending = await tx.findOne(Invite, { where: openInvite(caller, email, workspace_id) });
  return new AppError("pending_invite", "pending_invite", {
    field: "email",
    email,
    ...(pending !== undefined && {
      invite_id: pending.id,
      differs: findDifference(pending, draft),
    }),
  });
}

/**
 * The first difference between a pending invitation and the requested one. A pending invitation
 * can't be changed.
 */
function findDifference(pending: Invite, asked: InviteDraft): "role" | "message" | undefined {
  const role =
    pending.organization_role !== asked.organization_role ||
    pending.workspace_role !== asked.workspace_role;
  if (role) return "role";
  return asked.message !== null && asked.message !== pending.message ? "message" : undefined;
}
