import { join } from "node:path";
import { toRecord } from "../common/json.js";
import { isOurs } from "../common/ownership.js";
import { readJson, removeFile, writeFileAtomic } from "../profile/files.js";
import type { Profile } from "../profile/profile.js";
import {
  type ChannelAddress,
  type ChannelEnd,
  connectChannel,
  isRandom,
  removePath,
} from "./channel.js";

/** Writes `helper.json`: where the sign-in helper of a profile, this process, listens. */
export async function recordHelper(
  profile: Profile,
  { path, secret }: ChannelAddress,
): Promise<void> {
  const before = await readRecord(profile);
  // Its process was killed: helpers follow each other, they never run side by side.
  if (before !== undefined) await removePath(before.path);
  const record = { pid: process.pid, channel: path, secret };
  await writeFileAtomic(toPath(profile), `${JSON.stringify(record)}\n`);
}

/** Leaves the record alone when another helper has taken over. */
export async function forgetHelper(profile: Profile): Promise<void> {
  if ((await readRecord(profile))?.pid === process.pid) await removeFile(toPath(profile));
}

/** A connection to the living helper of a profile; undefined when there is none. */
export async function connectHelper(profile: Profile): Promise<ChannelEnd | undefined> {
  const record = await readRecord(profile);
  // The process behind the record may be gone, and somebody else in its place.
  return record && connectChannel(record).catch(() => undefined);
}

/** Undefined also for a file that somebody else may have written, or read the secret in. */
async function readRecord(
  profile: Profile,
): Promise<(ChannelAddress & { pid: number }) | undefined> {
  const file = toPath(profile);
  if (!(await isOurs(file, "file"))) return undefined;
  const { pid, channel: path, secret } = toRecord(await readJson(file));
  const isWhole = typeof pid === "number" && typeof path === "string" && isRandom(secret);
  return isWhole ? { pid, path, secret } : undefined;
}

function toPath({ folder }: Profile): string {
  return join(folder, "helper.json");
}
