import { createHash } from "node:crypto";
import { maxGivenEmail, toNfc } from "../domain/values/text.js";
import { toAddressKey } from "./address-key.js";
import type { CounterStore } from "./counter-store.js";
import { tooMany } from "./too-many.js";
import { createWindows } from "./windows.js";

/** What is guessed. Who knows the password must not clear the tries of the second factor by it. */
export type Guessed = "password" | "factor";

/** Slows down guessing. */
export interface SignInThrottle {
  /** Counts a try before it is looked at; refuses it when it comes too early. */
  begin: (guessed: Guessed, ipAddress: string, email: string) => Promise<void>;
  /** It was right: this try is taken back, those before stay. */
  takeBack: (guessed: Guessed, ipAddress: string, email: string) => Promise<void>;
  /** Forgets the tries at the account from everywhere, and knows this address for a week. */
  forget: (guessed: Guessed, ipAddress: string, email: string) => Promise<void>;
}

export const noThrottle: SignInThrottle = {
  begin: async () => undefined,
  takeBack: async () => undefined,
  forget: async () => undefined,
};

/** Failed tries in an hour that cost nothing: on one account from one address, and from all. */
const freeTries = 5;
const freeTriesEverywhere = 100;
const triesOfAddress = 10;
const maxPauseSeconds = 60;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const weekMs = 7 * 24 * hourMs;

/**
 * Ten failed tries in five minutes from one address, those within a pause as well, so nobody can
 * keep asking for the end of it. On one account a pause for the address that failed; only a guess
 * from many addresses pauses the account everywhere, but where its owner has signed in lately.
 */
export function createSignInThrottle(store: CounterStore): SignInThrottle {
  const byAddress = createWindows(store, "sign-ins", 5 * minuteMs);
  const here = createBackOff(store, "sign-ins-here", freeTries);
  const everywhere = createBackOff(store, "sign-ins-everywhere", freeTriesEverywhere);
  const known = createWindows(store, "sign-ins-known", weekMs);
  return {
    async begin(...guess) {
      const { address, account, both } = toKeys(...guess);
      const tries = await byAddress.add(address);
      if (tries.count > triesOfAddress) throw tooMany("sign_ins", tries.msLeft);
      await here.check(both);
      if ((await known.add(both, 0)).count === 0) await everywhere.check(account);
      await Promise.all([here.count(both), everywhere.count(account)]);
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

/** After the free failures a pause that doubles with every further one, up to a minute. */
function createBackOff(store: CounterStore, name: string, free: number) {
  const failures = createWindows(store, `${name}-failures`, hourMs);
  const pauses = createWindows(store, `${name}-pauses`, maxPauseSeconds * 1000);
  return {
    async check(key: string): Promise<void> {
      const pause = await pauses.add(key, 0);
      if (pause.count > 0) throw tooMany("sign_ins", pause.msLeft);
    },
    async count(key: string): Promise<void> {
      const { count } = await failures.add(key);
      if (count < free) return;
      await pauses.begin(key, Math.min(2 ** (count - free), maxPauseSeconds) * 1000);
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

/** Short whatever was typed, and no address of a person in Redis. */
function toAccountKey(email: string): string {
  const account = toNfc(email.trim(), maxGivenEmail).toLowerCase().slice(0, 254);
  return createHash("sha256").update(account).digest("base64url");
}
