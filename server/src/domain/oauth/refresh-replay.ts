import type { Tx } from "../../db/database.js";
import type { Origin } from "../audit/record-activity.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import { queueNotice } from "../messaging/outbox.js";
import { hashSecret } from "../shared/secrets.js";
import { endConnection, type ConnectionKey } from "./connections.js";
import { accessTokenSeconds, isWithin, type Rotation } from "./tokens.js";

/** A replay of a used refresh token within this time is only rejected. Later it counts as theft. */
export const replayToleranceSeconds = 10;

export type RefreshReplayDecision =
  /** Returns the issued token pair again, with the remaining lifetime of the access token. */
  | { kind: "send successor"; encrypted: Buffer; expiresIn: number }
  | { kind: "refuse" }
  | { kind: "end connection" };

/**
 * Strict rotation: a used token is accepted only from requests that overlap with its use, or with
 * the `rotation_id` of a lost response.
 */
export function decideRefreshReplay(
  { secondsAgo, overlapping, encrypted, idHash }: Rotation,
  { rotationId, graceSeconds }: { rotationId: string | undefined; graceSeconds: number },
): RefreshReplayDecision {
  const isRepeat = rotationId !== undefined && idHash?.equals(hashSecret(rotationId)) === true;
  const isGraced = graceSeconds > 0 && isWithin(secondsAgo, graceSeconds);
  if (encrypted !== null && (overlapping || isRepeat || isGraced)) {
    const expiresIn = overlapping
      ? accessTokenSeconds
      : Math.max(1, accessTokenSeconds - Math.ceil(Math.max(0, secondsAgo)));
    return { kind: "send successor", encrypted, expiresIn };
  }
  const isTolerated = overlapping || isWithin(secondsAgo, replayToleranceSeconds);
  return { kind: isTolerated ? "refuse" : "end connection" };
}

/** Ends a connection whose refresh token may be stolen, and emails its person. */
export async function endConnectionOfReplayedToken(
  tx: Tx,
  mails: MailCipher,
  { connection, origin, baseUrl }: { connection: ConnectionKey; origin: Origin; baseUrl: string },
): Promise<void> {
  if (!(await endConnection(tx, connection, "refresh_reuse", origin))) return;
  const rows = await tx.query<{ email: string; app: string; organization: string }>(
    `SELECT u.email::text AS email, coalesce(k.name, k.id) AS app, o.name AS organization
     FROM oauth_connections c JOIN users u ON u.id = c.user_id
     JOIN oauth_clients k ON k.id = c.client_id
     JOIN organizations o ON o.id = c.organization_id
     WHERE c.organization_id = $1 AND c.id = $2 AND u.deactivated_at IS NULL`,
    [connection.organizationId, connection.connectionId],
  );
  for (const { email, app, organization } of rows) {
    const apps = `${baseUrl}/settings/apps`;
    await queueNotice(tx, mails, {
      recipient: email,
      notice: { kind: "connection_ended", app, organization, apps },
    });
  }
}
