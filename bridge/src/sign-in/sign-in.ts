import { createDeferred } from "../common/deferred.js";
import { BridgeError } from "../common/errors.js";
import type { Context } from "../context/context.js";
import type { ChannelEnd, Message } from "../ipc/channel-end.js";
import { connectHelper } from "../ipc/helper-connection.js";
import { readState } from "../profile/state.js";
import { chooseBackend } from "../storage/open-store.js";
import type { SignInCause, SignInEvent, SignInMessage, SignInOutcome } from "./helper-messages.js";
import { includesScopes, mayPrompt } from "./prompt-policy.js";
import { type HelperProgram, startHelper } from "./start-helper.js";

export type { SignInOutcome };

/** A sign-in that a person can complete in a browser, shared by all bridges of the profile. */
export interface PendingSignIn {
  /** The address that leads there; empty when somebody else completed it already. */
  url: string;
  /** "printed": no browser could be opened, so the person has to be shown the address. */
  browser: "opened" | "printed";
  outcome: Promise<SignInOutcome>;
  leave: () => void;
}

export interface SignInRequest {
  cause: SignInCause;
  /** Scopes a refused call needs, on top of what was granted (step-up, RFC 6750 §3.1). */
  additionalScope?: string;
}

/** Undefined when the cause does not allow a window now. Throws BridgeError when it cannot begin. */
export type RequestSignIn = (request: SignInRequest) => Promise<PendingSignIn | undefined>;

/** How often to look for another helper when the one we met was just about to end. */
const attempts = 3;

export function createSignIn(context: Context, program: HelperProgram = {}): RequestSignIn {
  const { profile, settings } = context;
  return async ({ cause, additionalScope }) => {
    // The person settled the scopes, so asking again could not bring others.
    if (settings.scope !== undefined && !includesScopes(additionalScope, settings.scope))
      return undefined;
    const { generation } = await readState(profile);
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      let helper = await connectHelper(profile);
      if (helper === undefined) {
        const state = await readState(profile);
        if (!mayPrompt(cause, state)) return undefined;
        // Says where the tokens will be, which nobody would hear from the helper; and a locked
        // keychain ends it before anybody is asked.
        await chooseBackend(context, state, { mayUnlock: cause === "person" });
        helper = await startHelper(context, program);
      }
      const request = { op: "sign-in", cause, additionalScope, generation } as const;
      const answer = await follow(helper, request);
      if (answer !== "gone") return answer;
    }
    throw new BridgeError("sign_in_failed", "The sign-in was interrupted. Try again.");
  };
}

/** Resolves when the person is asked, or as soon as it is clear that nobody will be. */
function follow(
  helper: ChannelEnd,
  request: SignInMessage,
): Promise<PendingSignIn | undefined | "gone"> {
  return new Promise((resolve, reject) => {
    const { promise: outcome, resolve: conclude } = createDeferred<SignInOutcome>();
    const resolvePending = (url: string, browser: PendingSignIn["browser"]) => {
      resolve({ url, browser, outcome, leave: helper.close });
    };
    helper.onMessage((message: Message) => {
      const event = message as SignInEvent;
      if (event.event === "waiting") {
        resolvePending(event.url, event.browser);
        return;
      }
      helper.close();
      if (event.event === "none") {
        resolve(undefined);
      } else {
        if (event.outcome.kind === "done") resolvePending("", "opened");
        else reject(new BridgeError(event.code ?? "sign_in_failed", event.outcome.message));
        conclude(event.outcome);
      }
    });
    void helper.closed.then(() => {
      resolve("gone");
      conclude({ kind: "failed", message: "The sign-in was interrupted. Try again." });
    });
    helper.send(request);
  });
}
