import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { BridgeError } from "../common/errors.js";
import { parseJson, toRecord } from "../common/json.js";
import type { Context } from "../context/context.js";
import { readJson, readNames, readText, writeFileAtomic } from "../profile/files.js";
import { LockTimeout, withLock } from "../profile/lock.js";
import {
  type Authorization,
  type Profile,
  type SecretStore,
  type SignedOutReason,
  updateState,
} from "../profile/profile.js";
import { type Granted, refresh, type Refusal, RetryableFailure } from "./token-endpoint.js";

export interface AccessToken {
  value: string;
  generation: number;
  /** Milliseconds since 1970. Infinity if the server didn't say. */
  expiresAt: number;
}

export interface TokenPair {
  generation: number;
  /** The issuer and client of the tokens. See `toIssuedBy`. */
  issuedBy: string;
  /** Undefined if the server issued none. The sign-in then ends with the access token. */
  refreshToken: string | undefined;
  clientSecret: string | undefined;
  /** Undefined if unknown here. A refresh gets a new one. */
  access: AccessToken | undefined;
}

/**
 * Identifies server and client. Tokens and state are stored separately, and a crash in between must
 * not mix servers.
 */
export function toIssuedBy({ issuer, client }: Authorization): string {
  const text = JSON.stringify([issuer, client.id]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

/** Keychains accept only small items. Each process fetches a larger access token itself. */
const sharedAccessLimit = 1000;

/** Writes the pair into the store. The access token is first: without its `rt` it is ignored. */
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

/** Undefined if there is no pair from this authorization. */
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

/** Some keychains report success but store nothing. */
export async function checkPair(store: SecretStore, pair: TokenPair): Promise<void> {
  if ((await store.get("rt")) === toRefreshText(pair)) return;
  const message = "The keychain lost a stored value. Run `fettle-bridge doctor`.";
  throw new BridgeError("keychain_unavailable", message);
}

function toRefreshText(pair: TokenPair): string {
  const { generation, issuedBy, refreshToken, clientSecret } = pair;
  const rt = refreshToken ?? null;
  return JSON.stringify({ v: 1, g: generation, by: issuedBy, rt, cs: clientSecret });
}

/** Undefined if the token is too large to share and can be refreshed. */
function toAccessText({ access, refreshToken }: TokenPair): string | undefined {
  if (access === undefined) return undefined;
  const { generation, value, expiresAt } = access;
  const exp = Number.isFinite(expiresAt) ? expiresAt : null;
  const text = JSON.stringify({ g: generation, at: value, exp });
  return text.length < sharedAccessLimit || refreshToken === undefined ? text : undefined;
}

function parseRefreshText(text: string | undefined): TokenPair | undefined {
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

function parseAccessText(text: string | undefined): AccessToken | undefined {
  const { g, at, exp } = toRecord(parseJson(text ?? ""));
  if (typeof g !== "number" || typeof at !== "string") return undefined;
  return { generation: g, value: at, expiresAt: typeof exp === "number" ? exp : Infinity };
}

const cipher = "aes-256-gcm";
const saltBytes = 16;
const ivBytes = 12;
const tagBytes = 16;
const headerBytes = saltBytes + ivBytes + tagBytes;

/**
 * AES-256-GCM, key by HKDF-SHA-256 from the refresh token. The key includes the purpose, so records
 * can't be swapped.
 */
export function encrypt(text: string, refreshToken: string, purpose: string): string {
  const salt = randomBytes(saltBytes);
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, toKey(refreshToken, salt, purpose), iv);
  const encrypted = Buffer.concat([encryption.update(text, "utf8"), encryption.final()]);
  return Buffer.concat([salt, iv, encryption.getAuthTag(), encrypted]).toString("base64url");
}

/**
 * Undefined if the record is damaged or was encrypted with another token or for another purpose.
 */
export function decrypt(record: string, refreshToken: string, purpose: string): string | undefined {
  const bytes = Buffer.from(record, "base64url");
  if (bytes.length < headerBytes) return undefined;
  const salt = bytes.subarray(0, saltBytes);
  const iv = bytes.subarray(saltBytes, saltBytes + ivBytes);
  try {
    const decryption = createDecipheriv(cipher, toKey(refreshToken, salt, purpose), iv);
    decryption.setAuthTag(bytes.subarray(saltBytes + ivBytes, headerBytes));
    const text = [decryption.update(bytes.subarray(headerBytes)), decryption.final()];
    return Buffer.concat(text).toString("utf8");
  } catch {
    return undefined;
  }
}

function toKey(refreshToken: string, salt: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", refreshToken, salt, `fettle-bridge ${purpose}`, 32));
}

/**
 * Exists from before the request until it ends. `next-<generation>` contains the new pair,
 * encrypted with the old token.
 */
const intentName = "intent.json";

/**
 * Reuses the id of an attempt with unknown outcome. Rewriting the file tests if the response can be
 * stored.
 */
async function beginRotation({ folder }: Profile, generation: number): Promise<string> {
  const path = join(folder, intentName);
  const { g, rotationId: known } = toRecord(await readJson(path));
  const isSame = g === generation && typeof known === "string";
  const rotationId = isSame ? known : randomBytes(16).toString("base64url");
  await writeFileAtomic(path, JSON.stringify({ g: generation, rotationId }));
  return rotationId;
}

export async function writeNextPair(
  { folder }: Profile,
  next: TokenPair,
  refreshToken: string,
): Promise<void> {
  const name = nextName(next.generation);
  const text = JSON.stringify({ rt: toRefreshText(next), at: toAccessText(next) });
  await writeFileAtomic(join(folder, name), encrypt(text, refreshToken, name));
}

async function readNextPair(
  { folder }: Profile,
  { generation, refreshToken }: TokenPair,
): Promise<TokenPair | undefined> {
  if (refreshToken === undefined) return undefined;
  const name = nextName(generation + 1);
  const record = await readText(join(folder, name));
  if (record === undefined) return undefined;
  const text = decrypt(record, refreshToken, name);
  if (text === undefined) return undefined;
  const { rt, at } = JSON.parse(text) as { rt: string; at?: string };
  const pair = parseRefreshText(rt);
  return pair === undefined ? undefined : { ...pair, access: parseAccessText(at) };
}

export async function newestGeneration({ folder }: Profile): Promise<number> {
  const names = await readNames(folder);
  return Math.max(0, ...names.map((name) => Number(/^next-(\d+)/.exec(name)?.[1] ?? 0)));
}

/**
 * Ends a rotation or sign-in, but leaves the record of this pair. Also removes files of killed
 * writers.
 */
export async function deleteRotationFiles({ folder }: Profile, kept?: number): Promise<void> {
  for (const name of await readNames(folder)) {
    const isOurs = name.startsWith("next-") || name.startsWith(intentName);
    if (isOurs && (kept === undefined || name !== nextName(kept))) {
      await rm(join(folder, name), { force: true });
    }
  }
}

function nextName(generation: number): string {
  return `next-${generation}`;
}

/** The longest lock holder waits for a server, up to 45 s. */
const lockWaitMs = 60_000;
const lockName = "refresh";

export async function withRefreshLock<Result>(
  { profile }: Pick<Context, "profile">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withLock(profile, lockName, { waitMs: lockWaitMs }, work);
  } catch (cause) {
    if (cause instanceof LockTimeout && cause.lock === lockName) {
      const message =
        "Another fettle-bridge has been busy with the sign-in for a minute. Try again.";
      throw new RetryableFailure("server_busy", message, { cause });
    }
    // Other locks are short. A time-out means that their release can't be written.
    const isOfFiles = cause instanceof Error && "syscall" in cause;
    if (cause instanceof LockTimeout || isOfFiles) throw folderUnwritable(profile, cause);
    throw cause;
  }
}

/** The profile's folder can't be written: the disk is full or read-only. */
function folderUnwritable({ folder }: Pick<Profile, "folder">, cause: unknown): RetryableFailure {
  const message =
    `Nothing can be written to ${folder}, so a new token could get lost. ` +
    "Make room or allow writing there, then try again.";
  return new RetryableFailure("keychain_unavailable", message, { cause });
}

/** The steps of a rotation with a persistent effect. */
export const rotationSteps = [
  "intended",
  "answered",
  "encrypted",
  "stored",
  "checked",
  "recorded",
  "cleared",
] as const;
type RotationStep = (typeof rotationSteps)[number];

export interface RotationDeps {
  context: Context;
  store: SecretStore;
  authorization: Authorization;
  /** Called after each step. Tests end the process there. */
  onStep?: ((step: RotationStep) => void) | undefined;
}

export interface CurrentPair {
  pair: TokenPair;
  /** The store contains an older pair: a rotation was interrupted or the store rejected it. */
  isPending: boolean;
}

/** Returns the stored pair, or a later one from rotations that never reached the store. */
export async function findPair({
  context,
  store,
  authorization,
}: RotationDeps): Promise<CurrentPair | undefined> {
  const stored = await readPair(store, authorization);
  if (stored === undefined) return undefined;
  let pair = stored;
  for (;;) {
    const next = await readNextPair(context.profile, pair);
    if (next === undefined) return { pair, isPending: pair !== stored };
    pair = next;
  }
}

/**
 * A crash at any point loses neither pair. Until the response is stored, the request can be
 * repeated with its rotation id. From then on the old token decrypts the new pair. A pair that
 * can't be stored is not used, so the server repeats it. The caller holds the lock. Throws
 * RetryableFailure, and file system errors if nothing was sent.
 */
export async function rotate(
  deps: RotationDeps,
  pair: TokenPair & { refreshToken: string },
): Promise<{ kind: "rotated"; current: CurrentPair } | Refusal> {
  const { context, authorization, onStep } = deps;
  const { refreshToken, clientSecret, generation } = pair;
  const rotationId = await beginRotation(context.profile, generation);
  onStep?.("intended");
  const answer = await refresh(context, authorization, { refreshToken, clientSecret, rotationId });
  if (answer.kind !== "granted") return answer;
  onStep?.("answered");
  const next = toNext(pair, answer);
  let trouble: unknown;
  await writeNextPair(context.profile, next, refreshToken).catch((error: unknown) => {
    context.log.debug(`A new token could not be written down: ${String(error)}`);
    trouble = error;
  });
  onStep?.("encrypted");
  const isStored = await storePair(deps, next);
  if (!isStored && trouble !== undefined) throw folderUnwritable(context.profile, trouble);
  return { kind: "rotated", current: { pair: next, isPending: !isStored } };
}

function toNext(pair: TokenPair & { refreshToken: string }, granted: Granted): TokenPair {
  const generation = pair.generation + 1;
  return {
    ...pair,
    generation,
    // Servers without rotation send no new refresh token.
    refreshToken: granted.refreshToken ?? pair.refreshToken,
    access: toAccess(granted, generation),
  };
}

export function toAccess(
  { accessToken, expiresIn }: Pick<Granted, "accessToken" | "expiresIn">,
  generation: number,
): AccessToken {
  const expiresAt = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000;
  return { value: accessToken, generation, expiresAt };
}

/** Stores a pair and ends its rotation. Returns false if the store rejects it now. */
export async function storePair(
  { context, store, onStep }: RotationDeps,
  pair: TokenPair,
): Promise<boolean> {
  const { log, profile } = context;
  try {
    await writePair(store, pair);
    onStep?.("stored");
    await checkPair(store, pair);
    onStep?.("checked");
  } catch (error) {
    log.debug(`A new token could not be stored: ${String(error)}`);
    return false;
  }
  try {
    const recorded = { generation: pair.generation, refreshedAt: new Date().toISOString() };
    await updateState(profile, recorded);
    onStep?.("recorded");
    // A timed-out keychain write may still complete and restore the previous pair.
    await deleteRotationFiles(profile, pair.generation);
    onStep?.("cleared");
  } catch (error) {
    // The store decides. The remaining files are harmless.
    log.debug(`The end of a refresh could not be recorded: ${String(error)}`);
  }
  return true;
}

/** Removes the tokens and records why. The caller holds the lock. */
export async function clearSignIn(
  { profile }: Context,
  store: SecretStore,
  because: SignedOutReason | undefined,
): Promise<void> {
  try {
    await deletePair(store);
  } finally {
    await deleteRotationFiles(profile);
    await updateState(profile, { signedIn: false, signedOutBecause: because });
  }
}
