import { setTimeout as sleep } from "node:timers/promises";
import { type BridgeErrorCode, exitCodes } from "../common/errors.js";
import { logFailure } from "../common/log.js";
import { createDeferred } from "../common/timing.js";
import type { Context } from "../context/context.js";
import {
  type ChannelEnd,
  forgetHelper,
  type Message,
  openChannel,
  recordHelper,
} from "../ipc/channel.js";
import { type ProfileState, readState } from "../profile/profile.js";
import { chooseBackend, createMemorySecrets } from "../storage/open-store.js";
import { revokeStored } from "../tokens/stored-sign-in.js";
import { type FlowOptions, runFlow } from "./flow.js";

/**
 * Why a sign-in is asked for. "start": a client asked by itself while starting, which opens a
 * window only for a profile that never tried before. "person": somebody wanted something done.
 */
export type SignInCause = "start" | "person";

export type SignInOutcome =
  { kind: "done" } | { kind: "denied" | "expired" | "failed"; message: string };

/** A bridge asks the helper for a sign-in, or for a part in the one that is under way. */
export type SignInMessage = {
  op: "sign-in";
  cause: SignInCause;
  /** Scopes a refused call needs, on top of what was granted. */
  additionalScope: string | undefined;
  /** The newest token pair the bridge has heard of. */
  generation: number;
};

/** What the helper answers, in this order; "none" alone, when the cause does not allow to ask. */
export type SignInEvent =
  | { event: "none" }
  | { event: "waiting"; url: string; browser: "opened" | "printed" }
  | { event: "ended"; outcome: SignInOutcome; code?: BridgeErrorCode };

export function toSignInMessage({ cause, additionalScope, generation }: Message): SignInMessage {
  return {
    op: "sign-in",
    cause: cause === "person" ? "person" : "start",
    additionalScope: typeof additionalScope === "string" ? additionalScope : undefined,
    generation: Number(generation),
  };
}

/** Nobody is asked twice by a client that merely starts, whatever the answer was the first time. */
export function mayPrompt(cause: SignInCause, { lastSignIn, backend }: ProfileState): boolean {
  if (cause === "person" || lastSignIn === undefined) return true;
  // Tokens in memory are gone with the last bridge, through nobody's decision.
  return backend === "memory" && lastSignIn.outcome === "done";
}

/** Whether somebody else signed in since, so that the reason to ask is gone. */
export function isAlreadySignedIn(
  { signedIn, generation, authorization }: ProfileState,
  since: { generation: number; additionalScope: string | undefined },
): boolean {
  if (!signedIn || generation <= since.generation) return false;
  return includesScopes(since.additionalScope, authorization?.scope);
}

/** Whether each of the wanted scopes is among the others. */
export function includesScopes(wanted = "", others = ""): boolean {
  const known = new Set(others.split(" "));
  return wanted.split(" ").every((scope) => scope === "" || known.has(scope));
}

type Options = Pick<FlowOptions, "limitMs" | "finishMs" | "openStore">;

/** At most one sign-in at a time, watched by everybody who asked for one. */
class SharedFlow {
  readonly #context: Context;
  readonly #options: Options;
  readonly #onIdle: () => void;
  #running: Promise<void> | undefined;
  #watchers = new Set<ChannelEnd>();
  #waiting: SignInEvent | undefined;
  /** The last page may still be on its way. */
  #isOutcomeSent = false;
  #admitting = 0;
  #admitted = Promise.resolve();

  constructor(context: Context, options: Options, onIdle: () => void) {
    this.#context = context;
    this.#options = options;
    this.#onIdle = onIdle;
  }

  /** Whether a sign-in is under way, or someone waits to hear whether one begins. */
  isActive(): boolean {
    return this.#running !== undefined || this.#admitting > 0;
  }

