import type { Tx } from "../../db/database.js";
import {
  ActivityEntry,
  organizationEventTypes,
  type ActivityType,
} from "../../db/entities/audit.js";
import type { Actor } from "../access/caller.js";
import { countAmount, checkWriteQuota } from "../../traffic/write-quota.js";

export type { ActivityType } from "../../db/entities/audit.js";

export interface Origin {
  ipAddress?: string;
  userAgent?: string;
}

export function originOf(request: {
  ip: string;
  headers: { "user-agent"?: string | undefined };
}): Origin {
  const agent = request.headers["user-agent"];
  return { ipAddress: request.ip, ...(agent !== undefined && { userAgent: agent }) };
}

export const operatorName = "The server's administrator";

/** Name of the server itself, for actions that no one requested. */
export const serverName = "Fettle";

export interface Activity {
  /** Absent for entries about no particular organization, such as a sign-in. */
  organizationId?: string;
  userId?: string;
  actorName: string;
  type: ActivityType;
  details?: Record<string, unknown>;
  origin?: Origin | undefined;
  /** While repeats are counted in the line, it isn't part of the chain. */
  countedUntil?: Date;
}

/**
 * Writes one line of the activity log, in the transaction of the logged change. At commit, the
 * database adds the line to the hash chain (`10-audit-chain.ts`).
 */
export async function recordActivity(tx: Tx, activity: Activity): Promise<void> {
  const { details = {} }: { details?: object } = activity;
  await tx.insert(ActivityEntry, {
    organization_id: activity.organizationId ?? null,
    user_id: activity.userId ?? null,
    actor_name: activity.actorName,
    type: activity.type,
    details,
    ip_address: activity.origin?.ipAddress ?? null,
    user_agent: activity.origin?.userAgent?.slice(0, 300) ?? null,
    counted_until: activity.countedUntil ?? null,
  });
}

function isOfOrganization(type: ActivityType): boolean {
  return organizationEventTypes.some((one) => one === type);
}

/**
 * Size of a line besides its details, in bytes. It stays, with digests, salts and index entries.
 */
const eachLine = 5000;

/**
 * Actions allowed beyond the daily write limit: they end access, tighten rules or remove something.
 */
const goesOn: readonly ActivityType[] = [
  "member_removed",
  "role_changed",
  "workspace_role_changed",
  "access_end_changed",
  "workspace_deleted",
  "place_label_revoked",
  "task_link_revoked",
  "asset_force_deleted",
  "invite_withdrawn",
  "identity_provider_removed",
  "provider_identity_released",
  "sign_in_domain_removed",
  "calendar_address_revoked",
  "webhook_stopped",
  "webhook_removed",
  "sso_required_started",
  "second_factor_rules_changed",
  "deletion_rule_changed",
  "absence_removed",
];

/** Records a caller's action in their organization. It counts toward their write limit. */
export async function recordCallerActivity(
  tx: Tx,
  actor: Pick<Actor, "organizationId" | "userId" | "userName" | "client" | "changeSetId">,
  type: ActivityType,
  details: Record<string, unknown>,
): Promise<void> {
  const { organizationId, userId, userName: actorName, client, changeSetId } = actor;
  if (changeSetId === undefined && !goesOn.includes(type)) checkWriteQuota(actor);
  countAmount(actor, eachLine + Buffer.byteLength(JSON.stringify(details)));
  await recordActivity(tx, {
    organizationId,
    ...(userId !== null && { userId }),
    actorName,
    type,
    details: {
      ...(client !== undefined && isOfOrganization(type) && { client_name: client.name }),
      ...details,
    },
  });
}
