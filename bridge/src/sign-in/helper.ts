import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes } from "../common/errors.js";
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
import { type FlowOptions, runFlow, type SignInEvent } from "./flow.js";

/** "start": a starting client asks, which opens a window only if nobody tried before. "person": a person waits. */
export type SignInCause = "start" | "person";

export type SignInMessage = {
  op: "sign-in";
  cause: SignInCause;
  /** Scopes a refused call needs, on top of what was granted. */
  additionalScope: string | undefined;
  /** The newest token pair the bridge has heard of. */
  generation: number;
};

function toSignInMessage({ cause, additionalScope, generation }: Message): SignInMessage {
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
  /** What those who join later missed. */
  #last: SignInEvent | undefined;
  #admitting = 0;
  #admitted = Promise.resolve();

  constructor(context: Context, options: StartOptions, onIdle: () => void) {
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
    // Its last page may still be on its way.
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
  /** How long the rest of a sign-in may take when the browser is back. */
  finishMs: 150_000,
  /** How long to wait until somebody asks for anything. */
  unusedMs: 10_000,
  /** How long secrets are held for a bridge that has not come yet. */
  lingerMs: 600_000,
};

const revokeLimitMs = 3_000;

/** Outlives the bridges that wait for it, and holds the secrets where there is no keychain. */
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
