import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { toRecord } from "../common/json.js";
import { readJson, readNames, readText, writeFileAtomic } from "../profile/files.js";
import type { Profile } from "../profile/profile.js";
import {
  parseAccessText,
  parseRefreshText,
  toAccessText,
  type TokenPair,
  toRefreshText,
} from "./token-pair.js";

const cipher = "aes-256-gcm";
const saltBytes = 16;
const ivBytes = 12;
const tagBytes = 16;
const headerBytes = saltBytes + ivBytes + tagBytes;

/**
 * Makes a text readable only for holders of a refresh token: AES-256-GCM under a key derived from
 * it with HKDF-SHA-256. The purpose is bound in, so that a record cannot stand in for another.
 */
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

/**
 * The files of a rotation. `intent.json` is there from before the request until its end;
 * `next-<generation>` holds the new pair, encrypted with the old refresh token, until the next one.
 */
const intentName = "intent.json";

/**
 * The rotation id for this generation: the one of an earlier try whose end is not known, if any.
 * That one is written again, which tells whether the answer could be written down this time.
 */
export async function beginRotation({ folder }: Profile, generation: number): Promise<string> {
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

/** The pair that followed, when it was kept and is whole. */
export async function readNextPair(
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

/** The highest generation that a file is kept of; 0 without any. */
export async function newestGeneration({ folder }: Profile): Promise<number> {
  const numbers = (await readNames(folder)).map((name) => Number(/^next-(\d+)/.exec(name)?.[1]));
  return Math.max(0, ...numbers.filter((number) => !Number.isNaN(number)));
}

/** Ends a rotation: keeps of all its files only the record of this pair. */
export async function deleteOlderFiles(profile: Profile, generation: number): Promise<void> {
  await clear(profile, (name) => name !== nextName(generation));
}

/** Ends a sign-in, of which nothing is kept. */
export async function deleteRotationFiles(profile: Profile): Promise<void> {
  await clear(profile, () => true);
}

/** Also what writers that were killed left behind. */
async function clear({ folder }: Profile, isDeletable: (name: string) => boolean): Promise<void> {
  const isOurs = (name: string) => name.startsWith("next-") || name.startsWith(intentName);
  for (const name of await readNames(folder)) {
    if (isOurs(name) && isDeletable(name)) await rm(join(folder, name), { force: true });
  }
}

function nextName(generation: number): string {
  return `next-${generation}`;
}
