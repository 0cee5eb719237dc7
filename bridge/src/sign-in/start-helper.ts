import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError } from "../common/errors.js";
import type { Settings } from "../common/settings.js";
import type { Context } from "../context/context.js";
import type { ChannelEnd } from "../ipc/channel-end.js";
import { connectHelper } from "../ipc/helper-connection.js";
import { LockTimeout, withLock } from "../profile/lock.js";

const startMs = 15_000;

/** A connection to the profile's helper, which is started when there is none: one for all. */
export async function startHelper(
  { profile, settings }: Context,
  program: string,
): Promise<ChannelEnd> {
  try {
    return await withLock(profile, "sign-in", { waitMs: 2 * startMs }, async () => {
      const running = await connectHelper(profile);
      if (running !== undefined) return running;
      const hasEnded = spawnHelper(settings, program);
      const giveUpAt = performance.now() + startMs;
      while (!hasEnded() && performance.now() < giveUpAt) {
        await sleep(25);
        const started = await connectHelper(profile);
        if (started !== undefined) return started;
      }
      throw cannotStart();
    });
  } catch (error) {
    throw error instanceof LockTimeout ? cannotStart(error) : error;
  }
}

/** In a session of its own, so that it survives whatever ends this process and its group. */
function spawnHelper(settings: Settings, program: string): () => boolean {
  const child = spawn(process.execPath, [program, ...toArguments(settings)], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    env: { ...settings.environment, FETTLE_BRIDGE_HOME: settings.home },
  });
  let ended = false;
  const end = () => {
    ended = true;
  };
  child.once("error", end);
  child.once("exit", end);
  child.unref();
  return () => ended;
}

/** The same settings once more; those without an option reach it through the environment. */
function toArguments(settings: Settings): string[] {
  const { server, profile, storage, scope, headers, callbackPort, timeoutMs, caFile } = settings;
  return [
    "sign-in-helper",
    `--storage=${storage}`,
    `--callback-port=${callbackPort}`,
    `--timeout=${timeoutMs / 1000}`,
    "--log-level=silent",
    ...(profile === "" ? [] : [`--profile=${profile}`]),
    ...(scope === undefined ? [] : [`--scope=${scope}`]),
    ...(caFile === undefined ? [] : [`--ca-file=${resolve(caFile)}`]),
    ...headers.map(([name, value]) => `--header=${name}: ${value}`),
    server,
  ];
}

function cannotStart(cause?: unknown): BridgeError {
  const message = "The sign-in cannot begin: its helper process does not start. Try again.";
  return new BridgeError("sign_in_failed", message, { cause });
}
