import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { maxGivenEmail, toNfc } from "../domain/values/text.js";
import { AppError } from "../errors.js";

/** Slows down guessing of passwords. */
export interface SignInThrottle {
  /** Counts a try before its password is looked at; refuses it when it comes too early. */
  begin: (ipAddress: string, email: string) => Promise<void>;
  /** The password was right: the account's and the address's tries are forgotten. */
  succeed: (ipAddress: string, email: string) => Promise<void>;
}

declare module "fastify" {
  interface FastifyInstance {
    signInThrottle: SignInThrottle;
    /** For what a route's own limit cannot tell: refuses an address that has used up its minute. */
    createAddressLimit: (perMinute: number) => (request: FastifyRequest) => Promise<void>;
    /** The same for what is opened by a key, whoever opens it. */
    createKeyLimit: (perMinute: number) => (key: string) => Promise<void>;
  }
}

/**
 * Limits by address for the routes that ask for one (`config.rateLimit`), and the throttle of
 * sign-in. With `RATE_LIMIT=off` both let everything through.
 */
export const limitsPlugin = fp(async (app) => {
  const isOff = !app.config.rateLimit;
  await app.register(rateLimit, {
    global: false,
    allowList: () => isOff,
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
      tooMany("network", ttl),
  });
  app.decorate("signInThrottle", isOff ? noThrottle : createSignInThrottle());
  app.decorate("createAddressLimit", (perMinute) => createAddressLimit(app, perMinute));
  app.decorate("createKeyLimit", (perMinute) => createKeyLimit(app, perMinute));
});

function createAddressLimit(
  app: FastifyInstance,
  perMinute: number,
): (request: FastifyRequest) => Promise<void> {
  const limit = app.createRateLimit({ max: perMinute, timeWindow: "1 minute" });
  return async (request) => {
    if (!app.config.rateLimit) return;
    const use = await limit(request);
    if (!use.isAllowed && use.isExceeded) throw tooMany("network", use.ttl);
  };
}

function createKeyLimit(app: FastifyInstance, perMinute: number): (key: string) => Promise<void> {
  const limit = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (key) => {
    if (!app.config.rateLimit) return;
    const use = await limit.penalty(key);
    if (use.consumedPoints > perMinute) {
      throw tooMany("openings", use.msBeforeNext);
    }
  };
}

const noThrottle: SignInThrottle = {
  begin: async () => undefined,
  succeed: async () => undefined,
};

/** Failed tries in an hour that cost nothing: on one account from one address, and from all. */
const freeTries = 5;
const freeTriesEverywhere = 100;
const maxPauseSeconds = 60;
const weekSeconds = 7 * 24 * 3600;

/**
 * Ten failed tries in five minutes from one address, those within a pause as well, so nobody can
 * keep asking for the end of it. On one account a pause for the address that failed; only a guess
 * from many addresses pauses the account everywhere, but where its owner has signed in lately.
 */
export function createSignInThrottle(): SignInThrottle {
  const byAddress = new RateLimiterMemory({ points: 10, duration: 300 });
  const here = createBackOff(freeTries);
  const everywhere = createBackOff(freeTriesEverywhere);
  const known = new RateLimiterMemory({ points: 1, duration: weekSeconds });
  return {
    async begin(ipAddress, email) {
      const { address, account, both } = toKeys(ipAddress, email);
      const tries = await byAddress.penalty(address);
      if (tries.consumedPoints > 10) throw tooMany("sign_ins", tries.msBeforeNext);
      await here.check(both);
      if ((await known.get(both)) === null) await everywhere.check(account);
      await Promise.all([here.count(both), everywhere.count(account)]);
    },
    async succeed(ipAddress, email) {
      const { address, account, both } = toKeys(ipAddress, email);
      await byAddress.reward(address);
      await known.set(both, 1, weekSeconds);
      await Promise.all([here.forget(both), everywhere.forget(account)]);
    },
  };
}

/** After the free failures a pause that doubles with every further one, up to a minute. */
function createBackOff(free: number) {
  const failures = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 3600 });
  const pauses = new RateLimiterMemory({ points: 1, duration: maxPauseSeconds });
  return {
    async check(key: string): Promise<void> {
      const pause = await pauses.get(key);
      if (pause !== null && pause.msBeforeNext > 0) throw tooMany("sign_ins", pause.msBeforeNext);
    },
    async count(key: string): Promise<void> {
      const { consumedPoints } = await failures.penalty(key);
      if (consumedPoints < free) return;
      await pauses.block(key, Math.min(2 ** (consumedPoints - free), maxPauseSeconds));
    },
    async forget(key: string): Promise<void> {
      await Promise.all([failures.delete(key), pauses.delete(key)]);
    },
  };
}

function toKeys(ipAddress: string, email: string) {
  const address = normalizeIP(ipAddress);
  const account = toAccountKey(email);
  return { address, account, both: `${address} ${account}` };
}

function toAccountKey(email: string): string {
  return toNfc(email.trim(), maxGivenEmail).toLowerCase().slice(0, 254);
}

/** One person has too many pages under way, or asked for too many lately. */
export function tooManyPages(seconds: number): AppError {
  return tooMany("pages", seconds * 1000);
}

function tooMany(what: "network" | "sign_ins" | "openings" | "pages", waitMs: number): AppError {
  const details = { what, retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)) };
  return new AppError("rate_limited", "too_many_requests", details);
}
