import { hasAuthorizationHeader } from "../common/settings.js";
import type { SignInCause } from "../sign-in/requests.js";
import type {
  PendingSignIn,
  RequestSignIn,
  SignInOutcome,
  SignInRequest,
} from "../sign-in/sign-in.js";
import type { AccessToken } from "../tokens/token-pair.js";
import { pause, type ProxyContext, within } from "./context.js";
import type { Exchange } from "./exchange.js";
import { failures, type RetryDecision } from "./failures.js";

/** The sign-ins this process waits for. */
export class PendingSignIns {
  readonly #deps: ProxyContext & { requestSignIn: RequestSignIn };
  readonly #pending = new Set<PendingSignIn>();
  #newest: Promise<PendingSignIn | undefined> | undefined;
  /** Aborted at every sign-in that succeeds. */
  #done = new AbortController();
  /** The person said no last time, so only asking for a sign-in itself may open a window again. */
  isDenied = false;

  constructor(deps: ProxyContext & { requestSignIn: RequestSignIn }) {
    this.#deps = deps;
  }

  async begin(request: SignInRequest): Promise<PendingSignIn | undefined> {
    const begun = await this.#deps.requestSignIn(request);
    if (begun === undefined) return undefined;
    this.#pending.add(begun);
    void begun.outcome.then(({ kind }) => {
      this.#pending.delete(begun);
      this.isDenied = kind === "denied";
      if (kind !== "done") return;
      this.#done.abort();
      this.#done = new AbortController();
    });
    return begun;
  }

  /** Joins the one that is pending, if there is one. */
  async join(request: SignInRequest): Promise<PendingSignIn | undefined> {
    while (this.#newest !== undefined) {
      const attempt = this.#newest;
      const begun = await attempt.catch(() => undefined);
      if (begun !== undefined && this.#pending.has(begun)) return begun;
      if (this.#newest === attempt) this.#newest = undefined;
    }
    this.#newest = this.begin(request);
    return this.#newest;
  }

  /** Undefined when the time or the exchange ends first. */
  awaitOutcome(
    { outcome }: PendingSignIn,
    { deadline, abort }: Exchange,
  ): Promise<SignInOutcome | undefined> {
    const left = deadline - this.#deps.timeouts.requestReserveMs - performance.now();
    return within(left, outcome, abort.signal);
  }

  /** Resolves when anybody has signed in, in this process or another one, or at the abort. */
  async awaitToken(signal: AbortSignal): Promise<void> {
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
}

interface ReauthorizationDeps extends Pick<ProxyContext, "settings" | "tokens"> {
  signIns: PendingSignIns;
  /** Gives the host of a signed-out exchange an answer of ours, if there is one for this method. */
  onSignedOut: (exchange: Exchange, isPending: boolean) => void;
}

const maxRenewals = 2;
/** Windows for more scopes, until one was of use. */
const maxStepUpWindows = 3;
/** What a person asked for; other requests are made by hosts on their own. */
const userMethods = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

/** The way back to access after a refusal. Throws the BridgeErrors of tokens and sign-in. */
export class Reauthorization {
  readonly #deps: ReauthorizationDeps;
  readonly #hasOwnAuthorization: boolean;
  /** Step-ups under way, by their scopes. */
  readonly #inFlight = new Map<string, Promise<PendingSignIn | undefined>>();
  readonly #granted = new Set<string>();
  /** Sent again with more scopes, and not refused for theirs since. */
  readonly #steppedUp = new Set<Exchange>();
  #windows = 0;

  constructor(deps: ReauthorizationDeps) {
    this.#deps = deps;
    this.#hasOwnAuthorization = hasAuthorizationHeader(deps.settings);
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

  /**
   * After a 403 that names the scopes it takes. They are asked for once per exchange, and no more when
   * they were granted already: a server must not be able to open one window after the other.
   */
  async stepUp(exchange: Exchange, scope: string): Promise<RetryDecision> {
    if (this.#hasOwnAuthorization) return failures.scopeMissing(scope);
    const isSteppedUp = this.#steppedUp.delete(exchange);
    for (const other of [...this.#steppedUp].filter((one) => one.isFinished())) {
      this.#steppedUp.delete(other);
      if (!other.abort.signal.aborted) this.#windows = 0;
    }
    const pending = isSteppedUp ? undefined : await this.#askForScope(exchange, scope);
    if (pending === undefined) return failures.scopeMissing(scope);
    const decision = await this.#awaitDecision(pending, exchange);
    if (decision === "retry") this.#steppedUp.add(exchange);
    return decision;
  }

  async #signIn(exchange: Exchange): Promise<RetryDecision> {
    const { signIns, onSignedOut } = this.#deps;
    exchange.isSignedOut = true;
    const cause = signIns.isDenied ? "start" : causeOf(exchange);
    const pending = await signIns.join({ cause });
    onSignedOut(exchange, pending !== undefined);
    if (exchange.isFinished()) return "done";
    if (!exchange.isBackground()) {
      if (pending === undefined) return failures.signInNeeded();
      const decision = await this.#awaitDecision(pending, exchange);
      if (decision === "retry") return decision;
      // What can still be answered without a sign-in is, like the list with the tool to try again.
      onSignedOut(exchange, false);
      if (!exchange.isBackground()) return exchange.isFinished() ? "done" : decision;
    }
    await signIns.awaitToken(exchange.abort.signal);
    return "retry";
  }

  async #awaitDecision(pending: PendingSignIn, exchange: Exchange): Promise<RetryDecision> {
    const outcome = await this.#deps.signIns.awaitOutcome(pending, exchange);
    if (outcome === undefined) return failures.signInNeeded(pending);
    return outcome.kind === "done" ? "retry" : failures.signInFailed(outcome.message);
  }

  #askForScope(exchange: Exchange, scope: string): Promise<PendingSignIn | undefined> | undefined {
    const key = scope.split(" ").sort().join(" ");
    if (this.#granted.has(key)) return undefined;
    const underWay = this.#inFlight.get(key);
    if (underWay !== undefined || this.#windows >= maxStepUpWindows) return underWay;
    this.#windows += 1;
    const begun = this.#deps.signIns.begin({ cause: causeOf(exchange), additionalScope: scope });
    this.#inFlight.set(key, begun);
    const follow = async () => {
      const pending = await begun.catch(() => undefined);
      if (pending === undefined) this.#windows -= 1;
      else if ((await pending.outcome).kind === "done") this.#granted.add(key);
      this.#inFlight.delete(key);
    };
    void follow();
    return begun;
  }
}

export function causeOf({ calls }: Exchange): SignInCause {
  return calls.some(({ method }) => userMethods.has(method)) ? "person" : "start";
}
