export const inviteStatuses = ["pending", "accepted", "expired", "revoked"] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

/**
 * SQL for the status of an invites row, given its alias. The status is computed, never stored. An
 * invitation to a deleted workspace counts as withdrawn.
 */
export function inviteStatusSql(invite: string): string {
  return `(CASE WHEN ${invite}.accepted_at IS NOT NULL THEN 'accepted'
    WHEN ${invite}.revoked_at IS NOT NULL
      OR (${invite}.workspace_id IS NULL AND ${invite}.workspace_name IS NOT NULL) THEN 'revoked'
    WHEN ${invite}.expires_at <= app_now() THEN 'expired' ELSE 'pending' END)`;
}
