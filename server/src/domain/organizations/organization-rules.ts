import type { Tx } from "../../db/database.js";
import {
  Organization,
  organizationRules,
  type OrganizationRule,
  type RuleForm,
  type RuleOf,
} from "../../db/entities/organizations.js";
import { AppError } from "../../errors.js";
import { withRefreshedAccess, type Caller, type CountedEpoch } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { lockOrganization } from "../../db/locks.js";
import {
  hasFactorsOfProviderSql,
  hasSecondFactorSql,
  lacksItForDestructiveSql,
  lacksSecondFactorSql,
} from "../accounts/second-factor-sql.js";

export type Rules = Pick<Organization, OrganizationRule>;

export interface StoredRules extends Rules {
  admins: number;
  admins_without: number;
  /** People without a second factor whose apps may delete permanently. */
  destructive_without: number;
  has_own: boolean;
}

export type OwnRuleForm = Exclude<RuleForm, "organization">;

const changes = {
  second_factor: {
    action: "change who needs a second factor",
    activity: "second_factor_rules_changed",
  },
  deletions: { action: "change the rule for deletions by apps", activity: "deletion_rule_changed" },
} as const;

const columns = Object.values(organizationRules)
  .flat()
  .map((name) => `o.${name}`);

export async function getRules(db: Tx, { organizationId, userId }: Caller): Promise<StoredRules> {
  return db.one<StoredRules>(
    `SELECT ${columns.join(", ")},
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

export async function getRulesToChange(
  db: Tx,
  caller: Caller,
  form: OwnRuleForm,
): Promise<StoredRules> {
  await requireOrganizationAdmin(db, caller, changes[form].action);
  return getRules(db, caller);
}

/** A hash of the rules that a form was loaded with. */
export function readingOfRules(form: RuleForm, rules: Rules): number {
  return contentHash(pickRules(form, rules));
}

/**
 * Changes the rules of a form and returns the changed ones. Requiring a second factor needs one. A
 * form that was loaded before a rule was turned on can't turn it off.
 */
export async function changeRules<Form extends OwnRuleForm>(
  tx: Tx,
  caller: Caller,
  form: Form,
  rules: Readonly<Record<RuleOf<Form>, boolean>>,
  expected?: number,
): Promise<OrganizationRule[]> {
  const { action, activity } = changes[form];
  await requireOrganizationAdmin(tx, caller, action);
  await lockOrganization(tx, caller.organizationId);
  const present = await getRules(tx, caller);
  const wanted = Object.entries<boolean>(rules) as [OrganizationRule, boolean][];
  const changed = wanted.filter(([name, isOn]) => isOn !== present[name]);
  if (changed.length === 0) return [];
  assertUnchanged("organization", pickRules(form, present), expected);
  const goesOn = changed.some(([, isOn]) => isOn);
  if (form === "second_factor" && goesOn && !present.has_own) {
    throw new AppError("invalid_transition", "own_second_factor_first");
  }
  const columns: Partial<Rules> = Object.fromEntries(changed);
  await tx.update(Organization, { id: caller.organizationId }, columns);
  if (form === "second_factor") await endWhatLacksOne(tx, caller);
  else if (goesOn) await endWhatAppsBegan(tx, caller);
  await recordCallerActivity(tx, caller, activity, columns);
  return changed.map(([name]) => name);
}

function pickRules(form: RuleForm, rules: Rules): Partial<Rules> {
  return Object.fromEntries(organizationRules[form].map((name) => [name, rules[name]]));
}

/**
 * Rejects changes in progress by people who now lack a factor. See `confirmAccess`. The caller's
 * current change continues.
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
  withRefreshedAccess(caller, counted);
}

/**
 * Rejects changes that apps began without confirmation. See `confirmAccess`. The caller's current
 * change continues.
 */
async function endWhatAppsBegan(tx: Tx, caller: Caller): Promise<void> {
  const counted = await tx.query<CountedEpoch>(
    `UPDATE organization_members m SET access_epoch = access_epoch + 1
     WHERE organization_id = $1 AND removed_at IS NULL AND (EXISTS (SELECT FROM oauth_connections c
         WHERE c.organization_id = $1 AND c.user_id = m.user_id AND ${liveConnectionSql("c")})
       -- Its app may get its first token, and begin something, before this is committed.
       OR EXISTS (SELECT FROM oauth_authorization_codes a WHERE a.organization_id = $1
         AND a.user_id = m.user_id AND a.consumed_at IS NULL AND a.expires_at > app_now()))
     RETURNING user_id, access_epoch`,
    [caller.organizationId],
  );
  withRefreshedAccess(caller, counted);
}
