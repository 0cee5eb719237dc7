import { isRecord, isTooComplex, parseJson, toRecord } from "../common/json.js";
import { type ConnectionProblem, pause, type ProxyContext } from "./context.js";
import {
  addCall,
  createExchange,
  type Exchange,
  isFinished,
  isId,
  type Message,
  type RpcId,
  toolOf,
} from "./exchange.js";
import { type Failure, failures, findDetail, toProtocolErrorText } from "./failures.js";
import type { FallbackResponses } from "./fallbacks.js";
import { scanWhole, toOversizeAnswer } from "./lines.js";
import type { OpenExchanges } from "./open-exchanges.js";
import { callOwnTool } from "./own-tools.js";
import type { SendExchange } from "./send.js";
import type { Session } from "./session.js";
import type { PendingSignIns } from "./sign-ins.js";
import type { ToolCatalog } from "./tool-catalog.js";

interface ReadOnlyDeps {
  exchanges: OpenExchanges;
  tools: ToolCatalog;
  send: SendExchange;
}

/** A call that nobody can be given a refusal of. */
function isSilentCall(message: unknown): boolean {
  const { id, method } = toRecord(message);
  return method === "tools/call" && !isId(id);
}

/** A server that goes on giving cursors for ever ends here. */
const maxPages = 100;
let asked = 0;

/** Refuses an exchange that would call a tool which does not say that it only reads. */
async function rejectWritingCalls(
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

interface RouterDeps extends ProxyContext {
  signIns: PendingSignIns;
  tools: ToolCatalog;
  problem: ConnectionProblem;
  fallbacks: FallbackResponses;
  session: Session;
  send: SendExchange;
}

type Request = Message & { id: RpcId; method: string };

/** Takes the host's messages and sends each on its way. */
export function createRouter(deps: RouterDeps): (line: Buffer) => void {
  const { settings, log, session, exchanges, send, timeouts } = deps;
  let notified = Promise.resolve();

  const refuse = (id: RpcId | null, message: string) => {
    deps.output.write(toProtocolErrorText(id, -32600, message));
  };
  const refuseShape = () => {
    refuse(null, "This is no JSON-RPC message.");
  };
  const toExchange = (line: Buffer, message: Message) =>
    createExchange(line, message, settings.timeoutMs);
  const start = (line: Buffer, message: Message) => {
    const exchange = toExchange(line, message);
    exchanges.start(exchange);
    return exchange;
  };
  const handleNotification = (line: Buffer, message: Message) => {
    if (settings.readOnly && isSilentCall(message)) log.info("A call without an id was refused.");
    else if (message.method === "notifications/initialized") session.confirm(line);
    else if (message.method === "notifications/cancelled") {
      cancel(message, deps, () => send(start(line, message)));
    } else {
      // In the host's order, though each may have a connection of its own.
      const before = notified;
      const exchange = start(line, message);
      notified = before.then(() => {
        const ended = new AbortController();
        void send(exchange).finally(() => {
          ended.abort();
        });
        return pause(timeouts.notificationOrderMs, ended.signal);
      });
    }
  };
  const handleMessage = (line: Buffer, message: Message) => {
    if (isRequest(message)) {
      const isNew = handleRequest(toExchange(line, message), message, deps);
      if (!isNew) refuse(message.id, "Another request with this id is not answered yet.");
    } else if (typeof message.method === "string") {
      if (message.id === undefined) handleNotification(line, message);
      else refuseShape();
    } else if (isId(message.id) && message.method === undefined) void send(start(line, message));
    else refuseShape();
  };
  return (line) => {
    const text = line.toString("utf8");
    const message = parseJson(text);
    if (message === undefined) refuseText(line, text, deps);
    else if (Array.isArray(message)) {
      if (!message.some(isMessage)) refuseShape();
      else if (!handleBatch(toExchange(line, {}), message, deps))
        refuse(null, "A request of this batch has an id that is in use.");
    } else if (isRecord(message)) handleMessage(line, message);
    else refuseShape();
  };
}

function refuseText(line: Buffer, text: string, { output }: RouterDeps): void {
  const answer = isTooComplex(text)
    ? toOversizeAnswer(scanWhole(line))
    : toProtocolErrorText(null, -32700, "This line is no JSON.");
  if (answer !== undefined) output.write(answer);
}

/** False when the host still waits for an answer under this id. */
function handleRequest(exchange: Exchange, message: Request, deps: RouterDeps): boolean {
  const { exchanges, session, fallbacks, timeouts } = deps;
  const { method } = message;
  const onResponse = fallbacks.responseHandlers.get(method);
  const call = addCall(exchange, message, onResponse ?? exchanges.toHost);
  if (!exchanges.start(exchange)) return false;
  if (callOwnTool(call, deps)) return true;
  if (method === "initialize" && exchange.modern === undefined)
    session.begin(exchange.body, message);
  if (method === "subscriptions/listen") exchange.deadline = exchange.arrivedAt + timeouts.listMs;
  if (onResponse !== undefined) fallbacks.schedule(call);
  void begin(exchange, deps);
  return true;
}

function handleBatch(exchange: Exchange, messages: readonly unknown[], deps: RouterDeps): boolean {
  const { settings, exchanges, fallbacks } = deps;
  for (const message of messages.filter(isRequest)) {
    // Only a list that is to be shortened is worth tearing the batch of answers apart.
    const isFiltered = settings.readOnly && message.method === "tools/list";
    const onResponse = isFiltered ? fallbacks.responseHandlers.get(message.method) : undefined;
    addCall(exchange, message, onResponse ?? exchanges.toHost);
  }
  if (!exchanges.start(exchange)) return false;
  const silent = settings.readOnly ? messages.find(isSilentCall) : undefined;
  if (silent !== undefined) {
    exchanges.fail(exchange, failures.readOnly(toolOf(toRecord(silent)["params"])));
    exchanges.end(exchange);
  } else void begin(exchange, deps);
  return true;
}

async function begin(exchange: Exchange, deps: RouterDeps): Promise<void> {
  const { settings, exchanges, send } = deps;
  const failure = settings.readOnly ? await rejectWritingCalls(exchange, deps) : undefined;
  if (failure !== undefined) exchanges.fail(exchange, failure);
  if (isFinished(exchange)) exchanges.end(exchange);
  else await send(exchange);
}

/** In a conversation the server is told first and then not listened to any more. */
function cancel(message: Message, { exchanges }: RouterDeps, tell: () => Promise<void>): void {
  const call = exchanges.find(toRecord(message.params)["requestId"]);
  if (call === undefined || call.method === "initialize") return;
  const { exchange } = call;
  exchanges.drop(call);
  const end = () => {
    if (isFinished(exchange)) exchange.abort.abort();
  };
  if (exchange.inFlight && exchange.modern === undefined) void tell().then(end);
  else end();
}

/** As far as anything could become of it. */
function isMessage(message: unknown): boolean {
  const { id, method } = toRecord(message);
  return typeof method === "string" || isId(id);
}

function isRequest(message: unknown): message is Request {
  return isRecord(message) && isId(message["id"]) && typeof message["method"] === "string";
}
