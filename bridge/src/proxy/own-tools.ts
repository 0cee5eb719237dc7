import { BridgeError } from "../common/errors.js";
import { toRecord } from "../common/json.js";
import type { PendingSignIn } from "../sign-in/sign-in.js";
import type { ProxyContext } from "./context.js";
import { type Call, toolOf, toResultText } from "./exchange.js";
import { otherComputerHint, toBridgeError } from "./failures.js";
import type { Session } from "./session.js";
import type { SignIns } from "./sign-ins.js";
import { connectionProblemTool, signInTool } from "./tool-catalog.js";

/** What one of our own tools answers. */
interface ToolAnswer {
  text: string;
  isError: boolean;
}

interface OwnToolDeps extends ProxyContext {
  signIns: SignIns;
  session: Session;
}

type OwnTool = (call: Call, deps: OwnToolDeps) => Promise<ToolAnswer>;

/** Begins a sign-in. Waits for it where a browser is open, else hands the address over at once. */
const callSignInTool: OwnTool = async ({ exchange }, { signIns, tokens, session }) => {
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
};

/** With the instructions that the host would have got, had somebody been signed in at its start. */
async function welcome(session: Session): Promise<ToolAnswer> {
  if (session.needsOpening()) await session.open();
  const { instructions } = toRecord(session.answer?.message.result);
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

const explainProblem: OwnTool = async (_call, { problem, tokens }) => {
  if (problem.current?.code === "keychain_locked") {
    await tokens.get();
    problem.clear();
  }
  return problem.current === undefined
    ? { text: "The server can be reached again. Its tools are listed now.", isError: false }
    : { text: problem.current.message, isError: true };
};

const ownTools = new Map<string, OwnTool>([
  [signInTool.name, callSignInTool],
  [connectionProblemTool.name, explainProblem],
]);

/** Answers a call of a tool of ours, unless the server has one of that name itself: then false. */
export function callOwnTool(call: Call, deps: OwnToolDeps): boolean {
  const name = toolOf(call.params);
  const tool = call.method === "tools/call" ? ownTools.get(name) : undefined;
  if (tool === undefined || deps.tools.isListed(name)) return false;
  void answer(tool, call, deps);
  return true;
}

function isLocked(error: unknown): boolean {
  return error instanceof BridgeError && error.code === "keychain_locked";
}

async function answer(tool: OwnTool, call: Call, deps: OwnToolDeps): Promise<void> {
  const { exchange, id } = call;
  const { text, isError } = await tool(call, deps)
    .catch(async (error: unknown) => {
      if (!isLocked(error)) throw error;
      await deps.tokens.unlock();
      return tool(call, deps);
    })
    .catch((error: unknown) => ({ text: toBridgeError(error, deps.log).message, isError: true }));
  const result = {
    ...(exchange.modern !== undefined && { resultType: "complete" }),
    content: [{ type: "text", text }],
    ...(isError && { isError }),
  };
  deps.exchanges.answer(call, toResultText(id, result), { id, result });
  deps.exchanges.end(exchange);
}
