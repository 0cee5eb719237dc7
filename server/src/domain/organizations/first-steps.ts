import type { Tx } from "../../db/database.js";
import { OrganizationMember } from "../../db/entities/people.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";

export const firstSteps = ["workspace", "asset", "plans", "people", "app"] as const;

export type StepsDone = Record<(typeof firstSteps)[number], boolean>;

/** For owners and admins. Undefined once all steps are done or hidden. */
export async function findFirstSteps(db: Tx, caller: Caller): Promise<StepsDone | undefined> {
  if (!isOrganizationAdmin(caller)) return undefined;
  const steps = await db.maybe<StepsDone>(
    `SELECT EXISTS (SELECT FROM workspaces w WHERE w.organization_id = m.organization_id)
         AS workspace,
       EXISTS (SELECT FROM assets a WHERE a.organization_id = m.organization_id) AS asset,
       EXISTS (SELECT FROM maintenance_plans p WHERE p.organization_id = m.organization_id) AS plans,
       EXISTS (SELECT FROM invites i WHERE i.organization_id = m.organization_id)
         OR EXISTS (SELECT FROM organization_members o
           WHERE o.organization_id = m.organization_id AND o.user_id <> m.user_id) AS people,
       EXISTS (SELECT FROM oauth_connections c WHERE c.organization_id = m.organization_id) AS app
     FROM organization_members m
     WHERE m.organization_id = $1 AND m.user_id = $2 AND NOT m.hides_first_steps`,
    [caller.organizationId, caller.userId],
  );
  return steps === undefined || firstSteps.every((step) => steps[step]) ? undefined : steps;
}

export async function hideFirstSteps(tx: Tx, caller: Caller): Promise<void> {
  await requireOrganizationAdmin(tx, caller, "hide the first steps");
  const { organizationId: organization_id, userId: user_id } = caller;
  await tx.update(OrganizationMember, { organization_id, user_id }, { hides_first_steps: true });
}
