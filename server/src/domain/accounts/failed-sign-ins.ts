import type { DataSource } from "typeorm";
import { commit } from "../changes/transactions.js";
import { countActivity } from "../logs/counted-activity.js";
import type { Origin } from "../logs/record-activity.js";

/** A try to sign in to an account that there is, which failed. */
export interface FailedSignIn {
  userId: string;
  userName: string;
  origin: Origin | undefined;
  /** Set when the password was right and what was asked for after it was not. */
  isSecondFactor?: boolean;
}

export interface FailedSignInLog {
  /** Keeps a try in memory until the next write; never waits and never fails. */
  record: (failed: FailedSignIn) => void;
  /** Writes what is kept. */
  flush: () => Promise<void>;
  /** Writes what is left and ends. */
  close: () => Promise<void>;
}

const flushEveryMs = 1000;
/** Accounts and addresses that are kept at a time; more are not recorded. */
const maxKept = 1000;

/**
 * Tells in the activity log of failed sign-ins. What it writes is not part of any request, so that no
 * answer takes longer when there is an account.
 */
export function createFailedSignInLog(
  db: DataSource,
  onError: (error: unknown) => void,
): FailedSignInLog {
  let kept = new Map<string, FailedSignIn & { times: number }>();
  let writing: Promise<void> = Promise.resolve();

  const writeAll = async () => {
    const failures = kept;
    kept = new Map();
    for (const { userId, userName: actorName, origin, times, ...failed } of failures.values()) {
      const type = failed.isSecondFactor === true ? "second_factor_failed" : "sign_in_failed";
      const activity = { userId, actorName, type, origin } as const;
      await commit({ db, caller: null }, (tx) => countActivity(tx, activity, times)).catch(onError);
    }
  };
  const flush = () => {
    writing = writing.then(writeAll);
    return writing;
  };
  const timer = setInterval(() => {
    if (kept.size > 0) void flush();
  }, flushEveryMs);
  timer.unref();

  return {
    record(failed) {
      const key = `${failed.userId} ${String(failed.isSecondFactor)} ${failed.origin?.ipAddress ?? ""}`;
      const same = kept.get(key);
      if (same !== undefined) same.times += 1;
      else if (kept.size < maxKept) kept.set(key, { ...failed, times: 1 });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
