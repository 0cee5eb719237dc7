import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError } from "../common/errors.js";
import { logFailure } from "../common/log.js";
import type { Settings } from "../common/settings.js";
import { createDeferred } from "../common/timing.js";
import type { Context } from "../context/context.js";
import { toArguments } from "../context/options.js";
import { type ChannelEnd, connectHelper, type Message } from "../ipc/channel.js";
import { LockTimeout, withLock } from "../profile/lock.js";
import { type Profile, readState } from "../profile/profile.js";
import { chooseBackend } from "../storage/open-store.js";
import type { SignInEvent, SignInOutcome } from "./flow.js";
import {
  includesScopes,
  mayPrompt,
  runSignInHelper,
  type SignInCause,
  type SignInMessage,
} from "./helper.js";

const startMs = 15_000;

interface HelperProgram {
  node?: string;
  script?: string;
}

async function startHelper(context: Context, program: HelperProgram): Promise<ChannelEnd> {
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

/** In a separate session, so it survives the end of this process and its group. */
async function startProcess(
  { settings, profile }: Context,
  { node = process.execPath, script = process.argv[1] ?? "" }: HelperProgram,
): Promise<ChannelEnd | undefined> {
  // Spawning this executable would open the client (Electron app) again.
  if ("electron" in process.versions) return undefined;
  const child = spawn(node, [script, ...toHelperArguments(settings)], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    env: { ...settings.environment, FETTLE_BRIDGE_HOME: settings.home },
  });
  child.unref();
  const found = await awaitHelper(
    profile,
    new Promise((resolve) => child.once("error", resolve).once("exit", resolve)),
  );
  if (found === undefined) child.kill();
  return found;
}

/**
 * Used when no process can be started, for example after an upgrade removed this Node. The sign-in
 * ends with this process.
 */
function startHere(context: Context): Promise<ChannelEnd | undefined> {
  context.log.info("The sign-in runs within this process, because no other one can be started.");
  const failed = logFailure(context.log.info, "The sign-in ended early");
  return awaitHelper(context.profile, runSignInHelper(context).catch(failed));
}

async function awaitHelper(
  profile: Profile,
  ended: Promise<unknown>,
): Promise<ChannelEnd | undefined> {
  const giveUpAt = performance.now() + startMs;
  let hasEnded = false as boolean;
  void ended.then(() => (hasEnded = true));
  let started: ChannelEnd | undefined;
  while (started === undefined && !hasEnded && performance.now() < giveUpAt) {
    await sleep(25);
    started = await connectHelper(profile);
  }
  return started;
}

/**
 * The current settings as options. Settings without an option are passed through the environment.
 */
function toHelperArguments(settings: Settings): string[] {
  const { profile, headers, callbackPort, timeoutMs } = settings;
  const options = toArguments({
    ...settings,
    profile: profile === "" ? undefined : profile,
    header: headers.map(([name, value]) => `${name}: ${value}`),
    callbackPort: String(callbackPort),
    timeout: String(timeoutMs / 1000),
    logLevel: "silent",
    readOnly: false,
  });
  return ["sign-in-helper", ...options, settings.server];
}

function cannotStart(cause?: unknown): BridgeError {
  const message = "The sign-in cannot begin: nothing can listen for the browser. Try again.";
  return new BridgeError("sign_in_failed", message, { cause });
}

/** A sign-in that a person can complete in a browser. Shared by all bridges of the profile. */
export interface PendingSignIn {
  /** The sign-in address. Empty if another process completed the sign-in already. */
  url: string;
  /** "printed": no browser could be opened, so the person must be shown the address. */
  browser: "opened" | "printed";
  outcome: Promise<SignInOutcome>;
  leave: () => void;
}

export interface SignInRequest {
  cause: SignInCause;
  /** Scopes that a refused call needs, in addition to the granted ones (step-up, RFC 6750 §3.1). */
  additionalScope?: string;
}

/**
 * Returns undefined if the cause doesn't permit a window now. Throws BridgeError if the sign-in
 * can't start.
 */
export type RequestSignIn = (request: SignInRequest) => Promise<PendingSignIn | undefined>;

/** How often to try another helper when the current one is about to end. */
const attempts = 3;

export function createSignIn(context: Context, program: HelperProgram = {}): RequestSignIn {
  const { profile, settings } = context;
  return async ({ cause, additionalScope }) => {
    // The settings fix the scopes, so another sign-in can't add any.
    if (settings.scope !== undefined && !includesScopes(additionalScope, settings.scope))
      return undefined;
    const { generation } = await readState(profile);
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      let helper = await connectHelper(profile);
      if (helper === undefined) {
        const state = await readState(profile);
        if (!mayPrompt(cause, state)) return undefined;
        // Logs where the tokens go, because the helper's output is invisible. A locked keychain
        // throws before the person is asked.
        await chooseBackend(context, state, { mayUnlock: cause === "person" });
        helper = await startHelper(context, program);
      }
      const request = { op: "sign-in", cause, additionalScope, generation } as const;
      const answer = await follow(helper, request);
      if (answer !== "gone") return answer;
    }
    throw new BridgeError("sign_in_failed", "The sign-in was interrupted. Try again.");
  };
}

function follow(
  helper: ChannelEnd,
  request: SignInMessage,
): Promise<PendingSignIn | undefined | "gone"> {
  return new Promise((resolve, reject) => {
    const { promise: outcome, resolve: conclude } = createDeferred<SignInOutcome>();
    const leave = () => {
      helper.close();
    };
    helper.onMessage((message: Message) => {
      const event = message as SignInEvent;
      if (event.event === "waiting") {
        const { url, browser } = event;
        resolve({ url, browser, outcome, leave });
        return;
      }
      leave();
      if (event.event === "none") resolve(undefined);
      else {
        conclude(event.outcome);
        if (event.outcome.kind === "done") resolve({ url: "", browser: "opened", outcome, leave });
        else reject(new BridgeError(event.code ?? "sign_in_failed", event.outcome.message));
      }
    });
    void helper.closed.then(() => {
      resolve("gone");
      conclude({ kind: "failed", message: "The sign-in was interrupted. Try again." });
    });
    helper.send(request);
  });
}
