import { bringsOwnCredentials } from "../own-credentials.js";
import type { Settings } from "../settings.js";
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
  /** After a 403 that names the scopes it takes. Asked for once per set of scopes. */
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
/** What a person asked for; other requests are made by hosts on their own. */
const personal = new Set(["tools/call", "prompts/get", "resources/read", "completion/complete"]);

export function createAccess({ settings, tokens, signIns, onSignedOut }: AccessParts): Access {
  const isOwn = bringsOwnCredentials(settings);
  const widenings = new Map<string, { begun: Promise<PendingSignIn | undefined>; over: boolean }>();

  const signIn = async (job: Job): Promise<Verdict> => {
    job.isSignedOut = true;
    const isPersonal = job.calls.some(({ method }) => personal.has(method));
    const pending = await signIns.join({ cause: isPersonal ? "person" : "start" });
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
    widen: async (job, scope) => {
      const key = scope.split(" ").sort().join(" ");
      let widening = widenings.get(key);
      if (widening === undefined) {
        const begun = signIns.begin({ cause: "person", additionalScope: scope });
        widening = { begun, over: false };
        widenings.set(key, widening);
      }
      const pending = widening.over ? undefined : await widening.begun;
      if (pending === undefined) return failures.scopeMissing(scope);
      const outcome = await signIns.awaitOutcome(pending, job);
      if (outcome !== undefined) widening.over = true;
      return toVerdict(outcome, pending);
    },
  };
}

function toVerdict(outcome: SignInOutcome | undefined, pending: PendingSignIn): Verdict {
  if (outcome === undefined) return failures.signInNeeded(pending.url);
  return outcome.kind === "done" ? "again" : failures.signInFailed(outcome.message);
}
