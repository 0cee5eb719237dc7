import type { EarlyAnswers } from "./early-answers.js";
import { withListChanged } from "./early-results.js";
import type { FirstAnswers } from "./first-answers.js";
import type { Settle } from "./job.js";
import type { Jobs } from "./jobs.js";
import { isRecord, type Raw, toResultText } from "./message.js";

export interface SettlingParts {
  jobs: Jobs;
  early: EarlyAnswers;
  firstAnswers: FirstAnswers;
  output: { write: (frame: Raw) => boolean };
}

/** The methods whose answers are more than passed on. */
export function createSettling(parts: SettlingParts): ReadonlyMap<string, Settle> {
  const { jobs, early, firstAnswers, output } = parts;
  const give = (raw: Raw, before: unknown, after: unknown, id: string | number) => {
    output.write(after === before ? raw : toResultText(id, after));
  };
  const settleToolsList: Settle = (raw, message, call) => {
    const { result } = message;
    if (!isRecord(result)) {
      settleList(raw, message, call);
      return;
    }
    const shown = early.takeToolsList(call, result);
    if (call.state === "early") early.compare(call, shown);
    else give(raw, result, shown, call.id);
  };
  const settleList: Settle = (raw, message, call) => {
    if (call.state === "open") jobs.toHost(raw, message, call);
    else if (isRecord(message.result)) early.compare(call, message.result);
  };
  const settleInitialize: Settle = (raw, { result }, call) => {
    const shown = isRecord(result) ? withListChanged(result) : result;
    if (call.state === "early") {
      if (isRecord(shown)) early.compare(call, shown);
      return;
    }
    if (isRecord(shown)) early.setVersion(shown["protocolVersion"]);
    give(raw, result, shown, call.id);
  };
  const settlePing: Settle = (raw, message, call) => {
    if (call.state === "open") jobs.toHost(raw, message, call);
  };
  const settleDiscover: Settle = (raw, message, call) => {
    if (isRecord(message.result)) firstAnswers.rememberDiscover(call.params, message.result);
    if (call.state === "open") jobs.toHost(raw, message, call);
  };
  return new Map<string, Settle>([
    ["tools/list", settleToolsList],
    ["prompts/list", settleList],
    ["resources/list", settleList],
    ["resources/templates/list", settleList],
    ["initialize", settleInitialize],
    ["server/discover", settleDiscover],
    ["ping", settlePing],
  ]);
}
