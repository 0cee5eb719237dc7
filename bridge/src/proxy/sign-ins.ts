import { hasAuthorizationHeader } from "../common/settings.js";
import type { SignInOutcome } from "../sign-in/flow.js";
import type { SignInCause } from "../sign-in/helper.js";
import type { PendingSignIn, RequestSignIn, SignInRequest } from "../sign-in/sign-in.js";
import type { AccessToken } from "../tokens/rotation.js";
import { pause, type ProxyContext, within } from "./context.js";
import type { Exchange } from "./exchange.js";
import { failures, type RetryDecision } from "./failures.js";
import type { FallbackResponses } from "./fallbacks.js";

interface SignInDeps extends ProxyContext {
  requestSignIn: RequestSignIn;
  fallbacks: FallbackResponses;
}

const maxRenewals = 2;
/** A server must not be able to open one window for more scopes after the other. */
const maxStepUpWindows = 3;
/** What a person asked for; other requests are made by hosts on their own. */
const userMethods = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

/** The sign-ins this process waits for, and what follows a 401 or 403. Throws BridgeErrors. */
export class SignIns {
  readonly #deps: SignInDeps;
  readonly #hasOwnAuthorization: boolean;
  readonly #pending = new Set<PendingSignIn>();
  #newest: Promise<PendingSignIn | undefined> | undefined;
  /** Aborted at every sign-in that succeeds. */
  #done = new AbortController();
  /** The person said no last time, so only asking for a sign-in itself may open a window again. */
  #isDenied = false;
  /** Step-ups under way, and those that succeeded, by their scopes. */
  readonly #stepUps = new Map<string, Promise<PendingSignIn | undefined>>();
  #stepUpWindows = 0;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
    this.#hasOwnAuthorization = hasAuthorizationHeader(deps.settings);
  }

  async #begin(request: SignInRequest): Promise<PendingSignIn | undefined> {
    const begun = await this.#deps.requestSignIn(request);
    if (begun === undefined) return undefined;
    this.#pending.add(begun);
    void begun.outcome.then(({ kind }) => {
      this.#pending.delete(begun);
      this.#isDenied = kind === "denied";
      if (kind !== "done") return;
      this.#done.abort();
      this.#done = new AbortController();
    });
    return begun;
  }

  async join(request: SignInRequest): Promise<PendingSignIn | undefined> {
    while (this.#newest !== undefined) {
      const attempt = this.#newest;
      const begun = await attempt.catch(() => undefined);
      if (begun !== undefined && this.#pending.has(begun)) return begun;
      if (this.#newest === attempt) this.#newest = undefined;
    }
    this.#newest = this.#begin(request);
    return this.#newest;
  }

  awaitOutcome(
    { outcome }: PendingSignIn,
    { deadline, abort }: Exchange,
  ): Promise<SignInOutcome | undefined> {
    const left = deadline - this.#deps.timeouts.requestReserveMs - performance.now();
    return within(left, outcome, abort.signal);
  }

  /** Resolves when anybody has signed in, in this process or another one, or at the abort. */
  async #awaitToken(signal: AbortSignal): Promise<void> {
    const { tokens, timeouts } = this.#deps;
    const hasToken = async () => (await tokens.get().catch(() => undefined)) !== undefined;
    do await pause(timeouts.signInPollMs, AbortSignal.any([signal, this.#done.signal]));
    while (!signal.aborted && !(await hasToken()));
  }

  isPending(): boolean {
    return this.#pending.size > 0;
  }

  close(): void {
    for (const { leave } of this.#pending) leave();
  }

  /** After a 401 to what was sent with this token, or without one. */
  async renewToken(exchange: Exchange, token: AccessToken | undefined): Promise<RetryDecision> {
    const { tokens } = this.#deps;
    if (this.#hasOwnAuthorization) return failures.refusedAuthorization();
    if (exchange.renewals >= maxRenewals) return failures.signInRefused();
    const renewed = token === undefined ? await tokens.get() : await tokens.replace(token);
    if (renewed === undefined) return this.#signIn(exchange);
    exchange.renewals += 1;
    return "retry";
  }

  /** After a 403 that names the scopes it takes: they are asked for once per exchange. */
  async stepUp(exchange: Exchange, scope: string): Promise<RetryDecision> {
    if (this.#hasOwnAuthorization || exchange.hasSteppedUp) return failures.scopeMissing(scope);
    const pending = await this.#askForScope(exchange, scope);
    if (pending === undefined) return failures.scopeMissing(scope);
    exchange.hasSteppedUp = true;
    return this.#awaitDecision(pending, exchange);
  }

  async #signIn(exchange: Exchange): Promise<RetryDecision> {
    const { fallbacks } = this.#deps;
    exchange.isSignedOut = true;
    const cause = this.#isDenied ? "start" : causeOf(exchange);
    const pending = await this.join({ cause });
    fallbacks.onCutOff(exchange, pending !== undefined);
    if (exchange.isFinished()) return "done";
    if (!exchange.isBackground()) {
      if (pending === undefined) return failures.signInNeeded();
      const decision = await this.#awaitDecision(pending, exchange);
      if (decision === "retry") return decision;
      // What can still be answered without a sign-in is, like the list with the tool to try again.
      fallbacks.onCutOff(exchange, false);
      if (!exchange.isBackground()) return exchange.isFinished() ? "done" : decision;
    }
    await this.#awaitToken(exchange.abort.signal);
    return "retry";
  }

  async #awaitDecision(pending: PendingSignIn, exchange: Exchange): Promise<RetryDecision> {
    const outcome = await this.awaitOutcome(pending, exchange);
    if (outcome === undefined) return failures.signInNeeded(pending);
    return outcome.kind === "done" ? "retry" : failures.signInFailed(outcome.message);
  }

  #askForScope(exchange: Exchange, scope: string): Promise<PendingSignIn | undefined> | undefined {
    const key = scope.split(" ").sort().join(" ");
    const known = this.#stepUps.get(key);
    if (known !== undefined || this.#stepUpWindows >= maxStepUpWindows) return known;
    this.#stepUpWindows += 1;
    const begun = this.#begin({ cause: causeOf(exchange), additionalScope: scope });
    this.#stepUps.set(key, begun);
    const follow = async () => {
      const pending = await begun.catch(() => undefined);
      if (pending === undefined) this.#stepUpWindows -= 1;
      if ((await pending?.outcome)?.kind !== "done") this.#stepUps.delete(key);
    };
    void follow();
    return begun;
  }
}

export function causeOf({ calls }: Exchange): SignInCause {
  return calls.some(({ method }) => userMethods.has(method)) ? "person" : "start";
}
