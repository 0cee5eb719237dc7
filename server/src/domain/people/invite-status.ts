export const inviteStatuses = ["pending", "accepted", "expired", "revoked"] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

/**
 * The status of an invites row, given by its alias, as SQL. It is worked out, never stored. An
 * invitation whose workspace was deleted counts as withdrawn.
 */
export function inviteStatusSql(invite: string): string {
  return `(CASE WHEN ${invite}.accepted_at IS NOT NULL THEN 'accepted'
    WHEN ${invite}.revoked_at IS NOT NULL
      OR (${invite}.workspace_id IS NULL AND ${invite}.workspace_name IS NOT NULL) THEN 'revoked'
    WHEN ${invite}.expires_at <= fettle_now() THEN 'expired' ELSE 'pending' END)`;
}
