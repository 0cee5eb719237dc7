import { type Failure, toErrorText } from "./failures.js";
import type { Call, Job, Settle } from "./job.js";
import { isId, isRecord, type Message, type Raw, type RpcId, toRecord } from "./message.js";

/** Where the answers go. Each call gets one at most, whatever the server sends. */
export interface Calls {
  /** False when the host waits for another answer under the same id. */
  open: (job: Job) => boolean;
  /** A call the host waits for. */
  find: (id: unknown) => Call | undefined;
  /** The plain way to settle a call of the host. */
  toHost: Settle;
  answer: (call: Call, raw: Raw, message: Message) => void;
  /** Gives the host an answer now, and waits on for the server's. */
  answerEarly: (call: Call, text: string) => void;
  fail: (job: Job, failure: Failure) => void;
  /** Ends a call without an answer. */
  drop: (call: Call) => void;
  /**
   * Takes what the server sent: answers go to the calls of the job, or of any other, the rest to
   * the host. False when the host reads slowly.
   */
  take: (message: unknown, raw: Raw, job?: Job) => boolean;
}

export interface CallsParts {
  output: { write: (frame: Raw) => boolean };
  /** Told after each answer. */
  onSettled: () => void;
}

export function createCalls({ output, onSettled }: CallsParts): Calls {
  const calls = new Map<RpcId, Call>();

  const toHost: Settle = (raw) => {
    output.write(raw);
  };
  const leave = (call: Call, state: "early" | "closed") => {
    call.state = state;
    if (calls.get(call.id) === call) calls.delete(call.id);
    onSettled();
  };
  const answer = (call: Call, raw: Raw, message: Message) => {
    if (call.state === "closed") return;
    call.settle(raw, message, call);
    leave(call, "closed");
  };
  const takeOne = (message: unknown, raw: Raw, job: Job | undefined): boolean => {
    if (!isRecord(message)) return true;
    if (typeof message["method"] === "string") return output.write(raw);
    const call = findOpen(message, job, calls);
    if (call !== undefined) answer(call, raw, message);
    return true;
  };
  /** A batch of answers stays one where nothing in it is for us. */
  const takeBatch = (messages: readonly unknown[], raw: Raw, job: Job | undefined): boolean => {
    const found = new Set(messages.map((one) => findOpen(toRecord(one), job, calls)));
    const areHosts = [...found].every((call) => call?.settle === toHost);
    if (!areHosts || found.size < messages.length) {
      return messages.map((one) => takeOne(one, JSON.stringify(one), job)).every(Boolean);
    }
    for (const call of found) if (call !== undefined) leave(call, "closed");
    return output.write(raw);
  };
  return {
    toHost,
    answer,
    open: (job) => {
      const ids = new Set(job.calls.map(({ id }) => id));
      if (ids.size < job.calls.length || [...ids].some((id) => calls.has(id))) return false;
      for (const call of job.calls) calls.set(call.id, call);
      return true;
    },
    find: (id) => (isId(id) ? calls.get(id) : undefined),
    answerEarly: (call, text) => {
      output.write(text);
      leave(call, "early");
    },
    fail: (job, failure) => {
      for (const call of job.calls) {
        if (call.state === "early") leave(call, "closed");
        const text = toErrorText(call.id, failure, job.requestId);
        answer(call, text, toRecord(JSON.parse(text)));
      }
    },
    drop: (call) => {
      leave(call, "closed");
    },
    take: (message, raw, job) =>
      Array.isArray(message) ? takeBatch(message, raw, job) : takeOne(message, raw, job),
  };
}

function findOpen(
  { id, method }: Message,
  job: Job | undefined,
  calls: ReadonlyMap<RpcId, Call>,
): Call | undefined {
  if (!isId(id) || method !== undefined) return undefined;
  const call = job?.calls.find((own) => own.id === id) ?? calls.get(id);
  return call?.state === "closed" ? undefined : call;
}
