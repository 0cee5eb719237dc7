import { toRecord } from "../../common/json.js";
import type { PendingSignIn } from "../../sign-in/sign-in.js";
import type { Call } from "../requests/exchange.js";
import { otherComputerHint } from "../requests/failures.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import type { Session } from "../session/session.js";
import type { PendingSignIns } from "./pending-sign-ins.js";

/** What one of our own tools answers. */
export interface ToolAnswer {
  text: string;
  isError: boolean;
}

export interface SignInToolDeps extends Pick<ProxyContext, "tokens"> {
  signIns: PendingSignIns;
  session: Pick<Session, "needsOpening" | "open" | "answer">;
}

/** Begins a sign-in. Waits for it where a browser is open, else hands the address over at once. */
export async function callSignInTool(
  { exchange }: Call,
  { signIns, tokens, session }: SignInToolDeps,
): Promise<ToolAnswer> {
  if ((await tokens.get()) !== undefined) return welcome(session);
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
  const outcome = await signIns.awaitOutcome(pending, exchange);
  if (outcome === undefined) return { text: toInvitation(pending), isError: false };
  return outcome.kind === "done"
    ? welcome(session)
    : { text: `Signing in did not work: ${outcome.message}`, isError: true };
}

/** With the instructions that the host would have got, had somebody been signed in at its start. */
async function welcome(session: SignInToolDeps["session"]): Promise<ToolAnswer> {
  if (session.needsOpening()) await session.open();
  const { instructions } = toRecord(session.answer()?.message.result);
  const told = typeof instructions === "string" ? `\n\nIts instructions:\n${instructions}` : "";
  const text = `You are signed in. The tools of the server can be used now.${told}`;
  return { text, isError: false };
}

function toInvitation({ url, browser }: PendingSignIn): string {
  return (
    `Ask the person to open this address in their browser and to sign in there: ${url}\n` +
    (browser === "printed" ? `${otherComputerHint}\n` : "") +
    "The tools of the server appear when that is done."
  );
}
