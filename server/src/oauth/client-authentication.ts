import type { Tx } from "../db/database.js";
import { findClient, isSecretOf, type RegisteredClient } from "../domain/oauth/clients.js";
import { invalidClient } from "./errors.js";

interface Credentials {
  id: string;
  secret: string | undefined;
}

/**
 * Authenticates the client of a form by exactly one method (RFC 6749 §2.3.1): none, Basic, or the
 * body. A client with a secret may use Basic or the body. A client without one must not send a
 * secret.
 */
export async function authenticateClient(
  db: Tx,
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
): Promise<RegisteredClient> {
  const credentials =
    authorization === undefined
      ? { id: form.get("client_id"), secret: form.get("client_secret") }
      : fromBasic(authorization, form);
  if (credentials.id === undefined) throw invalidClient("The client does not say which it is.");
  const client = await findClient(db, credentials.id);
  if (client === undefined) throw invalidClient("This client is not registered here.");
  if (client.token_endpoint_auth_method === "none") {
    if (credentials.secret !== undefined) throw invalidClient("This client has no secret.");
    return client;
  }
  if (credentials.secret === undefined || !isSecretOf(client, credentials.secret)) {
    throw invalidClient("The client secret is missing or wrong.");
  }
  return client;
}

/** Returns the client id that a form claims. Not verified. */
export function claimedClientId(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
): string {
  return (
    (authorization === undefined ? undefined : parseBasic(authorization)?.id) ??
    form.get("client_id") ??
    ""
  );
}

function fromBasic(authorization: string, form: ReadonlyMap<string, string>): Credentials {
  const credentials = parseBasic(authorization);
  if (credentials === undefined) {
    throw invalidClient("The Authorization header is not readable as Basic.");
  }
  if (form.has("client_secret")) throw invalidClient("The client authenticates twice.");
  if (form.has("client_id") && form.get("client_id") !== credentials.id) {
    throw invalidClient("The client names two different ids.");
  }
  return credentials;
}

/** Id and secret are form-encoded before they are joined (RFC 6749 §2.3.1, appendix B). */
function parseBasic(authorization: string): Credentials | undefined {
  const match = /^basic +([a-z0-9+/]+={0,2})$/i.exec(authorization);
  if (match?.[1] === undefined) return undefined;
  const text = Buffer.from(match[1], "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 1 || text.includes("\0")) return undefined;
  try {
    const secret = decodeFormText(text.slice(colon + 1));
    return {
      id: decodeFormText(text.slice(0, colon)),
      secret: secret === "" ? undefined : secret,
    };
  } catch {
    return undefined;
  }
}

function decodeFormText(text: string): string {
  const decoded = decodeURIComponent(text.replaceAll("+", " "));
  if (decoded.includes("\0")) throw new URIError("NUL");
  return decoded;
}
