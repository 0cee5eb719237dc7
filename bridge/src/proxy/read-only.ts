import type { Deliver } from "./delivery.js";
import { type Failure, failures, findDetail } from "./failures.js";
import { addCall, createJob, isOver, type Job } from "./job.js";
import type { Jobs } from "./jobs.js";
import { isId, isRecord, type Message, toRecord } from "./message.js";
import type { ToolBook } from "./tools.js";

export interface ReadOnlyParts {
  jobs: Jobs;
  tools: ToolBook;
  deliver: Deliver;
}

export function toolOf(params: unknown): string {
  return String(toRecord(params)["name"]);
}

/** A call that nobody can be given a refusal of. */
export function isSilentCall(message: unknown): boolean {
  const { id, method } = toRecord(message);
  return method === "tools/call" && !isId(id);
}

/** A server that goes on giving cursors for ever ends here. */
const mostPages = 100;
let asked = 0;

/** Refuses a job that would call a tool which does not say that it only reads. */
export async function refuseWriting(job: Job, parts: ReadOnlyParts): Promise<Failure | undefined> {
  for (const { method, params } of job.calls) {
    if (method !== "tools/call") continue;
    const name = toolOf(params);
    if (parts.tools.isReadOnly(name) === undefined) {
      const failure = await learnTools(job, parts);
      if (failure !== undefined) return failure;
    }
    if (parts.tools.isReadOnly(name) !== true) return failures.readOnly(name);
  }
  return undefined;
}

/** Lists all tools in the name of the job: in its era, and within its time. */
async function learnTools(job: Job, parts: ReadOnlyParts): Promise<Failure | undefined> {
  let cursor: unknown;
  for (let page = 0; page < mostPages && !isOver(job); page += 1) {
    const answer = await askForPage(job, cursor, parts);
    if (!isRecord(answer.result)) return failures.declined(findDetail(answer));
    parts.tools.learn(answer.result);
    cursor = answer.result["nextCursor"];
    if (typeof cursor !== "string") return undefined;
  }
  return undefined;
}

function askForPage(job: Job, cursor: unknown, { jobs, deliver }: ReadOnlyParts): Promise<Message> {
  const meta = job.modern === undefined ? undefined : toRecord(job.calls[0]?.params)["_meta"];
  const message = {
    jsonrpc: "2.0",
    id: `fettle-bridge/${job.requestId}/${++asked}`,
    method: "tools/list",
    params: { ...(meta !== undefined && { _meta: meta }), ...(cursor !== undefined && { cursor }) },
  };
  const own = createJob({ body: JSON.stringify(message), modern: job.modern, timeoutMs: 0 });
  own.deadline = job.deadline;
  own.abort = job.abort;
  return new Promise((resolve) => {
    addCall(own, message, (_raw, answer) => {
      resolve(answer);
    });
    jobs.start(own);
    void deliver(own, message).then(() => {
      resolve({});
    });
  });
}
