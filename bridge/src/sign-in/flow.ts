import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { BridgeError, type BridgeErrorCode, hasCode } from "../common/errors.js";
import type { Environment, Settings } from "../common/settings.js";
import type { Context } from "../context/context.js";
import { type ProfileState, readState, type SecretStore, updateState } from "../profile/profile.js";
import { storeSignIn } from "../tokens/stored-sign-in.js";
import { beginAuthorization, type PendingAuthorization } from "./authorization.js";
import {
  type CallbackListener,
  deniedPage,
  failedPage,
  openCallback,
  type Page,
  signedInPage,
} from "./callback.js";

export type SignInOutcome =
  { kind: "done" } | { kind: "denied" | "expired" | "failed"; message: string };

/** The helper's events, in this order. Only "none" if the cause doesn't permit a prompt. */
export type SignInEvent =
  | { event: "none" }
  | { event: "waiting"; url: string; browser: "opened" | "printed" }
  /** Has a code if the person was never asked. */
  | { event: "ended"; outcome: SignInOutcome; code?: BridgeErrorCode };

/** A command that fails this soon has opened nothing. */
const quickMs = 1_000;

interface SignInAddresses {
  full: string;
  /** Leads the first visitor to the full address. */
  once: string;
}

/** Other users can read the system browser's arguments, so it gets a single-use address. */
export async function openBrowser(
  { full, once }: SignInAddresses,
  { browser, environment }: Pick<Settings, "browser" | "environment">,
): Promise<"opened" | "printed"> {
  try {
    if (browser !== undefined) return await awaitExit(runBrowser(browser, full, environment));
    if (!hasScreen(environment, process.platform)) return "printed";
    const { default: open } = await import("open");
    return await awaitExit(await open(once));
  } catch {
    return "printed";
  }
}

/**
 * Returns true if the person can probably see a window of this machine. WSL uses Windows' windows.
 */
export function hasScreen(environment: Environment, platform: NodeJS.Platform): boolean {
  const has = (...names: string[]) => names.some((name) => Boolean(environment[name]));
  if (has("DISPLAY", "WAYLAND_DISPLAY")) return true;
  if (has("SSH_CONNECTION", "SSH_TTY")) return false;
  return platform !== "linux" || has("WSL_DISTRO_NAME", "WSL_INTEROP");
}

function runBrowser(command: string, url: string, env: Environment): ChildProcess {
  const child = spawn(command, [url], { detached: true, stdio: "ignore", windowsHide: true, env });
  child.unref();
  return child;
}

function awaitExit(child: ChildProcess): Promise<"opened" | "printed"> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, quickMs, "opened");
    const finish = (code: unknown) => {
      clearTimeout(timer);
      resolve(code === 0 ? "opened" : "printed");
    };
    if (child.exitCode !== null) finish(child.exitCode);
    child.once("error", finish).once("exit", finish);
  });
}

export interface FlowOptions {
  /** Opens the token storage. Called before the person is asked. */
  openStore: (recorded: ProfileState) => Promise<SecretStore>;
  additionalScope: string | undefined;
  flowMs: number;
  /** Time limit after the redirect. Its steps have limits too. */
  finishMs: number;
  /** Receives "waiting" when the person is asked, and always "ended" last. */
  tell: (event: SignInEvent) => void;
}

/** Runs one sign-in. Resolves when the browser has received its last page. */
export async function runFlow(context: Context, options: FlowOptions): Promise<void> {
  let listener: CallbackListener | undefined;
  try {
    const recorded = await readState(context.profile);
    const store = await options.openStore(recorded);
    listener = await openListener(context.settings.callbackPort, recorded);
    const authorization = await beginAuthorization(context, {
      recorded,
      redirectUri: listener.redirectUri,
      callbackPort: listener.port,
      additionalScope: options.additionalScope,
    });
    await askPerson(context, options, { store, listener, authorization });
  } catch (error) {
    const code = error instanceof BridgeError ? error.code : "sign_in_failed";
    const outcome = { kind: "failed", message: toMessage(error) } as const;
    options.tell({ event: "ended", outcome, code });
  } finally {
    await listener?.close();
  }
}

const tookTooLong = "The sign-in took too long after the browser came back. Try again.";

interface Begun {
  store: SecretStore;
  listener: CallbackListener;
  authorization: PendingAuthorization;
}

async function askPerson(context: Context, options: FlowOptions, begun: Begun): Promise<void> {
  const { flowMs, finishMs, tell } = options;
  const { listener, authorization } = begun;
  const { url, state } = authorization;
  const ended = new Promise<Finished>((resolve) => {
    const limit = setTimeout(() => {
      const message = "The sign-in wasn't completed in time.";
      resolve({ outcome: { kind: "expired", message } });
    }, flowMs);
    listener.expect({
      url,
      state,
      complete: async (parameters) => {
        clearTimeout(limit);
        const { page, ...finished } = await Promise.race([
          finish(context, begun, parameters),
          sleep(finishMs, toFailed(context, tookTooLong), { ref: false }),
        ]);
        resolve(finished);
        return page;
      },
    });
  });
  const addresses = { full: url, once: listener.oneShotAddress };
  const browser = await openBrowser(addresses, context.settings);
  // The local address is short, but useless for a browser on another computer.
  tell({ event: "waiting", url: browser === "opened" ? listener.shortAddress : url, browser });
  const { outcome, endReplaced } = await ended;
  if (outcome.kind !== "done") {
    const lastSignIn = { at: new Date().toISOString(), outcome: outcome.kind };
    await updateState(context.profile, { lastSignIn, signedOutBecause: undefined });
  }
  tell({ event: "ended", outcome });
  await endReplaced?.();
}

interface Finished {
  outcome: SignInOutcome;
  endReplaced?: () => Promise<void>;
}

/** Never rejects. The browser always gets a page with the true outcome. */
async function finish(
  context: Context,
  { store, authorization }: Begun,
  parameters: URLSearchParams,
): Promise<Finished & { page: Page }> {
  const { host } = new URL(context.settings.server);
  try {
    const grant = await authorization.complete(parameters);
    if (grant === "denied") {
      const message = "Access was denied in the browser.";
      return { outcome: { kind: "denied", message }, page: deniedPage(host) };
    }
    const endReplaced = await storeSignIn(context, store, grant);
    return { outcome: { kind: "done" }, page: signedInPage(host), endReplaced };
  } catch (error) {
    return toFailed(context, toMessage(error));
  }
}

function toFailed({ settings }: Context, message: string): Finished & { page: Page } {
  return { outcome: { kind: "failed", message }, page: failedPage(new URL(settings.server).host) };
}

/** Reuses the port of an earlier registration if it is free, so that registration stays valid. */
async function openListener(
  wanted: number,
  { authorization }: ProfileState,
): Promise<CallbackListener> {
  const earlier = authorization?.client.callbackPort ?? 0;
  try {
    return await openCallback(wanted === 0 ? earlier : wanted);
  } catch (cause) {
    if (wanted === 0 && earlier !== 0) return openCallback(0);
    const reason = hasCode(cause, "EADDRINUSE")
      ? "another program uses it"
      : "the system refuses it";
    throw new BridgeError(
      "sign_in_failed",
      `Port ${wanted} for the browser's return cannot be had: ${reason}. Name another one with --callback-port.`,
      { cause },
    );
  }
}

function toMessage(error: unknown): string {
  if (error instanceof BridgeError) return error.message;
  return "The sign-in did not work because of a fault of the bridge itself.";
}
