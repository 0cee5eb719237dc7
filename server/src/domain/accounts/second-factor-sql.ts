/** SQL condition: the person has a second factor. `userId` is an SQL expression. */
export function hasSecondFactorSql(userId: string): string {
  return `(EXISTS (SELECT FROM authenticators f WHERE f.user_id = ${userId})
    OR EXISTS (SELECT FROM passkeys f WHERE f.user_id = ${userId}))`;
}

/**
 * SQL for the time when the person got their oldest second factor. `userId` is an SQL expression.
 */
export function secondFactorSinceSql(userId: string): string {
  return `(SELECT min(f.created_at) FROM (
    SELECT created_at FROM authenticators WHERE user_id = ${userId}
    UNION ALL SELECT created_at FROM passkeys WHERE user_id = ${userId}) f)`;
}

/**
 * SQL condition: the organization's current identity provider was bound to the person before they
 * had a second factor.
 */
export function isBoundBeforeFactorsSql(organizationId: string, userId: string): string {
  return `EXISTS (SELECT FROM provider_identities i JOIN identity_providers p
      ON p.organization_id = i.organization_id AND p.issuer = i.issuer
    WHERE i.organization_id = ${organizationId} AND i.user_id = ${userId}
      AND i.created_at <= ${secondFactorSinceSql(userId)})`;
}

/**
 * SQL condition: the organization's current identity provider knows the person. Takes the aliases
 * of the organization and membership rows.
 */
export function hasIdentityOfProviderSql(
  organization: string,
  member: string,
  condition = "TRUE",
): string {
  return `EXISTS (SELECT FROM provider_identities i JOIN identity_providers p
      ON p.organization_id = i.organization_id AND p.issuer = i.issuer
    WHERE i.user_id = ${member}.user_id AND i.organization_id = ${organization}.id
      AND ${condition})`;
}

/**
 * SQL condition: the current provider asked for more than one factor at the person's last sign-in
 * with it.
 */
export function hasFactorsOfProviderSql(organization: string, member: string): string {
  return hasIdentityOfProviderSql(organization, member, "i.multi_factor");
}

/** SQL condition: the person lacks the second factor that apps need to delete permanently. */
export function lacksItForDestructiveSql(
  organization: string,
  member: string,
  counts = "TRUE",
): string {
  return `(${organization}.destructive_needs_second_factor
    AND NOT (${counts} AND ${hasSecondFactorSql(`${member}.user_id`)}))`;
}

/**
 * SQL condition: the person lacks the second factor that the organization requires of owners and
 * admins. Takes the aliases of the organization and membership rows. Without a requirement, nothing
 * is looked up. `counts` decides whether an existing factor counts.
 */
export function lacksSecondFactorSql(
  organization: string,
  member: string,
  counts = "TRUE",
): string {
  return `(${organization}.admins_need_second_factor AND ${member}.role <> 'member'
    AND NOT (${counts} AND ${hasSecondFactorSql(`${member}.user_id`)}))`;
}
