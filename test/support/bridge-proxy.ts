import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../bridge/src/common/log.js";
import type { Settings } from "../../bridge/src/common/settings.js";
import { createHttpClient } from "../../bridge/src/http/http-client.js";
import { createProxy, type Proxy, type ProxyDeps } from "../../bridge/src/proxy/proxy.js";
import { StartupCache } from "../../bridge/src/proxy/local/startup-cache.js";
import { ToolCatalog } from "../../bridge/src/proxy/local/tool-catalog.js";
import type { SignInOutcome } from "../../bridge/src/sign-in/flow.js";
import type { PendingSignIn } from "../../bridge/src/sign-in/sign-in.js";
import type { AccessToken } from "../../bridge/src/tokens/rotation.js";
import { noTokens, type TokenManager } from "../../bridge/src/tokens/token-manager.js";
import { testSettings } from "./bridge-context.js";
import type { Message } from "./bridge-upstream.js";

export interface ProxyStart {
  settings?: Partial<Settings>;
  timeouts?: ProxyDeps["timeouts"];
  maxAnswerBytes?: number;
  tokens?: TokenManager;
  requestSignIn?: ProxyDeps["requestSignIn"];
  /** If set, it is retained with the cached responses. */
  home?: string;
}

/** The proxy in this process, and a host that exchanges frames with it. */
export interface RunningProxy {
  proxy: Proxy;
  startupCache: StartupCache;
  /** Lines on stdout so far, as text, as written, and parsed. */
  lines: string[];
  written: (string | Buffer)[];
  frames: Message[];
  /** Messages that a person would see on stderr. */
  logged: string[];
  send: (frame: object | string) => void;
  request: (method: string, params?: object, id?: string | number) => Promise<Message>;
  call: (tool: string, args?: object, id?: string | number) => Promise<Message>;
  notify: (method: string, params?: object) => void;
  /** Resolves with the first matching frame, past or future. */
  frame: (fits: (frame: Message) => boolean) => Promise<Message>;
  /** Sends `initialize` and, after the response, `notifications/initialized`. */
  initialize: (params?: object) => Promise<Message>;
  stop: () => Promise<void>;
}

export const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A token manager controlled by the test. A refused token is replaced by the next of `newer`. */
export function tokensFrom(state: { token: string | undefined; newer?: string[] }): TokenManager {
  const toToken = (value: string | undefined): AccessToken | undefined =>
    value === undefined ? undefined : { value, generation: 1, expiresAt: Infinity };
  return {
    ...noTokens,
    get: async () => toToken(state.token),
    replace: async (refused) => {
      if (state.token === refused.value) state.token = state.newer?.shift();
      return toToken(state.token);
    },
  };
}

/** A sign-in that the test completes. */
export function pendingSignIn(browser: PendingSignIn["browser"] = "opened"): {
  pending: PendingSignIn;
  complete: (outcome: SignInOutcome) => void;
} {
  let complete: (outcome: SignInOutcome) => void = () => undefined;
  const outcome = new Promise<SignInOutcome>((resolve) => (complete = resolve));
  const pending = { url: "http://sign-in.example/start", browser, outcome, leave: () => undefined };
  return { pending, complete };
}

export function startProxy(url: string, start: ProxyStart = {}): RunningProxy {
  const home = start.home ?? mkdtempSync(join(tmpdir(), "fettle-bridge-proxy-"));
  const settings = testSettings({
    server: url,
    home,
    timeoutMs: 10_000,
    logLevel: "silent",
    ...start.settings,
  });
  const http = createHttpClient(settings);
  const startupCache = new StartupCache({ folder: home });
  const lines: string[] = [];
  const written: (string | Buffer)[] = [];
  const frames: Message[] = [];
  const logged: string[] = [];
  const watchers = new Set<(frame: Message) => void>();
  const proxy = createProxy({
    ...{ settings, http, startupCache },
    log: createLog("error", (line) => logged.push(line)),
    tokens: start.tokens ?? noTokens,
    requestSignIn: start.requestSignIn ?? (async () => undefined),
    tools: new ToolCatalog(settings),
    ...(start.timeouts && { timeouts: start.timeouts }),
    ...(start.maxAnswerBytes !== undefined && { maxAnswerBytes: start.maxAnswerBytes }),
    output: {
      write: (frame) => {
        const line = frame.toString();
        lines.push(line);
        written.push(frame);
        frames.push(JSON.parse(line) as Message);
        for (const watch of [...watchers]) watch(frames.at(-1) ?? {});
        return true;
      },
      drained: async () => undefined,
    },
  });
  const frame = (fits: (frame: Message) => boolean) =>
    new Promise<Message>((found) => {
      const check = (candidate: Message) => {
        if (!fits(candidate)) return;
        watchers.delete(check);
        found(candidate);
      };
      const past = frames.find(fits);
      if (past !== undefined) found(past);
      else watchers.add(check);
    });
  const send = (value: object | string) => {
    proxy.receive(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
  };
  const notify = (method: string, params?: object) => {
    send({ jsonrpc: "2.0", method, ...(params && { params }) });
  };
  let count = 0;
  const request = (method: string, params?: object, id: string | number = `r${++count}`) => {
    send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return frame((it) => it.id === id && it.method === undefined);
  };
  return {
    ...{ proxy, startupCache, lines, written, frames, logged, send, request, notify, frame },
    call: (tool, args = {}, id) => request("tools/call", { name: tool, arguments: args }, id),
    initialize: async (params = {}) => {
      const answer = await request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "host", version: "1" },
        ...params,
      });
      notify("notifications/initialized");
      return answer;
    },
    stop: async () => {
      await proxy.close();
      http.close();
      await startupCache.flush();
      if (start.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}
