import { spawn, type ChildProcessByStdio } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The released bundle, created by `npm run build`. */
export const bridgeMain = fileURLToPath(new URL("../../bridge/dist/main.js", import.meta.url));

/** One JSON-RPC message, loosely typed. */
export interface Frame {
  jsonrpc: "2.0";
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export interface BridgeStart {
  /** The server's address. Omitted if `args` contain a separate command. */
  server?: string;
  /** Options, or a command with its options. */
  args?: readonly string[];
  /** Added to PATH, a private HOME, and a BROWSER that can't open anything. */
  variables?: Record<string, string>;
  /** If set, it is retained for a second start. Default: a temporary folder that `stop` removes. */
  home?: string;
  /** Runs instead of `node <bridge>`: the program and its first arguments. */
  command?: readonly [program: string, ...args: string[]];
}

export interface BridgeExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface BridgeProcess {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  home: string;
  /** All frames so far, in order. */
  frames: Frame[];
  /** Lines on stdout that are not JSON. There must never be any. */
  strayLines: string[];
  stderr: () => string;
  send: (frame: object | string) => void;
  /** Sends a request with a new id and resolves with the complete response. */
  request: (method: string, params?: object, id?: string | number) => Promise<Frame>;
  notify: (method: string, params?: object) => void;
  /**
   * Resolves with the first matching frame, past or future. Rejects if the process ends without
   * one.
   */
  frame: (fits: (frame: Frame) => boolean) => Promise<Frame>;
  /** Opens an MCP session of the 2025 revisions and resolves with the server's response. */
  initialize: (params?: object) => Promise<Frame>;
  exit: Promise<BridgeExit>;
  /** Closes stdin, as a host does, and resolves when the process ends. */
  end: () => Promise<BridgeExit>;
  /** Kills the process if it still runs, and removes its temporary home. */
  stop: () => Promise<void>;
}

export function makeBridgeHome(): string {
  return mkdtempSync(join(tmpdir(), "fettle-bridge-home-"));
}

export function removeBridgeHome(home: string): void {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** The environment of a bridge. Only PATH is inherited from the test. */
function bridgeEnvironment(
  home: string,
  variables: Record<string, string> = {},
): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    FETTLE_BRIDGE_HOME: home,
    BROWSER: "false",
    ...variables,
  };
}

export function startBridge(start: BridgeStart): BridgeProcess {
  const home = start.home ?? makeBridgeHome();
  const [program, ...first] = start.command ?? [process.execPath, bridgeMain];
  const child = spawn(
    program,
    [...first, ...(start.args ?? []), ...(start.server === undefined ? [] : [start.server])],
    { env: bridgeEnvironment(home, start.variables), stdio: ["pipe", "pipe", "pipe"] },
  );
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  child.stdin.on("error", () => undefined);
  const exit = new Promise<BridgeExit>((ended) => {
    child.once("close", (code, signal) => {
      ended({ code, signal });
    });
  });
  const conversation = createConversation(child, exit, () => stderr);
  return {
    child,
    home,
    stderr: () => stderr,
    ...conversation,
    exit,
    end: async () => {
      child.stdin.end();
      return exit;
    },
    stop: async () => {
      child.kill("SIGKILL");
      await exit;
      if (start.home === undefined) removeBridgeHome(home);
    },
  };
}

type Conversation = Pick<
  BridgeProcess,
  "frames" | "strayLines" | "send" | "request" | "notify" | "frame" | "initialize"
>;

function createConversation(
  child: BridgeProcess["child"],
  exit: Promise<BridgeExit>,
  stderr: () => string,
): Conversation {
  const frames: Frame[] = [];
  const strayLines: string[] = [];
  const waiting = new Set<(frame: Frame) => void>();
  // Not readline: it also splits lines at U+2028, which may occur in JSON.
  onLine(child.stdout, (line) => {
    const frame = parse(line);
    if (frame === undefined) {
      strayLines.push(line);
      return;
    }
    frames.push(frame);
    for (const check of [...waiting]) check(frame);
  });
  const frame = (fits: (frame: Frame) => boolean) =>
    new Promise<Frame>((found, failed) => {
      const past = frames.find(fits);
      if (past !== undefined) {
        found(past);
        return;
      }
      const check = (candidate: Frame) => {
        if (!fits(candidate)) return;
        waiting.delete(check);
        found(candidate);
      };
      waiting.add(check);
      void exit.then(({ code, signal }) => {
        failed(new Error(`The bridge ended with ${code ?? signal ?? "?"}:\n${stderr()}`));
      });
    });
  const send = (value: object | string) => {
    child.stdin.write((typeof value === "string" ? value : JSON.stringify(value)) + "\n");
  };
  const notify = (method: string, params?: object) => {
    send({ jsonrpc: "2.0", method, ...(params && { params }) });
  };
  let count = 0;
  const request = (method: string, params?: object, id: string | number = `r${++count}`) => {
    send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return frame((it) => it.id === id && it.method === undefined);
  };
  const initialize = async (params = {}) => {
    const answer = await request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bridge-process", version: "1" },
      ...params,
    });
    notify("notifications/initialized");
    return answer;
  };
  return { frames, strayLines, send, request, notify, frame, initialize };
}

function onLine(source: Readable, take: (line: string) => void): void {
  let parts: string[] = [];
  source.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...rest] = chunk.split("\n");
    parts.push(first);
    for (const next of rest) {
      take(parts.join(""));
      parts = [next];
    }
  });
}

function parse(line: string): Frame | undefined {
  try {
    return JSON.parse(line) as Frame;
  } catch {
    return undefined;
  }
}
