import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes } from "../common/errors.js";
import { logFailure } from "../common/log.js";
import { createDeferred } from "../common/timing.js";
import type { Context } from "../context/context.js";
import { type ChannelEnd, forgetHelper, openChannel, recordHelper } from "../ipc/channel.js";
import { type ProfileState, readState } from "../profile/profile.js";
import { chooseBackend, createMemorySecrets } from "../storage/open-store.js";
import { revokeStored } from "../tokens/stored-sign-in.js";
import { type FlowOptions, runFlow, type SignInEvent } from "./flow.js";

/**
 * "start": a client starts. Opens a window only if none was opened before. "person": a person
 * waits.
 */
export type SignInCause = "start" | "person";

export type SignInMessage = {
  op: "sign-in";
  cause: SignInCause;
  /** Scopes that a refused call needs, in addition to the granted ones. */
  additionalScope: string | undefined;
  /** The newest token pair that the bridge knows. */
  generation: number;
};

/** A client's start never asks a person twice, whatever the first outcome was. */
export function mayPrompt(cause: SignInCause, { lastSignIn, backend }: ProfileState): boolean {
  if (cause === "person" || lastSignIn === undefined) return true;
  // Tokens in memory ended with the last bridge, not by a person's decision.
  return backend === "memory" && lastSignIn.outcome === "done";
}

/** Returns true if another process has signed in since, so the sign-in is no longer needed. */
function isAlreadySignedIn(
  { signedIn, generation, authorization }: ProfileState,
  since: SignInMessage,
): boolean {
  if (!signedIn || generation <= since.generation) return false;
  return includesScopes(since.additionalScope, authorization?.scope);
}

export function includesScopes(wanted = "", others = ""): boolean {
  const known = new Set(others.split(" "));
  return wanted.split(" ").every((scope) => scope === "" || known.has(scope));
}

type StartOptions = Omit<FlowOptions, "additionalScope" | "tell">;

class SharedFlow {
  readonly #context: Context;
  readonly #options: StartOptions;
  readonly #onIdle: () => void;
  #running: Promise<void> | undefined;
  readonly #watchers = new Set<ChannelEnd>();
  /** The last event, for connections that join later. */
  #last: SignInEvent | undefined;
  #admitting = 0;
  #admitted = Promise.resolve();

  constructor(context: Context, options: StartOptions, onIdle: () => void) {
    this.#context = context;
    this.#options = options;
    this.#onIdle = onIdle;
  }

  /** True if a sign-in is running or a caller waits to learn if one starts. */
  isActive(): boolean {
    return this.#running !== undefined || this.#admitting > 0;
  }

  /**
   * Sends this connection the progress of the sign-in. Requests are handled one by one: a later one
   * joins a running sign-in.
   */
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
    // Its last page may still be loading.
    if (this.#last?.event === "ended") await this.#running;
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
    if (this.#last !== undefined) end.send(this.#last);
  }

  async #run(additionalScope: string | undefined): Promise<void> {
    const tell = (event: SignInEvent) => {
      this.#last = event;
      for (const watcher of this.#watchers) watcher.send(event);
    };
    await runFlow(this.#context, { ...this.#options, additionalScope, tell });
    this.#running = this.#last = undefined;
    this.#watchers.clear();
    this.#onIdle();
  }
}
export type HelperTimes = typeof defaultTimes;

const defaultTimes = {
  flowMs: 600_000,
  /** Time limit for the rest of a sign-in after the redirect. */
  finishMs: 150_000,
  /** How long the helper waits for its first request. */
  unusedMs: 10_000,
  /** How long secrets are stored for a bridge that hasn't connected yet. */
  lingerMs: 600_000,
};

const revokeLimitMs = 3_000;

/** Outlives the bridges that wait for it, and stores the secrets if there is no keychain. */
export async function runSignInHelper(context: Context): Promise<number> {
  await serveSignIns(context, defaultTimes);
  return exitCodes.ended;
}

export async function serveSignIns(context: Context, times: HelperTimes): Promise<void> {
  const secrets = createMemorySecrets();
  const holders = new Set<ChannelEnd>();
  let isAsked = false;
  let wasHeld = false;
  let timer: NodeJS.Timeout | undefined;
  const { promise: ended, resolve: end } = createDeferred();

  const endWhenNotNeeded = () => {
    clearTimeout(timer);
    if (flow.isActive() || (holders.size > 0 && !secrets.isEmpty())) return;
    if (!secrets.isEmpty() && !wasHeld) timer = setTimeout(end, times.lingerMs);
    else if (!isAsked) timer = setTimeout(end, times.unusedMs);
    else end();
  };
  const openStore = async (recorded: ProfileState) => {
    const store = await chooseBackend(context, recorded);
    return store.backend === "memory" ? secrets.store : store;
  };
  const flow = new SharedFlow(context, { ...times, openStore }, endWhenNotNeeded);
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
      isAsked = true;
      if (message["op"] === "sign-in") flow.join(connection, message as SignInMessage);
      else if (message["op"] === "hold") hold(connection);
      else secrets.answer(connection, message);
      endWhenNotNeeded();
    });
  });
  await recordHelper(context.profile, channel.address);
  process.once("SIGTERM", end).once("SIGHUP", end);
  endWhenNotNeeded();
  await ended;
  // In this order: a process that finds no record may start another helper.
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