  /** Tells this connection how the sign-in goes. One after the other: what one begins, the next one joins. */
  join(end: ChannelEnd, request: SignInMessage): void {
    this.#admitting += 1;
    this.#admitted = this.#admitted
      .then(() => this.#admit(end, request))
      .finally(() => {
        this.#admitting -= 1;
        this.#onIdle();
      });
  }

  async #admit(end: ChannelEnd, request: SignInMessage): Promise<void> {
    if (this.#isOutcomeSent) await this.#running;
    if (this.#running === undefined) {
      const state = await readState(this.#context.profile);
      const isDone = isAlreadySignedIn(state, request);
      if (isDone || !mayPrompt(request.cause, state)) {
        end.send(isDone ? { event: "ended", outcome: { kind: "done" } } : { event: "none" });
        return;
      }
      this.#running = this.#run(request.additionalScope);
    }
    this.#watchers.add(end);
    if (this.#waiting !== undefined) end.send(this.#waiting);
  }

  async #run(additionalScope: string | undefined): Promise<void> {
    const tell = (event: SignInEvent) => {
      for (const watcher of this.#watchers) watcher.send(event);
    };
    await runFlow(this.#context, {
      ...this.#options,
      additionalScope,
      onWaiting: (address) => {
        this.#waiting = { event: "waiting", ...address };
        tell(this.#waiting);
      },
      onEnded: (outcome, code) => {
        this.#isOutcomeSent = true;
        tell({ event: "ended", outcome, ...(code !== undefined && { code }) });
      },
    });
    this.#running = this.#waiting = undefined;
    this.#isOutcomeSent = false;
    this.#watchers.clear();
    this.#onIdle();
  }
}

export type HelperTimes = typeof defaultTimes;

const defaultTimes = {
  /** How long a person may take to sign in. */
  flowMs: 600_000,
  /** How long the rest of a sign-in may take when the browser is back. */
  finishMs: 150_000,
  /** How long to wait until somebody asks for anything. */
  unusedMs: 10_000,
  /** How long secrets are held for a bridge that has not come yet. */
  lingerMs: 600_000,
};

/** Time to tell the server that tokens are gone. */
const revokeLimitMs = 3_000;

/**
 * The process behind a sign-in: it outlives the bridges that wait for it, and holds the secrets
 * where there is no keychain. Resolves with the exit code when nobody needs it any more.
 */
export async function runSignInHelper(context: Context): Promise<number> {
  await serveSignIns(context, defaultTimes);
  return exitCodes.ended;
}

export async function serveSignIns(context: Context, times: HelperTimes): Promise<void> {
  const secrets = createMemorySecrets();
  const holders = new Set<ChannelEnd>();
  let asked = false;
  let wasHeld = false;
  let timer: NodeJS.Timeout | undefined;
  const { promise: ended, resolve: end } = createDeferred();

  const endWhenNotNeeded = () => {
    clearTimeout(timer);
    if (flow.isActive() || (holders.size > 0 && !secrets.isEmpty())) return;
    if (!secrets.isEmpty() && !wasHeld) timer = setTimeout(end, times.lingerMs);
    else if (!asked) timer = setTimeout(end, times.unusedMs);
    else end();
  };
  const openStore = async (recorded: ProfileState) => {
    const store = await chooseBackend(context, recorded);
    return store.backend === "memory" ? secrets.store : store;
  };
  const options = { limitMs: times.flowMs, finishMs: times.finishMs, openStore };
  const flow = new SharedFlow(context, options, endWhenNotNeeded);
  const hold = (connection: ChannelEnd) => {
    holders.add(connection);
    wasHeld = true;
    void connection.closed.then(() => {
      holders.delete(connection);
      endWhenNotNeeded();
    });
  };

  const channel = await openChannel(context.settings.environment, (connection) => {
    connection.onMessage((message) => {
      asked = true;
      if (message["op"] === "sign-in") flow.join(connection, toSignInMessage(message));
      else if (message["op"] === "hold") hold(connection);
      else secrets.answer(connection, message);
      endWhenNotNeeded();
    });
  });
  await recordHelper(context.profile, channel.address);
  process.once("SIGTERM", end).once("SIGHUP", end);
  endWhenNotNeeded();
  await ended;
  // In this order: whoever finds no record may begin another helper.
  await forgetHelper(context.profile);
  await channel.close();
  await Promise.race([
    revokeStored(context, secrets.store).catch(
      logFailure(context.log.info, "The connection could not be ended"),
    ),
    sleep(revokeLimitMs, undefined, { ref: false }),
  ]);
  process.off("SIGTERM", end).off("SIGHUP", end);
}
