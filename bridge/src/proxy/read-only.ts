import { isRecord, toRecord } from "../common/json.js";
import { addCall, createExchange, type Exchange, isFinished } from "./requests/exchange.js";
import { type Failure, failures, findDetail } from "./requests/failures.js";
import { isId, type Message, toolOf } from "./requests/message.js";
import type { OpenExchanges } from "./requests/open-exchanges.js";
import type { SendExchange } from "./send.js";
import type { ToolCatalog } from "./upstream/tool-catalog.js";

export interface ReadOnlyDeps {
  exchanges: OpenExchanges;
  tools: ToolCatalog;
  send: SendExchange;
}

/** A call that nobody can be given a refusal of. */
export function isSilentCall(message: unknown): boolean {
  const { id, method } = toRecord(message);
  return method === "tools/call" && !isId(id);
}

/** A server that goes on giving cursors for ever ends here. */
const maxPages = 100;
let asked = 0;

/** Refuses an exchange that would call a tool which does not say that it only reads. */
export async function rejectWritingCalls(
  exchange: Exchange,
  deps: ReadOnlyDeps,
): Promise<Failure | undefined> {
  for (const { method, params } of exchange.calls) {
    if (method !== "tools/call") continue;
    const name = toolOf(params);
    if (deps.tools.isReadOnly(name) === undefined) {
      const failure = await fetchTools(exchange, deps);
      if (failure !== undefined) return failure;
    }
    if (deps.tools.isReadOnly(name) !== true) return failures.readOnly(name);
  }
  return undefined;
}

/** Lists all tools in the name of the exchange: in its era, and within its time. */
async function fetchTools(exchange: Exchange, deps: ReadOnlyDeps): Promise<Failure | undefined> {
  let cursor: unknown;
  for (let page = 0; page < maxPages && !isFinished(exchange); page += 1) {
    const answer = await fetchPage(exchange, cursor, deps);
    if (!isRecord(answer.result)) return failures.declined(findDetail(answer));
    deps.tools.add(answer.result);
    cursor = answer.result["nextCursor"];
    if (typeof cursor !== "string") return undefined;
  }
  return undefined;
}

function fetchPage(exchange: Exchange, cursor: unknown, deps: ReadOnlyDeps): Promise<Message> {
  const message = {
    jsonrpc: "2.0",
    id: `fettle-bridge/${exchange.requestId}/${++asked}`,
    method: "tools/list",
    params: {
      ...(exchange.modern !== undefined && { _meta: toRecord(exchange.message.params)["_meta"] }),
      ...(cursor !== undefined && { cursor }),
    },
  };
  const own = createExchange(JSON.stringify(message), message, 0);
  own.deadline = exchange.deadline;
  own.abort = exchange.abort;
  return new Promise((resolve) => {
    addCall(own, message, (_raw, answer) => {
      resolve(answer);
    });
    deps.exchanges.start(own);
    void deps.send(own).then(() => {
      resolve({});
    });
  });
}
