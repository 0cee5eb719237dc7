import rateLimit from "@fastify/rate-limit";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import fp from "fastify-plugin";
import type { Config } from "../config.js";
import { toAddressKey } from "../domain/shared/address-key.js";
import { whenOver } from "./answer-end.js";
import {
  createCallerLimit,
  createPlaces,
  createTurns,
  noCallerLimit,
  type CallerKey,
  type CallerLimit,
} from "./caller-limit.js";
import { memoryStore, openRedisStore, type CounterStore } from "./counter-store.js";
import type { LimitHomeOf } from "./limit-homes.js";
import { createSignInThrottle, noThrottle, type SignInThrottle } from "./sign-in-throttle.js";
import { tooMany, type TooOften } from "./too-many.js";
import { createWindows, type Windows } from "./windows.js";

/** Counts one more of a key, or several, and refuses when that is too many in its time; -1 gives back. */
type Limit = (key: string, by?: number) => Promise<void>;

declare module "fastify" {
  interface FastifyReply {
    leaveOrganization: (() => void) | null;
  }
}

export interface Limits {
  signInThrottle: SignInThrottle;
  /** As whom limits count someone in an organization. */
  atHome: (caller: CallerKey) => Promise<CallerKey>;
  createCallerLimit: (name: string) => CallerLimit;
  /** A place among all that an organization does at the same time, until the answer is there to be sent. */
  enterOrganization: (caller: CallerKey, reply: FastifyReply) => Promise<void>;
  /** Waits until it is someone's turn to change several records; ends with what is given back. */
  takeTurn: (caller: CallerKey) => Promise<() => void>;
  /** For what a route's own limit cannot tell; `what` words the refusal. */
  createMinuteLimit: (name: string, perMinute: number, what: TooOften) => Limit;
  /** The same in other seconds, for what keeps the processor of this node busy. */
  createNodeLimit: (name: string, most: number, seconds: number, what: TooOften) => Limit;
  /** For what leaves rows that stay. */
  createHourLimit: (name: string, perHour: number, what: TooOften) => Limit;
  /** Counts a form of settings, by its person: each may leave a line in the activity log, which stays. */
  limitSettings: Limit;
  /** As `createMinuteLimit`, for the address of a request. */
  createAddressLimit: (
    name: string,
    perMinute: number,
  ) => (request: FastifyRequest, by?: 1 | -1) => Promise<void>;
  /** Where routes count their addresses. */
  routeStore: ReturnType<typeof createRouteStore>;
  endLimits: () => void;
}

const minuteMs = 60_000;
const settingsPerHour = 600;

const noLimit: Limit = async () => undefined;

interface LimitOptions {
  config: Config;
  log: FastifyBaseLogger;
  limitHomeOf: LimitHomeOf;
  /** Where limits count: unless given, in Redis or in memory, as the configuration says. */
  counters?: CounterStore | undefined;
}

/** They count in Redis if there is one. With `RATE_LIMIT=off` all let everything through. */
export async function createLimits(options: LimitOptions): Promise<Limits> {
  const { config, limitHomeOf } = options;
  const isOn = config.rateLimit;
  const store = options.counters ?? (await openStore(options));
  const places = createPlaces();
  // The embedded database does nothing else meanwhile.
  const turns = createTurns({ together: config.databaseUrl === undefined });
  const atHome: Limits["atHome"] = async ({ organizationId, userId }) => ({
    organizationId: await limitHomeOf(organizationId),
    userId,
  });
  const limitsIn =
    (counters: CounterStore, ms: number) => (name: string, most: number, what: TooOften) =>
      isOn ? createLimit(createWindows(counters, name, ms), most, what) : noLimit;
  const createMinuteLimit = limitsIn(store, minuteMs);
  const createHourLimit = limitsIn(store, 60 * minuteMs);
  return {
    signInThrottle: isOn ? createSignInThrottle(store) : noThrottle,
    atHome,
    createCallerLimit: (name) => (isOn ? createCallerLimit(store, name, places) : noCallerLimit),
    enterOrganization: async (caller, reply) => {
      if (!isOn) return;
      const leave = await places(await atHome(caller));
      if (leave === undefined) throw tooMany("organization", 1000);
      reply.leaveOrganization = once(leave);
      whenOver(reply, reply.leaveOrganization);
    },
    takeTurn: async (caller) => {
      const leave = isOn ? await turns(await atHome(caller)) : () => undefined;
      if (leave === undefined) throw tooMany("several", 1000);
      return leave;
    },
    createMinuteLimit,
    createNodeLimit: (name, most, seconds, what) =>
      limitsIn(memoryStore, seconds * 1000)(name, most, what),
    createHourLimit,
    limitSettings: createHourLimit("settings-of-person", settingsPerHour, "messages"),
    createAddressLimit: (name, perMinute) => {
      const limit = createMinuteLimit(name, perMinute, "network");
      return (request, by) => limit(toAddressKey(request.ip), by);
    },
    routeStore: createRouteStore(store),
    endLimits: () => {
      store.close();
    },
  };
}

/** Limits by address for the routes that ask for one (`config.rateLimit`). */
export const limitsPlugin = fp(async (app) => {
  const { config, routeStore } = app.services;
  await app.register(rateLimit, {
    global: false,
    allowList: () => !config.rateLimit,
    keyGenerator: ({ ip }) => toAddressKey(ip),
    store: routeStore,
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
      tooMany("network", ttl),
  });
  app.decorateReply("leaveOrganization", null);
  // Who reads slowly keeps a place of their own, and none of the organization.
  app.addHook("onSend", (_request, reply, _payload, done) => {
    reply.leaveOrganization?.();
    done();
  });
});

function once(leave: () => void): () => void {
  let hasLeft = false;
  return () => {
    if (!hasLeft) leave();
    hasLeft = true;
  };
}

function createLimit(windows: Windows, most: number, what: TooOften): Limit {
  return async (key, by = 1) => {
    const { count, msLeft } = await windows.add(key, by);
    if (by > 0 && count > most) throw tooMany(what, msLeft);
  };
}

async function openStore({ config, log }: LimitOptions): Promise<CounterStore> {
  if (!config.rateLimit || config.redisUrl === undefined) return memoryStore;
  return openRedisStore(config.redisUrl, log);
}

interface RouteParams {
  routeInfo: Pick<RouteOptions, "method" | "url">;
  timeWindow: number;
}

type Done = (error: Error | null, use?: { current: number; ttl: number }) => void;

/** What `@fastify/rate-limit` counts with: windows for each route. */
function createRouteStore(store: CounterStore) {
  const toRouteStore = ({ routeInfo: { method, url }, timeWindow }: RouteParams) => {
    const windows = createWindows(store, `${String(method)} ${url}`, timeWindow);
    return Object.assign(new RouteStore(), {
      incr: (key: string, done: Done) => {
        windows.add(key).then(({ count, msLeft }) => {
          done(null, { current: count, ttl: msLeft });
        }, done);
      },
    });
  };
  class RouteStore {
    incr(_key: string, done: Done): void {
      done(new Error("Only routes are counted."));
    }
    child(route: unknown) {
      return toRouteStore(route as RouteParams);
    }
  }
  return RouteStore;
}
