import { randomUUID } from "node:crypto";
import type { Message, Raw, RpcId } from "./message.js";

/** One request that somebody waits for. */
export interface Call {
  id: RpcId;
  method: string;
  params: unknown;
  job: Job;
  /** "early": the host has an answer already, and the server's own is still awaited. */
  state: "open" | "early" | "closed";
  /** Takes the one answer, of the server or ours. */
  settle: Settle;
}

export type Settle = (raw: Raw, message: Message, call: Call) => void;

/** One message of the host on its way to the server: a request, a batch, or what has no answer. */
export interface Job {
  body: Raw;
  /** Empty for notifications and for answers to the server. */
  calls: Call[];
  /** The protocol version of a message that carries one. */
  modern: string | undefined;
  /** The same in all that is sent for it, and in what a person reads when it fails. */
  requestId: string;
  arrivedAt: number;
  /** Until when it waits and is sent again; Infinity for what nobody waits for. */
  deadline: number;
  abort: AbortController;
  /** The server may be at work on it. */
  underway: boolean;
  /** Failed tries, since a stream of it last was steady. */
  tries: number;
  /** How often the server broke down over it. */
  faults: number;
  /** Nobody was signed in at its last try. */
  isSignedOut: boolean;
  /** How often a refused token was replaced. */
  renewals: number;
  /** The session it was last sent in. */
  session: string | undefined;
  /** It lost a session once. */
  hasLostSession: boolean;
}

export interface JobStart {
  body: Raw;
  modern: string | undefined;
  timeoutMs: number;
}

export function createJob({ body, modern, timeoutMs }: JobStart): Job {
  const now = performance.now();
  return {
    body,
    calls: [],
    modern,
    requestId: randomUUID(),
    arrivedAt: now,
    deadline: now + timeoutMs,
    abort: new AbortController(),
    underway: false,
    tries: 0,
    faults: 0,
    isSignedOut: false,
    renewals: 0,
    session: undefined,
    hasLostSession: false,
  };
}

export function addCall(job: Job, message: Message & { id: RpcId }, settle: Settle): Call {
  const { id, method, params } = message;
  const call: Call = { id, method: String(method), params, job, state: "open", settle };
  job.calls.push(call);
  return call;
}

/** Nothing more is to be done for it. */
export function isOver(job: Job): boolean {
  if (job.abort.signal.aborted) return true;
  return job.calls.length > 0 && job.calls.every(({ state }) => state === "closed");
}

/** The host's `initialize`, which the session sends whenever it opens. */
export function isOpening({ calls, modern }: Job): boolean {
  return modern === undefined && calls.length === 1 && calls[0]?.method === "initialize";
}

/** Nobody waits for it any more, or it has no end of its own. */
export function isBackground(job: Job): boolean {
  return job.deadline === Infinity;
}
