import { IsNull, type Database, type Tx } from "../../db/database.js";
import { User } from "../../db/entities/accounts.js";
import { commit } from "../history/transactions.js";
import { countActivity, countLately } from "../audit/counted-activity.js";
import type { Activity, Origin } from "../audit/record-activity.js";
import { mayQueueNotice, queueNotice, type NoticeServices } from "../messaging/outbox.js";

/** A failed attempt to sign in to an existing account. */
export interface FailedSignIn {
  userId: string;
  userName: string;
  origin: Origin | undefined;
  /** Set if the password was right and the second factor was wrong. */
  isSecondFactor?: boolean;
}

export interface FailedSignInLog {
  /** Buffers an attempt until the next write. Never waits and never throws. */
  record: (failed: FailedSignIn) => void;
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

const flushEveryMs = 1000;
/** Maximum number of buffered account and address pairs. Further ones are not recorded. */
const maxKept = 1000;

/** Wrong codes per hour before the person is notified. Fewer are typos. */
const toldCodes = 3;

/**
 * Records failed sign-ins in the activity log. It writes outside requests, so response times don't
 * reveal existing accounts.
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

/**
 * A person who guesses codes knows the password. Notifies the account's owner, at most once an
 * hour.
 */
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
