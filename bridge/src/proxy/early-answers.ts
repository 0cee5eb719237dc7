import { type EarlyResultParts, eraOf, findEarlyResult, isList } from "./early-results.js";
import { failures, toProtocolErrorText } from "./failures.js";
import type { Result } from "./first-answers.js";
import { createGivenAnswers } from "./given-answers.js";
import { type Call, isBackground, type Job } from "./job.js";
import type { Jobs } from "./jobs.js";
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
  /** Tells the host when the server's answer is another one than it was given. */
  compare: (call: Call, result: unknown) => void;
}

export interface EarlyAnswersParts extends EarlyResultParts {
  jobs: Jobs;
  output: { write: (frame: string) => boolean };
  pace: Pace;
}

export function createEarlyAnswers(parts: EarlyAnswersParts): EarlyAnswers {
  const { jobs, tools, firstAnswers, output, pace } = parts;
  const given = createGivenAnswers(output);
  let version = "";

  const versionOf = ({ job }: Call) => job.modern ?? version;
  const give = (call: Call) => {
    if (call.state !== "open") return;
    const result = findEarlyResult(call, versionOf(call), parts);
    if (result === undefined) {
      if (call.method === "server/discover" && call.job.tries > 0) decline(call);
      return;
    }
    jobs.answerEarly(call, toResultText(call.id, result));
    if (call.method === "initialize") version = String(result["protocolVersion"]);
    if (call.method === "initialize" || isList(call.method)) given.note(call, result);
  };
  /**
   * Hosts go on with `initialize` then, which servers of every revision can be stood in for;
   * naming a revision that the server may not have would bind them to it.
   */
  const decline = (call: Call) => {
    if (call.state === "open") {
      jobs.answerEarly(call, toProtocolErrorText(call.id, -32601, "Method not found"));
    }
  };
  const after = (ms: number, act: (call: Call) => void, call: Call) => {
    setTimeout(act, ms, call).unref();
  };
  return {
    plan: (call) => {
      const { method, params } = call;
      if (method === "initialize" && firstAnswers.initializeFor(params) !== undefined) give(call);
      else after(isList(method) ? pace.listMs : pace.initializeMs, give, call);
      if (method === "server/discover") after(pace.listMs, decline, call);
    },
    onSignedOut: (job, isPending) => {
      const [call] = job.calls;
      if (call === undefined || job.calls.length > 1) return;
      if (call.method === "subscriptions/listen" && !isBackground(job)) {
        jobs.fail(job, failures.signInNeeded());
        return;
      }
      const isDiscovery = call.method === "server/discover";
      if (isPending && (isDiscovery || isList(call.method))) return;
      give(call);
      if (isDiscovery) decline(call);
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
    compare: given.compare,
  };
}
