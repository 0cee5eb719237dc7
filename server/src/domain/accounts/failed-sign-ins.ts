import { IsNull, type Database, type Tx } from "../../db/database.js";
import { User } from "../../db/entities/accounts.js";
import { commit } from "../history/transactions.js";
import { countActivity, countLately } from "../audit/counted-activity.js";
import type { Activity, Origin } from "../audit/record-activity.js";
import { mayQueueNotice, queueNotice, type NoticeServices } from "../messaging/outbox.js";

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

/** Wrong codes in an hour of which the person is told: fewer are typing errors. */
const toldCodes = 3;

/**
 * Tells in the activity log of failed sign-ins. What it writes is not part of any request, so that no
 * answer takes longer when there is an account.
 */
export function createFailedSignInLog(
  db: Database,
  services: NoticeServices,
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
      await commit({ db, caller: null }, async (tx) => {
        await countActivity(tx, activity, times);
        if (failed.isSecondFactor === true) await tellOfGuesses(tx, services, activity);
      }).catch(onError);
      if (failed.isSecondFactor === true) services.mails.announce();
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

/** Whoever guesses codes knows the password: its person is told, once in an hour. */
async function tellOfGuesses(
  tx: Tx,
  { mails, baseUrl }: NoticeServices,
  activity: Activity & { userId: string },
): Promise<void> {
  if ((await countLately(tx, activity)) < toldCodes) return;
  const person = await tx.findOne(User, {
    where: { id: activity.userId, deactivated_at: IsNull() },
  });
  const recipient = person?.email ?? null;
  const kind = "second_factor_guessed";
  if (recipient === null || !(await mayQueueNotice(tx, recipient, [kind], 1))) return;
  const notice = { kind, security: `${baseUrl}/settings/security` } as const;
  await queueNotice(tx, mails, { recipient, notice });
}
