import { BridgeError } from "../../common/errors.js";
import { isRecord, isTooComplex, parseJson, toRecord } from "../../common/json.js";
import type { PendingSignIn } from "../../sign-in/sign-in.js";
import { pause, type ProxyContext } from "../context.js";
import {
  type Call,
  Exchange,
  isId,
  type Message,
  type Request,
  toErrorText,
  toolOf,
  toResultText,
} from "../exchange.js";
import {
  type Failure,
  failures,
  findDetail,
  otherComputerHint,
  toBridgeError,
} from "../failures.js";
import type { FallbackResponses } from "../local/fallbacks.js";
import type { SendExchange } from "../server/send.js";
import type { Session } from "../server/session.js";
import type { SignIns } from "../server/sign-ins.js";
import { toOversizeAnswer } from "./stdio.js";
import { connectionProblemTool, signInTool } from "../local/tool-catalog.js";

interface ToolAnswer {
  text: string;
  isError?: true;
}

type OwnTool = (call: Call, deps: RouterDeps) => Promise<ToolAnswer>;

/** Starts a sign-in. Waits for it if a browser is open, otherwise returns the address at once. */
const callSignInTool: OwnTool = async ({ exchange }, { signIns, tokens, session }) => {
  if ((await tokens.get()) !== undefined) return welcome(session);
  const wasPending = signIns.isPending();
  const pending = await signIns.join({ cause: "person" });
  if (pending === undefined) {
    return { text: "Run `fettle-bridge login` in a terminal to sign in.", isError: true };
  }
  // A repeated request may mean that the person closed the window.
  const canWait = pending.browser === "opened" && !wasPending;
  const outcome = canWait ? await signIns.awaitOutcome(pending, exchange) : undefined;
  if (outcome === undefined) return { text: toInvitation(pending) };
  return outcome.kind === "done"
    ? welcome(session)
    : { text: `Signing in did not work: ${outcome.message}`, isError: true };
};

/** Includes the instructions that the host would have received if it had started signed in. */
async function welcome(session: Session): Promise<ToolAnswer> {
  if (session.needsOpening()) await session.open();
  const { instructions } = toRecord(session.answer?.message.result);
  const told = typeof instructions === "string" ? `\n\nIts instructions:\n${instructions}` : "";
  return { text: `You are signed in. The tools of the server can be used now.${told}` };
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
    problem.current = undefined;
  }
  return problem.current === undefined
    ? { text: "The server can be reached again. Its tools are listed now." }
    : { text: problem.current.message, isError: true };
};

const ownTools = new Map<string, OwnTool>([
  [signInTool.name, callSignInTool],
  [connectionProblemTool.name, explainProblem],
]);

/** Calls one of our tools. Returns false if the server has a tool with this name. */
function callOwnTool(call: Call, deps: RouterDeps): boolean {
  const name = toolOf(call.params);
  const tool = call.method === "tools/call" ? ownTools.get(name) : undefined;
  if (tool === undefined || deps.tools.isListed(name)) return false;
  void answer(tool, call, deps);
  return true;
}

async function answer(tool: OwnTool, call: Call, deps: RouterDeps): Promise<void> {
  const { exchange, id } = call;
  const { text, isError } = await tool(call, deps)
    .catch(async (error: unknown) => {
      if (!(error instanceof BridgeError && error.code === "keychain_locked")) throw error;
      await deps.tokens.unlock();
      return tool(call, deps);
    })
    .catch((error: unknown): ToolAnswer => {
      return { text: toBridgeError(error, deps.log).message, isError: true };
    });
  const result = {
    ...(exchange.modern !== undefined && { resultType: "complete" }),
    content: [{ type: "text", text }],
    ...(isError && { isError }),
  };
  deps.exchanges.answer(call, toResultText(id, result), { id, result });
  deps.exchanges.end(exchange);
}

/** Ends an infinite loop of cursors. */
const maxPages = 100;
let asked = 0;

interface RouterDeps extends ProxyContext {
  signIns: SignIns;
  fallbacks: FallbackResponses;
  session: Session;
  send: SendExchange;
}

export class Router {
  readonly #deps: RouterDeps;
  #notified = Promise.resolve();

  constructor(deps: RouterDeps) {
    this.#deps = deps;
  }

  readonly receive = (line: Buffer): void => {
    const text = line.toString("utf8");
    const message = parseJson(text);
    if (message === undefined) this.#refuseText(line, text);
    else if (Array.isArray(message)) this.#handleBatch(line, message);
    else if (isRequest(message)) this.#handleRequest(line, message);
    else if (isRecord(message)) this.#handleUnanswered(line, message);
    else this.#refuseShape();
  };

