import type { EntityManager } from "typeorm";
import type { ActivityType } from "../../db/entities/activity-entry.js";
import type { Caller } from "../access/caller.js";

export type { ActivityType } from "../../db/entities/activity-entry.js";

/** Where a request came from, as far as the log keeps it. */
export interface Origin {
  ipAddress?: string;
  userAgent?: string;
}

/** What the activity log keeps of where a request came from. */
export function originOf(request: {
  ip: string;
  headers: { "user-agent"?: string | undefined };
}): Origin {
  const agent = request.headers["user-agent"];
  return { ipAddress: request.ip, ...(agent !== undefined && { userAgent: agent }) };
}

export interface Activity {
  /** Absent for what concerns a person in no particular organization, such as a sign-in. */
  organizationId?: string;
  userId?: string;
  actorName: string;
  type: ActivityType;
  details?: Record<string, unknown>;
  origin?: Origin;
}

/** Writes one line of the organization's activity log, in the transaction of what it tells about. */
export async function recordActivity(tx: EntityManager, activity: Activity): Promise<void> {
  await tx.query(
    `INSERT INTO activity_log
       (organization_id, user_id, actor_name, type, details, ip_address, user_agent)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      activity.organizationId ?? null,
      activity.userId ?? null,
      activity.actorName,
      activity.type,
      JSON.stringify(activity.details ?? {}),
      activity.origin?.ipAddress ?? null,
      activity.origin?.userAgent?.slice(0, 300) ?? null,
    ],
  );
}

/** The same for what a caller did in their organization. */
export async function recordCallerActivity(
  tx: EntityManager,
  caller: Caller,
  type: ActivityType,
  details: Record<string, unknown>,
): Promise<void> {
  const { organizationId, userId, userName: actorName } = caller;
  await recordActivity(tx, { organizationId, userId, actorName, type, details });
}
