/** Whether a person, given by an expression for the id, has a second factor, as SQL. */
export function hasSecondFactorSql(userId: string): string {
  return `(EXISTS (SELECT FROM authenticators f WHERE f.user_id = ${userId})
    OR EXISTS (SELECT FROM passkeys f WHERE f.user_id = ${userId}))`;
}

/**
 * Whether somebody lacks the second factor that the organization asks owners and admins for, as SQL;
 * by the aliases of the rows of organization and membership. While nothing is asked, nothing is looked up.
 */
export function lacksSecondFactorSql(organization: string, member: string): string {
  return `(${organization}.admins_need_second_factor AND ${member}.role <> 'member'
    AND NOT ${hasSecondFactorSql(`${member}.user_id`)})`;
}
