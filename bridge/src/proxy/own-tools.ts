import { BridgeError } from "../common/errors.js";
import {
  callSignInTool,
  type SignInToolDeps,
  type ToolAnswer,
} from "./authorization/sign-in-tool.js";
import type { ConnectionProblem } from "./connection-problem.js";
import type { Call } from "./requests/exchange.js";
import { toBridgeError } from "./requests/failures.js";
import { toolOf, toResultText } from "./requests/message.js";
import type { ProxyContext } from "./requests/proxy-context.js";
import { connectionProblemTool, signInTool, type ToolCatalog } from "./upstream/tool-catalog.js";

export type OwnToolDeps = ProxyContext &
  SignInToolDeps & { tools: ToolCatalog; problem: ConnectionProblem };

type OwnTool = (call: Call, deps: OwnToolDeps) => Promise<ToolAnswer>;

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

async function explainProblem(_call: Call, { problem, tokens }: OwnToolDeps): Promise<ToolAnswer> {
  if (problem.current()?.code === "keychain_locked") {
    await tokens.get();
    problem.clear();
  }
  const found = problem.current();
  return found === undefined
    ? { text: "The server can be reached again. Its tools are listed now.", isError: false }
    : { text: found.message, isError: true };
}
