import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toRecord } from "../common/json.js";
import { readJson, removeFile, writeFileAtomic } from "../profile/files.js";
import type { Profile } from "../profile/profile.js";
import { type ChannelEnd, connectChannel, removePath } from "./channel.js";

/** The first message of a helper on each connection. */
export const greeting = { event: "hello" } as const;

/** A helper that was stopped or hangs still accepts connections, but says nothing on them. */
const greetingMs = 3_000;

/** Writes `helper.json`: where the sign-in helper of a profile, this process, listens. */
export async function recordHelper(profile: Profile, channel: string): Promise<void> {
  const before = await readRecord(profile);
  // Its process was killed: helpers follow each other, they never run side by side.
  if (before !== undefined) await removePath(before.channel);
  await writeFileAtomic(toPath(profile), `${JSON.stringify({ pid: process.pid, channel })}\n`);
}

/** Leaves the record alone when another helper has taken over. */
export async function forgetHelper(profile: Profile): Promise<void> {
  if ((await readRecord(profile))?.pid === process.pid) await removeFile(toPath(profile));
}

/** A connection to the living helper of a profile; undefined when there is none. */
export async function connectHelper(profile: Profile): Promise<ChannelEnd | undefined> {
  const record = await readRecord(profile);
  if (record === undefined) return undefined;
  try {
    const end = await connectChannel(record.channel);
    if (await isGreeted(end)) return end;
    end.close();
  } catch {
    // The process behind the record is gone.
  }
  return undefined;
}

function isGreeted(end: ChannelEnd): Promise<boolean> {
  return Promise.race([
    new Promise<boolean>((resolve) => {
      end.onMessage(() => {
        resolve(true);
      });
    }),
    end.closed.then(() => false),
    sleep(greetingMs, false, { ref: false }),
  ]);
}

async function readRecord(profile: Profile): Promise<{ pid: number; channel: string } | undefined> {
  const { pid, channel } = toRecord(await readJson(toPath(profile)));
  return typeof pid === "number" && typeof channel === "string" ? { pid, channel } : undefined;
}

function toPath({ folder }: Profile): string {
  return join(folder, "helper.json");
}
