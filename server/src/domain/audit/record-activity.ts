import type { Tx } from "../../db/database.js";
import {
  ActivityEntry,
  organizationEventTypes,
  type ActivityType,
} from "../../db/entities/audit.js";
import type { Actor } from "../access/caller.js";
import { countAmount, requireRoomToWrite } from "../../traffic/writing-limit.js";

export type { ActivityType } from "../../db/entities/audit.js";

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

/** Whoever uses the admin command, as the log calls them. */
export const operatorName = "The server's administrator";

/** The server itself, where nobody asks for what it does. */
export const serverName = "Fettle";

export interface Activity {
  /** Absent for what concerns a person in no particular organization, such as a sign-in. */
  organizationId?: string;
  userId?: string;
  actorName: string;
  type: ActivityType;
  details?: Record<string, unknown>;
  origin?: Origin | undefined;
  /** While the same again is counted in the line, it is not yet part of the chain. */
  countedUntil?: Date;
}

/**
 * Writes one line of the organization's activity log, in the transaction of what it tells about. At
 * its commit the database gives the line its place in the hash chain (`10-audit-chain.ts`).
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

/** What a line takes beside its details: it stays, with digests, salts and its places in indexes. */
const eachLine = 5000;

/** What goes on for who has written too much today: it ends access, asks more of it, or takes something away. */
const goesOn: readonly ActivityType[] = [
  "member_removed",
  "role_changed",
  "workspace_role_changed",
  "access_end_changed",
  "workspace_deleted",
  "asset_force_deleted",
  "invite_withdrawn",
  "identity_provider_removed",
  "provider_identity_released",
  "sign_in_domain_removed",
  "calendar_address_revoked",
  "webhook_stopped",
  "webhook_removed",
  "only_way_started",
  "second_factor_rules_changed",
  "deletion_rule_changed",
];

/** The same for what a caller did in their organization, which counts as what they have written. */
export async function recordCallerActivity(
  tx: Tx,
  actor: Pick<Actor, "organizationId" | "userId" | "userName" | "client" | "changeSetId">,
  type: ActivityType,
  details: Record<string, unknown>,
): Promise<void> {
  const { organizationId, userId, userName: actorName, client, changeSetId } = actor;
  if (changeSetId === undefined && !goesOn.includes(type)) requireRoomToWrite(actor);
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
