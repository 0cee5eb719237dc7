import { addCall, createJob, type Job } from "./job.js";
import type { Jobs } from "./jobs.js";
import { isId, type Message, type Raw, type RpcId, toRecord } from "./message.js";

/** The host's requests whose effect ends with the session. */
export interface Standing {
  note: (line: Raw, message: Message) => void;
  /** Sends them once more, in a new session. The host has their answers already. */
  sendAgain: (deliver: (job: Job, message: Message) => Promise<void>) => void;
}

export interface StandingParts {
  jobs: Jobs;
  timeoutMs: number;
}

export function createStanding({ jobs, timeoutMs }: StandingParts): Standing {
  const kept = new Map<string, { line: Raw; message: Message & { id: RpcId } }>();
  return {
    note: (line, message) => {
      const { id, method, params } = message;
      const subject = `subscription ${String(toRecord(params)["uri"])}`;
      if (method === "resources/unsubscribe") kept.delete(subject);
      if (!isId(id)) return;
      if (method === "resources/subscribe")
        kept.set(subject, { line, message: { ...message, id } });
      if (method === "logging/setLevel") kept.set(method, { line, message: { ...message, id } });
    },
    sendAgain: (deliver) => {
      for (const { line, message } of kept.values()) {
        const job = createJob({ body: line, modern: undefined, timeoutMs });
        addCall(job, message, () => undefined).state = "early";
        // One that the host still waits for is sent again on its own account.
        if (jobs.start(job)) void deliver(job, message);
      }
    },
  };
}
