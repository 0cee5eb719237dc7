import { randomUUID } from "node:crypto";
import { accepted, isTaken, postInitialize, type SessionAnswer } from "./handshake.js";
import { isRecord, type Message, type Raw } from "./message.js";
import type { ServerStream } from "./server-stream.js";
import type { Outcome, Sending, Upstream } from "./upstream.js";

/**
 * The conversation of the revisions with a handshake. It is opened with the host's own messages,
 * once at its start and again whenever the server has lost it.
 */
export interface Session {
  /** Keeps the host's `initialize` and opens with it from now on. */
  begin: (line: Raw, message: Message) => void;
  /** Passes `notifications/initialized` on, now or at the opening. */
  confirm: (line: Raw) => void;
  /** Other messages must wait for `open`. */
  needsOpening: () => boolean;
  /** One try, shared by all who ask meanwhile. "accepted" when it is open. */
  open: () => Promise<Opening>;
  /** What the server answered to `initialize` last. */
  answer: () => SessionAnswer | undefined;
  id: () => string | undefined;
  /** Of every message but `initialize`. */
  headers: () => Record<string, string>;
  /** The server does not know this session any more. */
  lose: (id: string) => void;
  /** Tells the server that the session is over, if it had one. */
  end: (longestMs: number) => Promise<void>;
}

/** "declined": the server answered `initialize`, and the answer is no. */
export type Opening = Outcome | { kind: "declined"; answer: SessionAnswer };

export interface SessionParts {
  upstream: Upstream;
  serverStream: ServerStream;
  silenceMs: number;
  /** Takes what the server sends on the way, besides the answer. */
  take: (message: unknown, raw: Raw) => boolean;
  onOpen: (params: unknown, result: Record<string, unknown>) => void;
}

/** What is known of the conversation now. */
interface State {
  first: { line: Raw; message: Message } | undefined;
  confirmation: Raw | undefined;
  isOpen: boolean;
  isConfirmed: boolean;
  answer: SessionAnswer | undefined;
  id: string | undefined;
  version: string | undefined;
}

type Send = (own?: Record<string, string>) => Sending;

export function createSession(parts: SessionParts): Session {
  const { serverStream } = parts;
  const requestId = randomUUID();
  const abort = new AbortController();
  const state: State = {
    ...{ first: undefined, confirmation: undefined, isOpen: false, isConfirmed: false },
    ...{ answer: undefined, id: undefined, version: undefined },
  };
  let opening: Promise<Opening> | undefined;

  const sending: Send = (headers = {}) => ({
    ...{ headers, requestId, signal: abort.signal },
    ...{ silenceMs: parts.silenceMs, take: parts.take },
  });
  const open = () =>
    (opening ??= tryOpening(state, sending, parts).finally(() => {
      opening = undefined;
    }));
  return {
    begin: (line, message) => {
      state.first = { line, message };
      state.confirmation = undefined;
      state.isOpen = false;
      serverStream.stop();
    },
    confirm: (line) => {
      state.confirmation = line;
      // An opening that is underway may have looked for it already.
      void Promise.resolve(opening).then(() =>
        state.isOpen && !state.isConfirmed ? open() : undefined,
      );
    },
    needsOpening: () => state.first !== undefined && (!state.isOpen || isConfirmationDue(state)),
    open,
    answer: () => state.answer,
    id: () => state.id,
    headers: () => toHeaders(state),
    lose: (lost) => {
      if (lost !== state.id) return;
      state.isOpen = false;
      state.id = undefined;
      serverStream.stop();
    },
    end: async (longestMs) => {
      serverStream.stop();
      const limit = setTimeout(() => {
        abort.abort();
      }, longestMs);
      if (state.id !== undefined) await parts.upstream.endSession(sending(toHeaders(state)));
      state.id = undefined;
      clearTimeout(limit);
      abort.abort();
    },
  };
}

async function tryOpening(state: State, sending: Send, parts: SessionParts): Promise<Opening> {
  const opened = state.isOpen ? accepted : await shakeHands(state, sending(), parts);
  if (opened !== accepted || state.confirmation === undefined || state.isConfirmed) return opened;
  const outcome = await parts.upstream.post(state.confirmation, sending(toHeaders(state)));
  if (!isTaken(outcome)) {
    state.isOpen = false;
    return outcome;
  }
  state.isConfirmed = true;
  parts.serverStream.start(toHeaders(state));
  return accepted;
}

async function shakeHands(state: State, sending: Sending, parts: SessionParts): Promise<Opening> {
  if (state.first === undefined) return accepted;
  const { line, message } = state.first;
  const { outcome, answer, head } = await postInitialize(parts.upstream, line, message, sending);
  if (answer === undefined) return outcome;
  const { result } = answer.message;
  if (!isRecord(result)) return { kind: "declined", answer };
  state.answer = answer;
  state.id = toText(head["mcp-session-id"]);
  state.version = toText(result["protocolVersion"]);
  state.isOpen = true;
  state.isConfirmed = false;
  parts.onOpen(message.params, result);
  return accepted;
}

function isConfirmationDue({ confirmation, isConfirmed }: State): boolean {
  return confirmation !== undefined && !isConfirmed;
}

function toHeaders({ id, version }: State): Record<string, string> {
  return {
    ...(id !== undefined && { "mcp-session-id": id }),
    ...(version !== undefined && { "mcp-protocol-version": version }),
  };
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
