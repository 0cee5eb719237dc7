import type { EntityManager } from "typeorm";
import type { Origin } from "../logs/activity.js";
import type { MailCipher } from "../mail/mail-cipher.js";
import { queueNotice } from "../mail/outbox.js";
import { endConnection } from "./connections.js";

/** Ends a connection whose refresh token may be in wrong hands, and writes to its person about it. */
export async function endReusedConnection(
  tx: EntityManager,
  mails: MailCipher,
  { connectionId, origin, baseUrl }: { connectionId: string; origin: Origin; baseUrl: string },
): Promise<void> {
  if (!(await endConnection(tx, connectionId, "refresh_reuse", origin))) return;
  const rows: { email: string; app: string; organization: string }[] = await tx.query(
    `SELECT u.email::text AS email, coalesce(k.name, k.id) AS app, o.name AS organization
     FROM oauth_connections c JOIN users u ON u.id = c.user_id
     JOIN oauth_clients k ON k.id = c.client_id
     JOIN organizations o ON o.id = c.organization_id
     WHERE c.id = $1 AND u.deactivated_at IS NULL`,
    [connectionId],
  );
  for (const { email, app, organization } of rows) {
    const apps = `${baseUrl}/settings/apps`;
    await queueNotice(tx, mails, {
      recipient: email,
      notice: { kind: "connection_ended", app, organization, apps },
    });
  }
}
