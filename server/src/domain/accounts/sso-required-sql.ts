export function domainSql(email: string): string {
  return `lower(split_part(${email}::text, '@', 2))`;
}

/**
 * SQL condition: an organization's identity provider is the person's only way to sign in. `user` is
 * the alias of the row in `users`.
 */
export function requiresSsoSql(user: string): string {
  return `EXISTS (SELECT FROM identity_provider_domains d
    JOIN identity_providers p ON p.organization_id = d.organization_id AND p.sso_required
    JOIN organization_members m ON m.organization_id = p.organization_id
      AND m.user_id = ${user}.id AND m.removed_at IS NULL
    WHERE d.domain = ${domainSql(`${user}.email`)} AND d.verified_at IS NOT NULL
      AND NOT (m.role = 'owner' AND p.break_glass_owner_id IS NOT DISTINCT FROM ${user}.id))`;
}
