import { createHash } from "node:crypto";
import { maxGivenEmail, toNfc } from "../domain/shared/text.js";
import { toAddressKey } from "../domain/shared/address-key.js";
import type { CounterStore } from "./counter-store.js";
import { rateLimited } from "./rate-limited.js";
import { createWindows } from "./windows.js";
import { windows, type WindowName } from "./bounds.js";

/** The guessed secret. Knowing the password must not reset the attempts at the second factor. */
export type Guessed = "password" | "factor";

export interface SignInThrottle {
  /**
   * Counts an account's sign-ins, per address and in total. Each stores a session and a permanent
   * log entry.
   */
  complete: (ipAddress: string, email: string) => Promise<void>;
  /** Counts an attempt before it is checked. Throws if it comes too early. */
  begin: (guessed: Guessed, ipAddress: string, email: string) => Promise<void>;
  /** Undoes the count of a correct attempt. Earlier attempts remain. */
  takeBack: (guessed: Guessed, ipAddress: string, email: string) => Promise<void>;
  /** Resets the account's attempts everywhere, and remembers the address for a week. */
  forget: (guessed: Guessed, ipAddress: string, email: string) => Promise<void>;
}

export const noThrottle: SignInThrottle = {
  complete: async () => undefined,
  begin: async () => undefined,
  takeBack: async () => undefined,
  forget: async () => undefined,
};

const maxPauseSeconds = 60;
const weekMs = 7 * 86_400_000;

/**
 * Allows ten failed attempts in five minutes per address. Attempts during a pause count too, so no
 * one can poll for its end. Per account, pauses only the address that failed. Guesses from many
 * addresses pause the account everywhere, except where its owner signed in recently.
 */
export function createSignInThrottle(store: CounterStore): SignInThrottle {
  const windowsOf = (name: WindowName) => createWindows(store, name, windows[name].seconds * 1000);
  const byAddress = windowsOf("sign-ins");
  const here = createBackOff(store, "sign-ins-here");
  const everywhere = createBackOff(store, "sign-ins-everywhere");
  const known = createWindows(store, "sign-ins-known", weekMs);
  const completedHere = windowsOf("signed-in-here");
  const completed = windowsOf("signed-in");
  return {
    async complete(...signedIn) {
      const { account, both } = toKeys("password", ...signedIn);
      const [here, all] = await Promise.all([completedHere.add(both), completed.add(account)]);
      if (here.count > windows["signed-in-here"].most) throw rateLimited("signed_in", here.msLeft);
      if (all.count > windows["signed-in"].most) throw rateLimited("signed_in", all.msLeft);
    },
    async begin(...guess) {
      const { address, account, both } = toKeys(...guess);
      const tries = await byAddress.add(address);
      if (tries.count > windows["sign-ins"].most) throw rateLimited("sign_ins", tries.msLeft);
      await here.count(both);
      const isKnown = (await known.add(both, 0)).count > 0;
      await everywhere.count(account, !isKnown).catch(async (error: unknown) => {
        await here.takeBack(both);
        throw error;
      });
    },
    async takeBack(...guess) {
      const { address, account, both } = toKeys(...guess);
      await Promise.all([
        byAddress.add(address, -1),
        here.takeBack(both),
        everywhere.takeBack(account),
      ]);
    },
    async forget(...guess) {
      const { account, both } = toKeys(...guess);
      await Promise.all([known.begin(both, weekMs), here.forget(both), everywhere.forget(account)]);
    },
  };
}

/** Checks for a pause and counts in one step, so concurrent attempts can't exceed the limit. */
const countTry = {
  name: "countTry",
  lua: `
    local left = redis.call('PTTL', KEYS[2])
    if ARGV[1] == '1' and left > 0 then return left end
    local count = redis.call('INCR', KEYS[1])
    if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    local over = count - ARGV[3]
    if over >= 0 then
      redis.call('SET', KEYS[2], 1, 'PX', math.min(2 ^ over, tonumber(ARGV[4])) * 1000)
    end
    return 0`,
};

/** After the free failures, pauses. Each further failure doubles the pause, up to a minute. */
function createBackOff(store: CounterStore, name: WindowName) {
  const { most: free, seconds } = windows[name];
  const failures = createWindows(store, `${name}-failures`, seconds * 1000);
  const pauses = createWindows(store, `${name}-pauses`, maxPauseSeconds * 1000);
  return {
    async count(key: string, heedsPause = true): Promise<void> {
      const local = () => {
        const [pause, left] = pauses.addLocally(key, 0);
        if (heedsPause && pause > 0) return left;
        const over = failures.addLocally(key, 1)[0] - free;
        if (over >= 0) pauses.beginLocally(key, Math.min(2 ** over, maxPauseSeconds) * 1000);
        return 0;
      };
      const keys = [failures.toKey(key), pauses.toKey(key)];
      const args = [heedsPause ? 1 : 0, seconds * 1000, free, maxPauseSeconds];
      const msLeft = await store.count({ script: countTry, keys, args, local });
      if (msLeft > 0) throw rateLimited("sign_ins", msLeft);
    },
    async takeBack(key: string): Promise<void> {
      await Promise.all([failures.add(key, -1), pauses.forget(key)]);
    },
    async forget(key: string): Promise<void> {
      await Promise.all([failures.forget(key), pauses.forget(key)]);
    },
  };
}

function toKeys(guessed: Guessed, ipAddress: string, email: string) {
  const address = toAddressKey(ipAddress);
  const account = `${guessed} ${toAccountKey(email)}`;
  return { address, account, both: `${address} ${account}` };
}

/** A short key for any input, so Redis contains no email addresses. */
function toAccountKey(email: string): string {
  const account = toNfc(email.trim(), maxGivenEmail).toLowerCase().slice(0, 254);
  return createHash("sha256").update(account).digest("base64url");
}
