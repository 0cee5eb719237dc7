import { type EarlyResultParts, eraOf, findEarlyResult, isList } from "./early-results.js";
import type { Result } from "./first-answers.js";
import { type Call, isOver, type Job } from "./job.js";
import type { Jobs } from "./jobs.js";
import { toListChanged } from "./list-changed.js";
import { toRecord, toResultText } from "./message.js";
import type { Pace } from "./pace.js";

/** Answers of ours where the server's would keep the host waiting for too long. */
export interface EarlyAnswers {
  /** Answers at once, or after the time that a call of this method can wait. */
  plan: (call: Call) => void;
  /** Answers a job of a signed-out host, unless a sign-in is pending that may still be in time. */
  onSignedOut: (job: Job, isPending: boolean) => void;
  /** The protocol version that the host was told in the answer to `initialize`. */
  setVersion: (version: unknown) => void;
  /** Keeps the server's list, and gives it as the host is to see it. */
  takeToolsList: (call: Call, result: Result) => unknown;
  /** Tells the host when the server's list is another one than it was given. */
  compare: (call: Call, result: unknown) => void;
}

export interface EarlyAnswersParts extends EarlyResultParts {
  jobs: Jobs;
  output: { write: (frame: string) => boolean };
  pace: Pace;
}

export function createEarlyAnswers(parts: EarlyAnswersParts): EarlyAnswers {
  const { jobs, tools, firstAnswers, output, pace } = parts;
  /** Lists the host was given, and the calls whose answers will tell whether they were right. */
  const given = new Map<string, { call: Call; result: Result }>();
  let version = "";

  const versionOf = ({ job }: Call) => job.modern ?? version;
  const give = (call: Call) => {
    if (call.state !== "open") return;
    const result = findEarlyResult(call, versionOf(call), parts);
    if (result === undefined) return;
    jobs.answerEarly(call, toResultText(call.id, result));
    if (call.method === "initialize") {
      version = String(result["protocolVersion"]);
      call.job.deadline = Infinity;
    } else if (isList(call.method)) goOn(call, result);
  };
  /** One call of each list goes on in the background; the others end with this answer. */
  const goOn = (call: Call, result: Result) => {
    const following = given.get(call.method);
    if (following !== undefined && !isOver(following.call.job)) {
      call.job.abort.abort();
      return;
    }
    given.set(call.method, { call, result });
    call.job.deadline = Infinity;
  };
  return {
    plan: (call) => {
      const { method, params } = call;
      if (method === "initialize" && firstAnswers.initializeFor(params) !== undefined) give(call);
      else setTimeout(give, isList(method) ? pace.listMs : pace.initializeMs, call).unref();
    },
    onSignedOut: (job, isPending) => {
      const [call] = job.calls;
      if (call === undefined || job.calls.length > 1) return;
      if (!isPending || !isList(call.method)) give(call);
    },
    setVersion: (negotiated) => {
      version = String(negotiated);
    },
    takeToolsList: (call, result) => {
      tools.learn(result);
      const isWhole = toRecord(call.params)["cursor"] === undefined && !result["nextCursor"];
      if (isWhole) firstAnswers.rememberToolsList(versionOf(call), result);
      return tools.filter(result, eraOf(call));
    },
    compare: (call, result) => {
      const kind = call.method.split("/", 1)[0] ?? "";
      const before = given.get(call.method)?.result;
      given.delete(call.method);
      if (JSON.stringify(entriesOf(before, kind)) === JSON.stringify(entriesOf(result, kind)))
        return;
      output.write(toListChanged(kind));
    },
  };
}

function entriesOf(result: unknown, kind: string): unknown[] {
  const { nextCursor, ...fields } = toRecord(result);
  return [fields[kind] ?? fields["resourceTemplates"], nextCursor];
}
