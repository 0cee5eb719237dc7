import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError } from "../common/errors.js";
import { logFailure } from "../common/log.js";
import type { Settings } from "../common/settings.js";
import type { Context } from "../context/context.js";
import type { ChannelEnd } from "../ipc/channel-end.js";
import { connectHelper } from "../ipc/helper-connection.js";
import { LockTimeout, withLock } from "../profile/lock.js";
import type { Profile } from "../profile/profile.js";
import { runSignInHelper } from "./helper.js";

const startMs = 15_000;

/** What a helper process is started with; the running program by default. */
export interface HelperProgram {
  node?: string;
  script?: string;
}

/** A connection to the profile's helper, which is started when there is none: one for all. */
export async function startHelper(context: Context, program: HelperProgram): Promise<ChannelEnd> {
  const { profile } = context;
  try {
    return await withLock(profile, "sign-in", { waitMs: 3 * startMs }, async () => {
      const found =
        (await connectHelper(profile)) ??
        (await startProcess(context, program)) ??
        (await startHere(context));
      if (found === undefined) throw cannotStart();
      return found;
    });
  } catch (error) {
    throw error instanceof LockTimeout ? cannotStart(error) : error;
  }
}

/** In a session of its own, so that it survives whatever ends this process and its group. */
async function startProcess(
  { settings, profile }: Context,
  { node = process.execPath, script = process.argv[1] ?? "" }: HelperProgram,
): Promise<ChannelEnd | undefined> {
  // A client's own program that runs us as its part would open as that client once more.
  if ("electron" in process.versions) return undefined;
  const child = spawn(node, [script, ...toArguments(settings)], {
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
  const found = await awaitHelper(profile, () => ended);
  if (found === undefined) child.kill();
  return found;
}

/**
 * Where no process can be started, as after an upgrade that removed the Node this one runs on: then
 * the sign-in ends with this process, which is better than none.
 */
async function startHere(context: Context): Promise<ChannelEnd | undefined> {
  context.log.info("The sign-in runs within this process, because no other one can be started.");
  let ended = false;
  const failed = logFailure(context.log.info, "The sign-in ended early");
  void runSignInHelper(context)
    .catch(failed)
    .then(() => {
      ended = true;
    });
  return awaitHelper(context.profile, () => ended);
}

async function awaitHelper(
  profile: Profile,
  hasEnded: () => boolean,
): Promise<ChannelEnd | undefined> {
  const giveUpAt = performance.now() + startMs;
  while (!hasEnded() && performance.now() < giveUpAt) {
    await sleep(25);
    const started = await connectHelper(profile);
    if (started !== undefined) return started;
  }
  return undefined;
}

/** The same settings once more; those without an option reach it through the environment. */
function toArguments(settings: Settings): string[] {
  const { server, profile, storage, scope, headers, callbackPort, timeoutMs } = settings;
  const { caFile, cert, key } = settings;
  return [
    "sign-in-helper",
    `--storage=${storage}`,
    `--callback-port=${callbackPort}`,
    `--timeout=${timeoutMs / 1000}`,
    "--log-level=silent",
    ...(profile === "" ? [] : [`--profile=${profile}`]),
    ...(scope === undefined ? [] : [`--scope=${scope}`]),
    ...(caFile === undefined ? [] : [`--ca-file=${resolve(caFile)}`]),
    ...(cert === undefined ? [] : [`--cert=${resolve(cert)}`]),
    ...(key === undefined ? [] : [`--key=${resolve(key)}`]),
    ...headers.map(([name, value]) => `--header=${name}: ${value}`),
    server,
  ];
}

function cannotStart(cause?: unknown): BridgeError {
  const message = "The sign-in cannot begin: nothing can listen for the browser. Try again.";
  return new BridgeError("sign_in_failed", message, { cause });
}
