import { toRecord } from "../../common/json.js";
import type { PendingSignIn } from "../../sign-in/sign-in.js";
import type { Call } from "../requests/exchange.js";
import { otherComputerHint, toBridgeError } from "../requests/failures.js";
import { toResultText } from "../requests/message.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import { signInTool, type ToolCatalog } from "../upstream/tool-catalog.js";
import type { PendingSignIns } from "./pending-sign-ins.js";

type Deps = ProxyContext & { signIns: PendingSignIns };

const done = "You are signed in. The tools of the server can be used now.";

/** Our own tool, unless the server has one of that name itself. */
export function isSignInToolCall({ method, params }: Call, tools: ToolCatalog): boolean {
  if (method !== "tools/call") return false;
  return toRecord(params)["name"] === signInTool.name && !tools.isListed(signInTool.name);
}

/** Begins a sign-in. Waits for it where a browser is open, else hands the address over at once. */
export async function callSignInTool(call: Call, deps: Deps): Promise<void> {
  const { exchange } = call;
  const { text, isError } = await signIn(call, deps).catch((error: unknown) => ({
    text: toBridgeError(error, deps.log).message,
    isError: true,
  }));
  const result = {
    ...(exchange.modern !== undefined && { resultType: "complete" }),
    content: [{ type: "text", text }],
    ...(isError && { isError }),
  };
  deps.exchanges.answer(call, toResultText(call.id, result), { id: call.id, result });
  deps.exchanges.end(exchange);
}

async function signIn(
  { exchange }: Call,
  { signIns, tokens }: Deps,
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
  const outcome = await signIns.awaitOutcome(pending, exchange);
  if (outcome === undefined) return { text: toInvitation(pending), isError: false };
  return outcome.kind === "done"
    ? { text: done, isError: false }
    : { text: `Signing in did not work: ${outcome.message}`, isError: true };
}

function toInvitation({ url, browser }: PendingSignIn): string {
  return (
    `Ask the person to open this address in their browser and to sign in there: ${url}\n` +
    (browser === "printed" ? `${otherComputerHint}\n` : "") +
    "The tools of the server appear when that is done."
  );
}
