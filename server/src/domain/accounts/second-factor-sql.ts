/** Whether a person, given by an expression for the id, has a second factor, as SQL. */
export function hasSecondFactorSql(userId: string): string {
  return `(EXISTS (SELECT FROM authenticators f WHERE f.user_id = ${userId})
    OR EXISTS (SELECT FROM passkeys f WHERE f.user_id = ${userId}))`;
}

/** Since when a person, given by an expression for the id, has the oldest of their second factors, as SQL. */
export function secondFactorSinceSql(userId: string): string {
  return `(SELECT min(f.created_at) FROM (
    SELECT created_at FROM authenticators WHERE user_id = ${userId}
    UNION ALL SELECT created_at FROM passkeys WHERE user_id = ${userId}) f)`;
}

/** Whether the present identity provider of an organization knew a person before they had a second factor, as SQL. */
export function isBoundBeforeFactorsSql(organizationId: string, userId: string): string {
  return `EXISTS (SELECT FROM provider_identities i JOIN identity_providers p
      ON p.organization_id = i.organization_id AND p.issuer = i.issuer
    WHERE i.organization_id = ${organizationId} AND i.user_id = ${userId}
      AND i.created_at <= ${secondFactorSinceSql(userId)})`;
}

/** Whether the present identity provider of the organization knows the person, as SQL; by the same aliases. */
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

/** The same of one that asked for more than one factor when the person last signed in by it. */
export function hasFactorsOfProviderSql(organization: string, member: string): string {
  return hasIdentityOfProviderSql(organization, member, "i.multi_factor");
}

/** Whether somebody lacks the second factor that an app may delete permanently with, as SQL; alike. */
export function lacksItForDestructiveSql(
  organization: string,
  member: string,
  counts = "TRUE",
): string {
  return `(${organization}.destructive_needs_second_factor
    AND NOT (${counts} AND ${hasSecondFactorSql(`${member}.user_id`)}))`;
}

/**
 * Whether somebody lacks the second factor that the organization asks owners and admins for, as SQL;
 * by the aliases of the rows of organization and membership. While nothing is asked, nothing is looked up.
 * `counts` says whether one that they have counts.
 */
export function lacksSecondFactorSql(
  organization: string,
  member: string,
  counts = "TRUE",
): string {
  return `(${organization}.admins_need_second_factor AND ${member}.role <> 'member'
    AND NOT (${counts} AND ${hasSecondFactorSql(`${member}.user_id`)}))`;
}
