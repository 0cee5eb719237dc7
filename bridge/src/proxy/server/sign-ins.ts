import { hasAuthorizationHeader } from "../../common/settings.js";
import type { SignInOutcome } from "../../sign-in/flow.js";
import type { SignInCause } from "../../sign-in/helper.js";
import type { PendingSignIn, RequestSignIn, SignInRequest } from "../../sign-in/sign-in.js";
import type { AccessToken } from "../../tokens/rotation.js";
import { pause, type ProxyContext, within } from "../context.js";
import type { Exchange } from "../exchange.js";
import { failures, type RetryDecision } from "../failures.js";
import type { FallbackResponses } from "../local/fallbacks.js";

interface SignInDeps extends ProxyContext {
  requestSignIn: RequestSignIn;
  fallbacks: FallbackResponses;
}

const maxRenewals = 2;
/** Limits how many windows for more scopes a server can cause. */
const maxStepUpWindows = 3;
/** Requests from a person. Hosts send other requests automatically. */
const userMethods = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

/** The pending sign-ins of this process and the reactions to 401 and 403. Throws BridgeErrors. */
export class SignIns {
  readonly #deps: SignInDeps;
  readonly #hasOwnAuthorization: boolean;
  readonly #pending = new Set<PendingSignIn>();
  #newest: Promise<PendingSignIn | undefined> | undefined;
  /** Aborted on each successful sign-in. */
  #done = new AbortController();
  /**
   * The person denied the last sign-in, so only an explicit sign-in request may open a window
   * again.
   */
  #isDenied = false;
  /** Pending and successful step-ups, by scopes. */
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

  /** Resolves when a sign-in succeeds in this or another process, or when aborted. */
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

  /** Handles a 401 for this token, or without a token. */
  async renewToken(exchange: Exchange, token: AccessToken | undefined): Promise<RetryDecision> {
    const { tokens } = this.#deps;
    if (this.#hasOwnAuthorization) return failures.refusedAuthorization();
    if (exchange.renewals >= maxRenewals) return failures.signInRefused();
    const renewed = token === undefined ? await tokens.get() : await tokens.replace(token);
    if (renewed === undefined) return this.#signIn(exchange);
    exchange.renewals += 1;
    return "retry";
  }

  /** Handles a 403 that names the missing scopes. Requests them once per exchange. */
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
      // Respond to calls that don't need a sign-in, such as the list with the retry tool.
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
