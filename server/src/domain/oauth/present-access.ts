import type { Tx } from "../../db/database.js";
import { liveConnectionSql } from "../../db/live-connection.js";

/** A person's current access to an organization, before an app gets access for them. */
export interface PresentAccess {
  /** Workspaces where they are a member, can change data, and are an admin. */
  workspaces: number;
  changeable: number;
  administered: number;
  /** Creation time of the app's oldest live connection there for the person. */
  connectedSince: Date | undefined;
}

/** By organization. The person must be a member of each. */
export async function findPresentAccess(
  db: Tx,
  { userId, clientId }: { userId: string; clientId: string },
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, PresentAccess>> {
  const [roles, connections] = await Promise.all([
    db.query<RoleCounts>(
      `SELECT organization_id, count(*)::int AS workspaces,
         (count(*) FILTER (WHERE role <> 'viewer'))::int AS changeable,
         (count(*) FILTER (WHERE role = 'admin'))::int AS administered
       FROM workspace_members WHERE organization_id = ANY ($1::text[]) AND user_id = $2
       GROUP BY organization_id`,
      [organizationIds, userId],
    ),
    db.query<{ organization_id: string; since: Date }>(
      `SELECT c.organization_id, min(c.created_at) AS since FROM oauth_connections c
       WHERE c.organization_id = ANY ($1::text[]) AND c.user_id = $2 AND c.client_id = $3
         AND ${liveConnectionSql("c")}
       GROUP BY c.organization_id`,
      [organizationIds, userId, clientId],
    ),
  ]);
  return new Map(
    organizationIds.map((id) => {
      const counts = roles.find((row) => row.organization_id === id);
      return [
        id,
        {
          workspaces: counts?.workspaces ?? 0,
          changeable: counts?.changeable ?? 0,
          administered: counts?.administered ?? 0,
          connectedSince: connections.find((row) => row.organization_id === id)?.since,
        },
      ];
    }),
  );
}

interface RoleCounts extends Pick<PresentAccess, "workspaces" | "changeable" | "administered"> {
  organization_id: string;
}
