import type { Log } from "../common/log.js";
import type { Failure } from "./requests/failures.js";

/** Why the server cannot be reached, as far as is known now. */
export interface ConnectionProblem {
  report: (failure: Failure) => void;
  /** The server took a request. */
  clear: () => void;
  current: () => Failure | undefined;
}

/** What only a person can mend is said to them once: nobody may ever call a tool to read it. */
export function createConnectionProblem(log: Log): ConnectionProblem {
  let current: Failure | undefined;
  return {
    report: (failure) => {
      current = failure;
      if (failure.isSetup) log.notice(failure.message);
    },
    clear: () => {
      current = undefined;
    },
    current: () => current,
  };
}
