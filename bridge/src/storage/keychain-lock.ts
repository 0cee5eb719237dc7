import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ageOf } from "../common/clock.js";
import type { Environment } from "../common/settings.js";
import { touchFile } from "../profile/files.js";
import { withLock } from "../profile/lock.js";
import { isBusOfUser } from "./dbus.js";
import { classifyKeychainError, locked } from "./keychain-errors.js";
import { withKeychainTimeout } from "./keychain-timeout.js";
import { type Keychain, probeAccount, service } from "./keychain.js";
import { isSecretServiceLocked } from "./secret-service.js";

/** Over all bridges of a home: whoever dismissed the question is not asked again at once. */
const askAgainMs = 60_000;
/** Time to type a password. */
const unlockMs = 60_000;

export type Calls = Pick<Keychain, "get" | "set" | "delete">;

let saidLocked = false;

/**
 * The calls of a library, of which none reaches a locked keychain: each would open a window that asks
 * for its password. Only `unlock` does, for what a person wants done.
 */
export function withoutQuestions(
  environment: Environment,
  calls: Calls,
): Calls & Pick<Keychain, "unlock"> {
  const guard =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await refuseBusOfOthers(environment);
      // Where the system does not say, what a library last said counts.
      if ((await isSecretServiceLocked(environment)) ?? saidLocked) throw locked();
      return remember(call(...args));
    };
  return {
    get: guard(calls.get),
    set: guard(calls.set),
    delete: guard(calls.delete),
    unlock: async () => {
      await refuseBusOfOthers(environment);
      const account = probeAccount(service);
      await withKeychainTimeout(() => remember(calls.set(account, "probe")), unlockMs);
      await withKeychainTimeout(() => calls.delete(account));
    },
  };
}

/** Asked before each call: a session can end while the bridge goes on. */
async function refuseBusOfOthers(environment: Environment): Promise<void> {
  if (!(await isBusOfUser(environment))) throw new Error("There is no session bus of this user");
}

async function remember<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    const result = await answer;
    saidLocked = false;
    return result;
  } catch (error) {
    if (classifyKeychainError(error) === "locked") saidLocked = true;
    throw error;
  }
}

/** Whether a window may ask for the password now. Says yes once a minute. */
export async function mayAskToUnlock(home: string): Promise<boolean> {
  const path = join(home, "keychain-asked");
  return withLock({ folder: home }, "keychain-asked", { waitMs: 3_000 }, async () => {
    const asked = await stat(path).catch(() => undefined);
    if (asked !== undefined && ageOf(asked.mtimeMs) < askAgainMs) return false;
    await touchFile(path);
    return true;
  });
}
