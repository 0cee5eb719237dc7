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

/** In a session of its own, so that it survives whatever ends this process and its group. */
async function startProcess(
  { settings, profile }: Context,
  { node = process.execPath, script = process.argv[1] ?? "" }: HelperProgram,
): Promise<ChannelEnd | undefined> {
  // A client's own program that runs us as its part would open as that client once more.
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

/** Where no process can be started, as after an upgrade removed this Node. The sign-in ends with this process. */
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

/** The same settings once more; those without an option reach it through the environment. */
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

/** A sign-in that a person can complete in a browser, shared by all bridges of the profile. */
export interface PendingSignIn {
  /** The address that leads there; empty when somebody else completed it already. */
  url: string;
  /** "printed": no browser could be opened, so the person has to be shown the address. */
  browser: "opened" | "printed";
  outcome: Promise<SignInOutcome>;
  leave: () => void;
}

export interface SignInRequest {
  cause: SignInCause;
  /** Scopes a refused call needs, on top of what was granted (step-up, RFC 6750 §3.1). */
  additionalScope?: string;
}

/** Undefined when the cause does not allow a window now. Throws BridgeError when it cannot begin. */
export type RequestSignIn = (request: SignInRequest) => Promise<PendingSignIn | undefined>;

/** How often to look for another helper when the one we met was just about to end. */
const attempts = 3;

export function createSignIn(context: Context, program: HelperProgram = {}): RequestSignIn {
  const { profile, settings } = context;
  return async ({ cause, additionalScope }) => {
    // The person settled the scopes, so asking again could not bring others.
    if (settings.scope !== undefined && !includesScopes(additionalScope, settings.scope))
      return undefined;
    const { generation } = await readState(profile);
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      let helper = await connectHelper(profile);
      if (helper === undefined) {
        const state = await readState(profile);
        if (!mayPrompt(cause, state)) return undefined;
        // Says where the tokens will be, which nobody would hear from the helper; and a locked
        // keychain ends it before anybody is asked.
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
