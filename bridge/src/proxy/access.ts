import { bringsOwnCredentials } from "../own-credentials.js";
import type { Settings } from "../settings.js";
import type { SignInCause } from "../sign-in/messages.js";
import type { PendingSignIn, SignInOutcome } from "../sign-in/sign-in.js";
import type { AccessToken, TokenKeeper } from "../tokens/token-keeper.js";
import { type Failure, failures } from "./failures.js";
import { isBackground, isOver, type Job } from "./job.js";
import type { SignIns } from "./sign-ins.js";

/** What becomes of a job after a try: sent again, nothing more, or given up. */
export type Verdict = "again" | "over" | Failure;

/** The way back to access after a refusal. Throws the BridgeErrors of tokens and sign-in. */
export interface Access {
  /** After a 401 to what was sent with this token, or without one. */
  renew: (job: Job, token: AccessToken | undefined) => Promise<Verdict>;
  /**
   * After a 403 that names the scopes it takes. They are asked for once per job, and no more when
   * they were granted already: a server must not be able to open one window after the other.
   */
  widen: (job: Job, scope: string) => Promise<Verdict>;
}

export interface AccessParts {
  settings: Settings;
  tokens: TokenKeeper;
  signIns: SignIns;
  /** Gives the host of a signed-out job an answer of ours, if there is one for this method. */
  onSignedOut: (job: Job, isPending: boolean) => void;
}

const mostRenewals = 2;
/** Windows for more scopes, until one was of use. */
const mostWidenings = 3;
/** What a person asked for; other requests are made by hosts on their own. */
const personal = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

export function createAccess({ settings, tokens, signIns, onSignedOut }: AccessParts): Access {
  const isOwn = bringsOwnCredentials(settings);
  const widen = createWidening(signIns);

  const signIn = async (job: Job): Promise<Verdict> => {
    job.isSignedOut = true;
    const cause = signIns.isDenied() ? "start" : causeOf(job);
    const pending = await signIns.join({ cause });
    onSignedOut(job, pending !== undefined);
    if (isOver(job)) return "over";
    if (!isBackground(job)) {
      if (pending === undefined) return failures.signInNeeded();
      const verdict = toVerdict(await signIns.awaitOutcome(pending, job), pending);
      if (verdict === "again") return verdict;
      // What can still be answered without a sign-in is, like the list with the tool to try again.
      onSignedOut(job, false);
      if (!isBackground(job)) return isOver(job) ? "over" : verdict;
    }
    await signIns.awaitToken(job.abort.signal);
    return "again";
  };
  return {
    renew: async (job, token) => {
      if (isOwn) return failures.refusedAuthorization();
      if (job.renewals >= mostRenewals) return failures.signInRefused();
      const renewed = token === undefined ? await tokens.get() : await tokens.replace(token);
      if (renewed === undefined) return signIn(job);
      job.renewals += 1;
      return "again";
    },
    widen: async (job, scope) => (isOwn ? failures.scopeMissing(scope) : widen(job, scope)),
  };
}

function createWidening(signIns: SignIns): Access["widen"] {
  const underway = new Map<string, Promise<PendingSignIn | undefined>>();
  const granted = new Set<string>();
  /** Sent again with more scopes, and not refused for theirs since. */
  const widened = new Set<Job>();
  let windows = 0;

  const begin = (job: Job, scope: string, key: string) => {
    windows += 1;
    const begun = signIns.begin({ cause: causeOf(job), additionalScope: scope });
    underway.set(key, begun);
    const follow = async () => {
      const pending = await begun.catch(() => undefined);
      if (pending === undefined) windows -= 1;
      else if ((await pending.outcome).kind === "done") granted.add(key);
      underway.delete(key);
    };
    void follow();
    return begun;
  };
  const ask = (job: Job, scope: string) => {
    const key = scope.split(" ").sort().join(" ");
    if (granted.has(key)) return undefined;
    return underway.get(key) ?? (windows < mostWidenings ? begin(job, scope, key) : undefined);
  };
  return async (job, scope) => {
    const isWidened = widened.delete(job);
    for (const other of [...widened].filter(isOver)) {
      widened.delete(other);
      if (!other.abort.signal.aborted) windows = 0;
    }
    const pending = isWidened ? undefined : await ask(job, scope);
    if (pending === undefined) return failures.scopeMissing(scope);
    const verdict = toVerdict(await signIns.awaitOutcome(pending, job), pending);
    if (verdict === "again") widened.add(job);
    return verdict;
  };
}

function causeOf({ calls }: Job): SignInCause {
  return calls.some(({ method }) => personal.has(method)) ? "person" : "start";
}

function toVerdict(outcome: SignInOutcome | undefined, pending: PendingSignIn): Verdict {
  if (outcome === undefined) return failures.signInNeeded(pending);
  return outcome.kind === "done" ? "again" : failures.signInFailed(outcome.message);
}
