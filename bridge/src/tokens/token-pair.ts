import { createHash } from "node:crypto";
import { BridgeError } from "../common/errors.js";
import { parseJson, toRecord } from "../common/json.js";
import type { Authorization, SecretStore } from "../profile/state.js";

/** An access token, as a request carries it. */
export interface AccessToken {
  value: string;
  /** Generation of the pair it belongs to. */
  generation: number;
  /** Milliseconds since 1970; Infinity when the server did not say. */
  expiresAt: number;
}

/** What one token answer gave, and where it stands in the row of answers. */
export interface TokenPair {
  generation: number;
  /** Whose tokens they are, see `toIssuedBy`. */
  issuedBy: string;
  /** Undefined when the server gave none: then the end of the access token ends the sign-in. */
  refreshToken: string | undefined;
  clientSecret: string | undefined;
  /** Undefined when it is not known here; a refresh gives a new one. */
  access: AccessToken | undefined;
}

/**
 * Names server and client in short. Tokens and what was agreed about them are kept in two places,
 * and a crash between writing the two must not send tokens of one server to another.
 */
export function toIssuedBy({ issuer, client }: Authorization): string {
  const text = JSON.stringify([issuer, client.id]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

/** Keychains take small items only; a larger access token is fetched by each process itself. */
const sharedAccessLimit = 1000;

/** Puts the pair into the store. The access token goes first: without its `rt` it counts for nothing. */
export async function writePair(store: SecretStore, pair: TokenPair): Promise<void> {
  const access = toAccessText(pair);
  if (access === undefined) await store.delete("at");
  else await store.set("at", access);
  await store.set("rt", toRefreshText(pair));
}

export async function deletePair(store: SecretStore): Promise<void> {
  await store.delete("rt");
  await store.delete("at");
}

/** Undefined when nothing is there, or nothing that this authorization brought. */
export async function readPair(
  store: SecretStore,
  authorization: Authorization,
): Promise<TokenPair | undefined> {
  const [refreshText, accessText] = await Promise.all([store.get("rt"), store.get("at")]);
  const pair = parseRefreshText(refreshText);
  if (pair?.issuedBy !== toIssuedBy(authorization)) return undefined;
  const access = parseAccessText(accessText);
  return access?.generation === pair.generation ? { ...pair, access } : pair;
}

/** Keychains have been seen to say yes and keep nothing. */
export async function checkPair(store: SecretStore, pair: TokenPair): Promise<void> {
  if ((await store.get("rt")) === toRefreshText(pair)) return;
  const message = `The keychain did not keep what was stored. "fettle-bridge doctor" looks into it.`;
  throw new BridgeError("keychain_unavailable", message);
}

export function toRefreshText(pair: TokenPair): string {
  const { generation, issuedBy, refreshToken, clientSecret } = pair;
  const rt = refreshToken ?? null;
  return JSON.stringify({ v: 1, g: generation, by: issuedBy, rt, cs: clientSecret });
}

/** Undefined for one that is too large to be shared, unless there is no other way to a token. */
export function toAccessText({ access, refreshToken }: TokenPair): string | undefined {
  if (access === undefined) return undefined;
  const { generation, value, expiresAt } = access;
  const exp = Number.isFinite(expiresAt) ? expiresAt : null;
  const text = JSON.stringify({ g: generation, at: value, exp });
  return text.length < sharedAccessLimit || refreshToken === undefined ? text : undefined;
}

export function parseRefreshText(text: string | undefined): TokenPair | undefined {
  const { v, g, by, rt, cs } = toRecord(parseJson(text ?? ""));
  if (v !== 1 || typeof g !== "number" || typeof by !== "string") return undefined;
  return {
    generation: g,
    issuedBy: by,
    refreshToken: typeof rt === "string" ? rt : undefined,
    clientSecret: typeof cs === "string" ? cs : undefined,
    access: undefined,
  };
}

export function parseAccessText(text: string | undefined): AccessToken | undefined {
  const { g, at, exp } = toRecord(parseJson(text ?? ""));
  if (typeof g !== "number" || typeof at !== "string") return undefined;
  return { generation: g, value: at, expiresAt: typeof exp === "number" ? exp : Infinity };
}
