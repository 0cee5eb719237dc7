import { createHash, timingSafeEqual } from "node:crypto";
import type { Tx } from "../../db/database.js";
import type { Origin } from "../audit/record-activity.js";
import type { StoredCode } from "./authorization-codes.js";
import { endConnection } from "./connections.js";

/**
 * OAuth 2.1 §4.1.3: a replayed code ends its connection only if all other parameters are correct.
 */
export async function endConnectionOfReplayedCode(
  tx: Tx,
  code: StoredCode,
  given: { redirectUri: string | undefined; codeVerifier: string; origin: Origin },
): Promise<void> {
  const { redirectUri, codeVerifier, origin } = given;
  if (redirectUri !== undefined && redirectUri !== code.redirect_uri) return;
  const { organization_id: organizationId, connection_id: connectionId } = code;
  if (connectionId === null) return;
  if (!isVerifierOf(codeVerifier, code.code_challenge)) return;
  await endConnection(tx, { organizationId, connectionId }, "code_reuse", origin);
}

function isVerifierOf(verifier: string, challenge: string): boolean {
  const hash = createHash("sha256").update(verifier).digest("base64url");
  return timingSafeEqual(Buffer.from(hash), Buffer.from(challenge));
}
