import { hasAuthorizationHeader } from "../common/settings.js";
import type { SignInCause } from "../sign-in/requests.js";
import type {
  PendingSignIn,
  RequestSignIn,
  SignInOutcome,
  SignInRequest,
} from "../sign-in/sign-in.js";
import type { AccessToken } from "../tokens/token-pair.js";
import { pause, type ProxyContext } from "./context.js";
import { type Exchange, isBackground, isFinished } from "./exchange.js";
import { failures, type RetryDecision } from "./failures.js";

/** The sign-ins this process waits for. */
export interface PendingSignIns {
  begin: RequestSignIn;
  /** Joins the one that is pending, if there is one. */
  join: RequestSignIn;
  /** Undefined when the time or the exchange ends first. */
  awaitOutcome: (pending: PendingSignIn, exchange: Exchange) => Promise<SignInOutcome | undefined>;
  /** Resolves when anybody has signed in, in this process or another one, or at the abort. */
  awaitToken: (signal: AbortSignal) => Promise<void>;
  isPending: () => boolean;
  /** The person said no last time, so only asking for a sign-in itself may open a window again. */
  isDenied: () => boolean;
  close: () => void;
}

export function createPendingSignIns(
  deps: ProxyContext & { requestSignIn: RequestSignIn },
): PendingSignIns {
  const { tokens, requestSignIn, timeouts } = deps;
  const pending = new Set<PendingSignIn>();
  let newest: Promise<PendingSignIn | undefined> | undefined;
  let isDenied = false;
  /** Aborted at every sign-in that succeeds. */
  let done = new AbortController();

  const begin = async (request: SignInRequest) => {
    const begun = await requestSignIn(request);
    if (begun === undefined) return undefined;
    pending.add(begun);
    void begun.outcome.then(({ kind }) => {
      pending.delete(begun);
      isDenied = kind === "denied";
      if (kind !== "done") return;
      done.abort();
      done = new AbortController();
    });
    return begun;
  };
  return {
    begin,
    join: async (request) => {
      while (newest !== undefined) {
        const attempt = newest;
        const begun = await attempt.catch(() => undefined);
        if (begun !== undefined && pending.has(begun)) return begun;
        if (newest === attempt) newest = undefined;
      }
      newest = begin(request);
      return newest;
    },
    awaitOutcome: async ({ outcome }, exchange) => {
      const left = exchange.deadline - timeouts.requestReserveMs - performance.now();
      const timer = new AbortController();
      const stop = AbortSignal.any([exchange.abort.signal, timer.signal]);
      try {
        return await Promise.race([outcome, pause(Math.max(0, left), stop).then(() => undefined)]);
      } finally {
        timer.abort();
      }
    },
    awaitToken: async (signal) => {
      const hasToken = async () => (await tokens.get().catch(() => undefined)) !== undefined;
      do await pause(timeouts.signInPollMs, AbortSignal.any([signal, done.signal]));
      while (!signal.aborted && !(await hasToken()));
    },
    isPending: () => pending.size > 0,
    isDenied: () => isDenied,
    close: () => {
      for (const { leave } of pending) leave();
    },
  };
}

/** The way back to access after a refusal. Throws the BridgeErrors of tokens and sign-in. */
export interface Reauthorization {
  /** After a 401 to what was sent with this token, or without one. */
  renewToken: (exchange: Exchange, token: AccessToken | undefined) => Promise<RetryDecision>;
  /**
   * After a 403 that names the scopes it takes. They are asked for once per exchange, and no more when
   * they were granted already: a server must not be able to open one window after the other.
   */
  stepUp: (exchange: Exchange, scope: string) => Promise<RetryDecision>;
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

export function createReauthorization(deps: ReauthorizationDeps): Reauthorization {
  const { settings, tokens, signIns, onSignedOut } = deps;
  const hasOwnAuthorization = hasAuthorizationHeader(settings);
  const stepUp = createStepUp(signIns);

  const signIn = async (exchange: Exchange): Promise<RetryDecision> => {
    exchange.isSignedOut = true;
    const cause = signIns.isDenied() ? "start" : causeOf(exchange);
    const pending = await signIns.join({ cause });
    onSignedOut(exchange, pending !== undefined);
    if (isFinished(exchange)) return "done";
    if (!isBackground(exchange)) {
      if (pending === undefined) return failures.signInNeeded();
      const decision = toDecision(await signIns.awaitOutcome(pending, exchange), pending);
      if (decision === "retry") return decision;
      // What can still be answered without a sign-in is, like the list with the tool to try again.
      onSignedOut(exchange, false);
      if (!isBackground(exchange)) return isFinished(exchange) ? "done" : decision;
    }
    await signIns.awaitToken(exchange.abort.signal);
    return "retry";
  };
  return {
    renewToken: async (exchange, token) => {
      if (hasOwnAuthorization) return failures.refusedAuthorization();
      if (exchange.renewals >= maxRenewals) return failures.signInRefused();
      const renewed = token === undefined ? await tokens.get() : await tokens.replace(token);
      if (renewed === undefined) return signIn(exchange);
      exchange.renewals += 1;
      return "retry";
    },
    stepUp: async (exchange, scope) =>
      hasOwnAuthorization ? failures.scopeMissing(scope) : stepUp(exchange, scope),
  };
}

function createStepUp(signIns: PendingSignIns): Reauthorization["stepUp"] {
  const inFlight = new Map<string, Promise<PendingSignIn | undefined>>();
  const granted = new Set<string>();
  /** Sent again with more scopes, and not refused for theirs since. */
  const steppedUp = new Set<Exchange>();
  let windows = 0;

  const begin = (exchange: Exchange, scope: string, key: string) => {
    windows += 1;
    const begun = signIns.begin({ cause: causeOf(exchange), additionalScope: scope });
    inFlight.set(key, begun);
    const follow = async () => {
      const pending = await begun.catch(() => undefined);
      if (pending === undefined) windows -= 1;
      else if ((await pending.outcome).kind === "done") granted.add(key);
      inFlight.delete(key);
    };
    void follow();
    return begun;
  };
  const ask = (exchange: Exchange, scope: string) => {
    const key = scope.split(" ").sort().join(" ");
    if (granted.has(key)) return undefined;
    return (
      inFlight.get(key) ?? (windows < maxStepUpWindows ? begin(exchange, scope, key) : undefined)
    );
  };
  return async (exchange, scope) => {
    const isSteppedUp = steppedUp.delete(exchange);
    for (const other of [...steppedUp].filter(isFinished)) {
      steppedUp.delete(other);
      if (!other.abort.signal.aborted) windows = 0;
    }
    const pending = isSteppedUp ? undefined : await ask(exchange, scope);
    if (pending === undefined) return failures.scopeMissing(scope);
    const decision = toDecision(await signIns.awaitOutcome(pending, exchange), pending);
    if (decision === "retry") steppedUp.add(exchange);
    return decision;
  };
}

export function causeOf({ calls }: Exchange): SignInCause {
  return calls.some(({ method }) => userMethods.has(method)) ? "person" : "start";
}

function toDecision(outcome: SignInOutcome | undefined, pending: PendingSignIn): RetryDecision {
  if (outcome === undefined) return failures.signInNeeded(pending);
  return outcome.kind === "done" ? "retry" : failures.signInFailed(outcome.message);
}
