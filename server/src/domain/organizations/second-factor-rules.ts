import type { Tx } from "../../db/database.js";
import { Organization } from "../../db/entities/organization.js";
import { AppError } from "../../errors.js";
import { goOnWith, type Caller, type CountedEpoch } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { checkReading, readingOf } from "../history/readings.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { lockOrganization } from "../../db/locks.js";
import {
  hasFactorsOfProviderSql,
  hasSecondFactorSql,
  lacksItForDestructiveSql,
  lacksSecondFactorSql,
} from "../accounts/second-factor-sql.js";

/** For what an organization asks its people for a second factor. */
export type SecondFactorRules = Pick<
  Organization,
  "admins_need_second_factor" | "destructive_needs_second_factor"
>;

export type SecondFactorRule = keyof SecondFactorRules;

export interface StoredRules extends SecondFactorRules {
  /** Owners and admins, and those of them without a second factor. */
  admins: number;
  admins_without: number;
  /** People without one whose apps were allowed to delete permanently. */
  destructive_without: number;
  /** Whether the caller has one. */
  has_own: boolean;
}

export async function getSecondFactorRules(
  db: Tx,
  { organizationId, userId }: Caller,
): Promise<StoredRules> {
  return db.one<StoredRules>(
    `SELECT o.admins_need_second_factor, o.destructive_needs_second_factor,
       a.admins, a.admins_without, ${hasSecondFactorSql("$2::text")} AS has_own,
       (SELECT count(DISTINCT m.user_id)::int FROM oauth_connections c
        JOIN organization_members m ON m.organization_id = c.organization_id
          AND m.user_id = c.user_id AND m.removed_at IS NULL
        JOIN users u ON u.id = c.user_id AND u.deactivated_at IS NULL
        WHERE c.organization_id = o.id AND ${liveConnectionSql("c")}
          AND 'mcp_destructive' = ANY (c.scopes) AND NOT ${hasSecondFactorSql("m.user_id")}
          AND NOT ${hasFactorsOfProviderSql("o", "m")}) AS destructive_without
     FROM organizations o CROSS JOIN LATERAL (
       SELECT count(*)::int AS admins,
         (count(*) FILTER (WHERE NOT ${hasSecondFactorSql("m.user_id")}))::int AS admins_without
       FROM organization_members m JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
       WHERE m.organization_id = o.id AND m.removed_at IS NULL AND m.role <> 'member') a
     WHERE o.id = $1`,
    [organizationId, userId],
  );
}

/** What a change of the rules was decided on. */
export function readingOfRules(rules: SecondFactorRules): number {
  return readingOf(pickRules(rules));
}

/**
 * Changes the rules; answers with those that are other ones now. Who switches one on has a factor. None
 * goes off because a form was opened before somebody switched it on.
 */
export async function changeSecondFactorRules(
  tx: Tx,
  caller: Caller,
  rules: SecondFactorRules,
  expected?: number,
): Promise<SecondFactorRule[]> {
  await requireOrganizationAdmin(tx, caller, "decide who needs a second factor");
  await lockOrganization(tx, caller.organizationId);
  const present = await getSecondFactorRules(tx, caller);
  const names = Object.keys(rules) as SecondFactorRule[];
  const changed = names.filter((name) => rules[name] !== present[name]);
  if (changed.length === 0) return changed;
  checkReading("organization", pickRules(present), expected);
  if (changed.some((name) => rules[name]) && !present.has_own) {
    throw new AppError("invalid_transition", "own_second_factor_first");
  }
  await tx.update(Organization, { id: caller.organizationId }, rules);
  await endWhatLacksOne(tx, caller);
  const changes = Object.fromEntries(changed.map((name) => [name, rules[name]]));
  await recordCallerActivity(tx, caller, "second_factor_rules_changed", changes);
  return changed;
}

function pickRules({
  admins_need_second_factor,
  destructive_needs_second_factor,
}: SecondFactorRules): SecondFactorRules {
  return { admins_need_second_factor, destructive_needs_second_factor };
}

/**
 * What was begun before by who lacks a factor by now is not committed any more, see `confirmAccess`. The
 * change of the caller's that it comes of is.
 */
export async function endWhatLacksOne(tx: Tx, caller: Caller): Promise<void> {
  const counted = await tx.query<CountedEpoch>(
    `UPDATE organization_members m SET access_epoch = m.access_epoch + 1
     FROM organizations o
     WHERE m.organization_id = $1 AND o.id = $1 AND m.removed_at IS NULL
       AND (${lacksSecondFactorSql("o", "m")} OR ${lacksItForDestructiveSql("o", "m")})
       AND NOT ${hasFactorsOfProviderSql("o", "m")}
     RETURNING m.user_id, m.access_epoch`,
    [caller.organizationId],
  );
  goOnWith(caller, counted);
}