  #refuse(id: Message["id"], message: string): void {
    this.#deps.output.write(toErrorText(isId(id) ? id : null, { code: -32600, message }));
  }

  #refuseShape(): void {
    this.#refuse(null, "This is no JSON-RPC message.");
  }

  #refuseText(line: Buffer, text: string): void {
    const answer = isTooComplex(text)
      ? toOversizeAnswer(line)
      : toErrorText(null, { code: -32700, message: "This line is no JSON." });
    if (answer !== undefined) this.#deps.output.write(answer);
  }

  #toExchange(line: Buffer, message: Message): Exchange {
    return new Exchange(line, message, this.#deps.settings.timeoutMs);
  }

  #start(line: Buffer, message: Message): Exchange {
    const exchange = this.#toExchange(line, message);
    this.#deps.exchanges.start(exchange);
    return exchange;
  }

  #handleRequest(line: Buffer, message: Request): void {
    const { exchanges, session, fallbacks, timeouts } = this.#deps;
    const exchange = this.#toExchange(line, message);
    const { method } = exchange.message;
    const onResponse = fallbacks.handlerOf(String(method));
    const call = exchange.addCall(message, onResponse ?? exchanges.toHost);
    if (!exchanges.start(exchange)) {
      this.#refuse(message.id, "Another request with this id is not answered yet.");
      return;
    }
    if (callOwnTool(call, this.#deps)) return;
    if (exchange.isInitialize()) session.begin(line, message);
    if (method === "subscriptions/listen") exchange.deadline = exchange.arrivedAt + timeouts.listMs;
    if (onResponse !== undefined) fallbacks.schedule(call);
    void this.#begin(exchange);
  }

  #handleBatch(line: Buffer, messages: readonly unknown[]): void {
    const { settings, exchanges, fallbacks } = this.#deps;
    if (!messages.some(isMessage)) {
      this.#refuseShape();
      return;
    }
    const exchange = this.#toExchange(line, {});
    for (const message of messages.filter(isRequest)) {
      exchange.addCall(message, fallbacks.handlerOf(String(message.method)) ?? exchanges.toHost);
    }
    if (!exchanges.start(exchange)) {
      this.#refuse(null, "A request of this batch has an id that is in use.");
      return;
    }
    const silent = settings.readOnly ? messages.find(isSilentCall) : undefined;
    if (silent === undefined) void this.#begin(exchange);
    else {
      exchanges.fail(exchange, failures.readOnly(toolOf(toRecord(silent)["params"])));
      exchanges.end(exchange);
    }
  }

  #handleUnanswered(line: Buffer, message: Message): void {
    const { settings, log, session, send } = this.#deps;
    const { id, method } = message;
    if (typeof method !== "string") {
      if (isId(id) && method === undefined) void send(this.#start(line, message));
      else this.#refuseShape();
    } else if (id !== undefined) this.#refuseShape();
    else if (settings.readOnly && isSilentCall(message)) {
      log.info("A call without an id was refused.");
    } else if (method === "notifications/initialized") session.confirm(line);
    else if (method === "notifications/cancelled") this.#cancel(line, message);
    else this.#notify(this.#start(line, message));
  }

  /** In the host's order, although connections may differ. */
  #notify(exchange: Exchange): void {
    const { send, timeouts } = this.#deps;
    this.#notified = this.#notified.then(() => {
      const ended = new AbortController();
      void send(exchange).finally(() => {
        ended.abort();
      });
      return pause(timeouts.notificationOrderMs, ended.signal);
    });
  }

  /** With a session, sends the cancellation before it closes the request. */
  #cancel(line: Buffer, message: Message): void {
    const { exchanges, send } = this.#deps;
    const call = exchanges.find(toRecord(message.params)["requestId"]);
    if (call === undefined || call.method === "initialize") return;
    const { exchange } = call;
    exchanges.drop(call);
    const end = () => {
      if (exchange.isFinished()) exchange.abort.abort();
    };
    const isTold = exchange.inFlight && exchange.modern === undefined;
    if (isTold) void send(this.#start(line, message)).then(end);
    else end();
  }

  async #begin(exchange: Exchange): Promise<void> {
    const { settings, exchanges, send } = this.#deps;
    const failure = settings.readOnly ? await this.#rejectWritingCalls(exchange) : undefined;
    if (failure !== undefined) exchanges.fail(exchange, failure);
    if (exchange.isFinished()) exchanges.end(exchange);
    else await send(exchange);
  }

  async #rejectWritingCalls(exchange: Exchange): Promise<Failure | undefined> {
    const { tools } = this.#deps;
    for (const { method, params } of exchange.calls) {
      if (method !== "tools/call") continue;
      const name = toolOf(params);
      if (tools.isReadOnly(name) === undefined) {
        const failure = await this.#fetchTools(exchange);
        if (failure !== undefined) return failure;
      }
      if (tools.isReadOnly(name) !== true) return failures.readOnly(name);
    }
    return undefined;
  }

  async #fetchTools(exchange: Exchange): Promise<Failure | undefined> {
    let cursor: unknown;
    for (let page = 0; page < maxPages && !exchange.isFinished(); page += 1) {
      const answer = await this.#fetchPage(exchange, cursor);
      if (!isRecord(answer.result)) return failures.declined(findDetail(answer));
      this.#deps.tools.add(answer.result);
      cursor = answer.result["nextCursor"];
      if (typeof cursor !== "string") return undefined;
    }
    return undefined;
  }

  #fetchPage(exchange: Exchange, cursor: unknown): Promise<Message> {
    const { exchanges, send } = this.#deps;
    const message = {
      jsonrpc: "2.0",
      id: `fettle-bridge/${exchange.requestId}/${++asked}`,
      method: "tools/list",
      params: {
        ...(exchange.modern !== undefined && { _meta: toRecord(exchange.message.params)["_meta"] }),
        ...(cursor !== undefined && { cursor }),
      },
    };
    const own = new Exchange(JSON.stringify(message), message, 0);
    own.deadline = exchange.deadline;
    own.abort = exchange.abort;
    return new Promise((resolve) => {
      own.addCall(message, (_raw, answer) => {
        resolve(answer);
      });
      exchanges.start(own);
      void send(own).then(() => {
        resolve({});
      });
    });
  }
}

/** A tool call without an id can't get an error. */
function isSilentCall(message: unknown): boolean {
  const { id, method } = toRecord(message);
  return method === "tools/call" && !isId(id);
}

/** Checks the minimum: a method or an id. */
function isMessage(message: unknown): boolean {
  const { id, method } = toRecord(message);
  return typeof method === "string" || isId(id);
}

function isRequest(message: unknown): message is Request {
  return isRecord(message) && isId(message["id"]) && typeof message["method"] === "string";
}
