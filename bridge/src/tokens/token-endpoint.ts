import type { IncomingHttpHeaders } from "node:http";
import { BridgeError, type BridgeErrorCode } from "../common/errors.js";
import { parseJson, toRecord } from "../common/json.js";
import { unsafeUrlReason } from "../common/server-address.js";
import { extraHeaders } from "../common/settings.js";
import { quote } from "../common/text.js";
import type { Context } from "../context/context.js";
import { HttpFailure, parseRetryAfter } from "../http/http-client.js";
import type { Authorization } from "../profile/profile.js";

/** The server may still accept later, so all stored data remains. */
export class RetryableFailure extends BridgeError {
  readonly retryAfterMs: number | undefined;

  constructor(
    code: BridgeErrorCode,
    message: string,
    { retryAfterMs, cause }: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(code, message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

interface RefreshRequest {
  refreshToken: string;
  clientSecret: string | undefined;
  /** Shared by all attempts of one rotation: a server that knows it repeats a lost response. */
  rotationId: string;
}

export interface Granted {
  kind: "granted";
  accessToken: string;
  /** Seconds. Undefined if the server doesn't say. */
  expiresIn: number | undefined;
  /** Undefined if the presented token stays valid. */
  refreshToken: string | undefined;
}

export interface Refusal {
  kind: "refused" | "client_forgotten";
}

const silenceMs = 30_000;
const maxDurationMs = 45_000;
const answerLimit = 64 * 1024;

/** RFC 6749 §6. Throws RetryableFailure unless the response is final. */
export async function refresh(
  context: Context,
  authorization: Authorization,
  { refreshToken, clientSecret, rotationId }: RefreshRequest,
): Promise<Granted | Refusal> {
  const { tokenEndpoint, client, resource } = authorization;
  const answer = await post(context, tokenEndpoint, client, clientSecret, {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    rotation_id: rotationId,
    ...(resource !== undefined && { resource }),
  });
  if (answer.status !== 200) return toRefusal(answer) ?? raise(answer);
  const granted = toGranted(answer.fields);
  if (granted === undefined) throw unintelligible(answer);
  return granted;
}

/**
 * RFC 7009. Ends the connection at the server. Does nothing if the server has no revocation
 * endpoint.
 */
export async function revoke(
  context: Context,
  authorization: Authorization,
  { refreshToken, clientSecret }: Pick<RefreshRequest, "refreshToken" | "clientSecret">,
): Promise<void> {
  const { revocationEndpoint, client } = authorization;
  if (revocationEndpoint === undefined) return;
  const answer = await post(context, revocationEndpoint, client, clientSecret, {
    token: refreshToken,
    token_type_hint: "refresh_token",
  });
  // An unknown token or client counts as revoked.
  if (answer.status !== 200 && toRefusal(answer) === undefined) raise(answer);
}

interface Answer {
  host: string;
  status: number;
  headers: IncomingHttpHeaders;
  fields: Record<string, unknown>;
}

async function post(
  { http, settings }: Context,
  endpoint: string,
  client: Authorization["client"],
  clientSecret: string | undefined,
  parameters: Record<string, string>,
): Promise<Answer> {
  const url = new URL(endpoint);
  const reason = unsafeUrlReason(url, new URL(settings.server));
  if (reason !== undefined) {
    throw new BridgeError(
      "server_refused",
      `The server wants tokens sent to ${quote(url.origin)}, which ${reason}. Nothing was sent.`,
    );
  }
  const credentials = credentialsOf(client, clientSecret);
  try {
    const answer = await http.request(endpoint, {
      method: "POST",
      headers: {
        ...(url.origin === new URL(settings.server).origin && extraHeaders(settings)),
        ...credentials.headers,
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ ...parameters, ...credentials.parameters }).toString(),
      silenceMs,
      signal: AbortSignal.timeout(maxDurationMs),
    });
    const fields = toRecord(parseJson(await http.text(answer, answerLimit)));
    return { host: url.host, status: answer.status, headers: answer.headers, fields };
  } catch (cause) {
    if (!(cause instanceof HttpFailure)) throw cause;
    const message = `The sign-in service cannot be reached: ${cause.message}.`;
    throw new RetryableFailure("server_unreachable", message, { cause });
  }
}

/** RFC 6749 §2.3.1: both parts of Basic are form-encoded before they are joined. */
function credentialsOf(
  { id, authMethod }: Authorization["client"],
  secret: string | undefined,
): { headers: Record<string, string>; parameters: Record<string, string> } {
  if (secret === undefined || authMethod !== "client_secret_basic") {
    const isPosted = secret !== undefined && authMethod === "client_secret_post";
    const parameters = { client_id: id, ...(isPosted && { client_secret: secret }) };
    return { headers: {}, parameters };
  }
  const pair = Buffer.from(`${formEncode(id)}:${formEncode(secret)}`).toString("base64");
  return { headers: { authorization: `Basic ${pair}` }, parameters: {} };
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

/** Undefined if a field is missing or can't be sent in a header. */
export function toGranted(fields: Record<string, unknown>): Granted | undefined {
  const { access_token: accessToken, refresh_token: next } = fields;
  const refreshToken = next === null || next === "" ? undefined : next;
  if (!isToken(accessToken)) return undefined;
  if (refreshToken !== undefined && !isToken(refreshToken)) return undefined;
  const seconds = Number(fields["expires_in"] ?? Number.NaN);
  const expiresIn = Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
  return { kind: "granted", accessToken, expiresIn, refreshToken };
}

function isToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,16384}$/.test(value);
}

/** RFC 6749 §5.2: the errors for which a retry is pointless. */
function toRefusal({ fields: { error } }: Answer): Refusal | undefined {
  if (error === "invalid_grant") return { kind: "refused" };
  const isForgotten = error === "invalid_client" || error === "unauthorized_client";
  return isForgotten ? { kind: "client_forgotten" } : undefined;
}

function raise(answer: Answer): never {
  const { host, status, headers, fields } = answer;
  if (status === 429 || status >= 500) {
    const retryAfterMs = parseRetryAfter(headers);
    const message = `The sign-in service at ${host} is busy (${status}). You stay signed in.`;
    throw new RetryableFailure("server_busy", message, { retryAfterMs });
  }
  const { error } = fields;
  if (typeof error !== "string") throw unintelligible(answer);
  const message = `The sign-in service at ${host} refused: ${quote(error)} (${status}). If it keeps failing, sign in again.`;
  throw new RetryableFailure("server_refused", message);
}

function unintelligible({ host, status }: Answer): RetryableFailure {
  const message = `The sign-in service at ${host} sent an unexpected response (${status}). You stay signed in.`;
  return new RetryableFailure("server_busy", message);
}
