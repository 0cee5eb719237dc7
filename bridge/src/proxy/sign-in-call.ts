import type { Log } from "../log.js";
import type { TokenKeeper } from "../tokens/token-keeper.js";
import type { PendingSignIn } from "../sign-in/sign-in.js";
import { elsewhere } from "./failures.js";
import type { Call } from "./job.js";
import type { Jobs } from "./jobs.js";
import { toResultText } from "./message.js";
import type { SignIns } from "./sign-ins.js";
import { signInTool, type ToolBook } from "./tools.js";
import { toBridgeError } from "./unexpected.js";

export interface SignInCallParts {
  log: Log;
  jobs: Jobs;
  signIns: SignIns;
  tokens: TokenKeeper;
}

const done = "You are signed in. The tools of the server can be used now.";

/** Our own tool, unless the server has one of that name itself. */
export function isSignInCall({ method, params }: Call, tools: ToolBook): boolean {
  if (method !== "tools/call") return false;
  const { name } = (params ?? {}) as { name?: unknown };
  return name === signInTool.name && !tools.isListed(signInTool.name);
}

/** Begins a sign-in. Waits for it where a browser is open, else hands the address over at once. */
export async function answerSignInCall(call: Call, parts: SignInCallParts): Promise<void> {
  const { job } = call;
  const { text, isError } = await signIn(call, parts).catch((error: unknown) => ({
    text: toBridgeError(error, parts.log).message,
    isError: true,
  }));
  const result = {
    ...(job.modern !== undefined && { resultType: "complete" }),
    content: [{ type: "text", text }],
    ...(isError && { isError }),
  };
  parts.jobs.answer(call, toResultText(call.id, result), { id: call.id, result });
  parts.jobs.end(job);
}

async function signIn(
  { job }: Call,
  { signIns, tokens }: SignInCallParts,
): Promise<{ text: string; isError: boolean }> {
  if ((await tokens.get()) !== undefined) return { text: done, isError: false };
  const wasPending = signIns.isPending();
  const pending = await signIns.join({ cause: "person" });
  if (pending === undefined) {
    return { text: "Run `fettle-bridge login` in a terminal to sign in.", isError: true };
  }
  const { browser } = pending;
  // Who asks again may have closed the window.
  if (browser === "printed" || wasPending) {
    return { text: toInvitation(pending), isError: false };
  }
  const outcome = await signIns.awaitOutcome(pending, job);
  if (outcome === undefined) return { text: toInvitation(pending), isError: false };
  return outcome.kind === "done"
    ? { text: done, isError: false }
    : { text: `Signing in did not work: ${outcome.message}`, isError: true };
}

function toInvitation({ url, browser }: PendingSignIn): string {
  return (
    `Ask the person to open this address in their browser and to sign in there: ${url}\n` +
    (browser === "printed" ? `${elsewhere}\n` : "") +
    "The tools of the server appear when that is done."
  );
}
