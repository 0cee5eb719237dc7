import type { Settings } from "../settings.js";
import type { Deliver } from "./delivery.js";
import type { EarlyAnswers } from "./early-answers.js";
import { failures, toProtocolErrorText } from "./failures.js";
import { addCall, createJob, isOver, type Job, type Settle } from "./job.js";
import type { Jobs } from "./jobs.js";
import {
  isId,
  isRecord,
  type Message,
  modernVersionOf,
  parseJson,
  type RpcId,
  toRecord,
} from "./message.js";
import { type Pace, pause } from "./pace.js";
import { isSilentCall, refuseWriting, toolOf } from "./read-only.js";
import type { Session } from "./session.js";
import { answerSignInCall, isSignInCall, type SignInCallParts } from "./sign-in-call.js";
import type { ToolBook } from "./tools.js";

export interface RouterParts extends SignInCallParts {
  settings: Settings;
  output: { write: (frame: string) => boolean };
  jobs: Jobs;
  tools: ToolBook;
  early: EarlyAnswers;
  settling: ReadonlyMap<string, Settle>;
  session: Session;
  deliver: Deliver;
  pace: Pace;
}

type Request = Message & { id: RpcId; method: string };

/** Takes the host's messages and sends each on its way. */
export function createRouter(parts: RouterParts): (line: Buffer) => void {
  const { settings, log, session, jobs, deliver, pace } = parts;
  let notified = Promise.resolve();

  const refuse = (id: RpcId | null, code: -32700 | -32600, message: string) => {
    parts.output.write(toProtocolErrorText(id, code, message));
  };
  const refuseShape = () => {
    refuse(null, -32600, "This is no JSON-RPC message.");
  };
  const toJob = (line: Buffer, message: Message) =>
    createJob({ body: line, modern: modernVersionOf(message), timeoutMs: settings.timeoutMs });
  const pass = (line: Buffer, message: Message) => {
    const job = toJob(line, message);
    jobs.start(job);
    return deliver(job, message);
  };
  const takeNotification = (line: Buffer, message: Message) => {
    if (settings.readOnly && isSilentCall(message)) log.info("A call without an id was refused.");
    else if (message.method === "notifications/initialized") session.confirm(line);
    else if (message.method === "notifications/cancelled") {
      cancel(message, parts, () => pass(line, message));
    } else {
      // In the host's order, though each may have a connection of its own.
      const before = notified;
      const job = toJob(line, message);
      jobs.start(job);
      notified = before.then(() => {
        const ended = new AbortController();
        void deliver(job, message).finally(() => {
          ended.abort();
        });
        return pause(pace.orderMs, ended.signal);
      });
    }
  };
  const takeMessage = (line: Buffer, message: Message) => {
    if (isRequest(message)) {
      const isNew = takeRequest(toJob(line, message), message, parts);
      if (!isNew) refuse(message.id, -32600, "Another request with this id is not answered yet.");
    } else if (typeof message.method === "string") {
      if (message.id === undefined) takeNotification(line, message);
      else refuseShape();
    } else if (isId(message.id)) void pass(line, message);
    else refuseShape();
  };
  return (line) => {
    const message = parseJson(line.toString("utf8"));
    if (message === undefined) refuse(null, -32700, "This line is no JSON.");
    else if (Array.isArray(message)) {
      if (!message.some(isMessage)) refuseShape();
      else if (!takeBatch(toJob(line, {}), message, parts))
        refuse(null, -32600, "A request of this batch has an id that is in use.");
    } else if (isRecord(message)) takeMessage(line, message);
    else refuseShape();
  };
}

/** False when the host still waits for an answer under this id. */
function takeRequest(job: Job, message: Request, parts: RouterParts): boolean {
  const { jobs, settling, session, early, tools, pace } = parts;
  const { method } = message;
  const settle = settling.get(method);
  const call = addCall(job, message, settle ?? jobs.toHost);
  if (!jobs.start(job)) return false;
  if (isSignInCall(call, tools)) {
    void answerSignInCall(call, parts);
    return true;
  }
  if (method === "initialize" && job.modern === undefined) session.begin(job.body, message);
  if (method === "subscriptions/listen") job.deadline = job.arrivedAt + pace.listMs;
  if (settle !== undefined) early.plan(call);
  void begin(job, message, parts);
  return true;
}

function takeBatch(job: Job, messages: readonly unknown[], parts: RouterParts): boolean {
  const { settings, jobs, settling } = parts;
  for (const message of messages.filter(isRequest)) {
    // Only a list that is to be shortened is worth tearing the batch of answers apart.
    const isHeld = settings.readOnly && message.method === "tools/list";
    const settle = isHeld ? settling.get(message.method) : undefined;
    addCall(job, message, settle ?? jobs.toHost);
  }
  if (!jobs.start(job)) return false;
  const silent = settings.readOnly ? messages.find(isSilentCall) : undefined;
  if (silent !== undefined) {
    jobs.fail(job, failures.readOnly(toolOf(toRecord(silent)["params"])));
    jobs.end(job);
  } else void begin(job, {}, parts);
  return true;
}

async function begin(job: Job, message: Message, parts: RouterParts): Promise<void> {
  const { settings, jobs, deliver } = parts;
  const failure = settings.readOnly ? await refuseWriting(job, parts) : undefined;
  if (failure !== undefined) jobs.fail(job, failure);
  if (isOver(job)) jobs.end(job);
  else await deliver(job, message);
}

/** In a conversation the server is told first and then not listened to any more. */
function cancel(message: Message, { jobs }: RouterParts, tell: () => Promise<void>): void {
  const call = jobs.find(toRecord(message.params)["requestId"]);
  if (call === undefined || call.method === "initialize") return;
  const { job } = call;
  jobs.drop(call);
  const end = () => {
    if (isOver(job)) job.abort.abort();
  };
  if (job.underway && job.modern === undefined) void tell().then(end);
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
