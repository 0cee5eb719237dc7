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
  /** Milliseconds since 1970; Infinity when the server did not say. */
  expiresAt: number;
}

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

/** Names server and client: tokens and state are stored apart, and a crash in between must not mix servers. */
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

function toRefreshText(pair: TokenPair): string {
  const { generation, issuedBy, refreshToken, clientSecret } = pair;
  const rt = refreshToken ?? null;
  return JSON.stringify({ v: 1, g: generation, by: issuedBy, rt, cs: clientSecret });
}

/** Undefined for one that is too large to be shared, unless there is no other way to a token. */
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

/** AES-256-GCM, key by HKDF-SHA-256 from the refresh token. With the purpose bound in, no record replaces another. */
export function encrypt(text: string, refreshToken: string, purpose: string): string {
  const salt = randomBytes(saltBytes);
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, toKey(refreshToken, salt, purpose), iv);
  const encrypted = Buffer.concat([encryption.update(text, "utf8"), encryption.final()]);
  return Buffer.concat([salt, iv, encryption.getAuthTag(), encrypted]).toString("base64url");
}

/** Undefined when the record is damaged, or was encrypted with another token or for another purpose. */
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

/** Exists from before the request to its end. `next-<generation>` holds the new pair, encrypted with the old token. */
const intentName = "intent.json";

/** Reuses the id of a try whose end is unknown. Writing it again shows whether the answer can be written down. */
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

/** Ends a rotation, of which the record of this pair is kept, or a sign-in. Also what killed writers left goes. */
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

/** Whoever holds the lock longest waits for a server, up to 45 s. */
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
    // Nobody holds another lock for long who can write down that it is free.
    const isOfFiles = cause instanceof Error && "syscall" in cause;
    if (cause instanceof LockTimeout || isOfFiles) throw folderUnwritable(profile, cause);
    throw cause;
  }
}

/** The folder of the profile takes nothing: the disk is full, or it may only be read. */
function folderUnwritable({ folder }: Pick<Profile, "folder">, cause: unknown): RetryableFailure {
  const message =
    `Nothing can be written to ${folder}, so a new token could get lost. ` +
    "Make room or allow writing there, then try again.";
  return new RetryableFailure("keychain_unavailable", message, { cause });
}

/** The points of a rotation after which something has lastingly happened. */
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
  /** Called after each step; tests end the process there. */
  onStep?: ((step: RotationStep) => void) | undefined;
}

export interface CurrentPair {
  pair: TokenPair;
  /** The store holds an older one: a rotation was cut off, or the store would not take it. */
  isPending: boolean;
}

/** What the store holds, or what followed it in rotations that never got into the store. */
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
 * A crash at any point loses neither pair. Before the answer is kept, the request can be repeated with the same
 * rotation id; from then on the old token decrypts the new pair. What cannot be kept is not used, so that the
 * server gives it again. The caller holds the lock. Throws RetryableFailure, and errors of the file system
 * while nothing was sent.
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
    // Servers that do not rotate say nothing about it.
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

/** Brings a pair into the store and ends its rotation. False when the store does not take it now. */
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
    // A write that the keychain was given up on may still land, and bring back the pair before.
    await deleteRotationFiles(profile, pair.generation);
    onStep?.("cleared");
  } catch (error) {
    // The store decides; what is left here does no harm.
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
