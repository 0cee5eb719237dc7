import rateLimit from "@fastify/rate-limit";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import fp from "fastify-plugin";
import type { Config } from "../config.js";
import { toAddressKey } from "../domain/shared/address-key.js";
import { whenOver } from "./answer-end.js";
import { windows, type Window, type WindowName } from "./bounds.js";
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
import { tooMany } from "./too-many.js";
import { createWindows } from "./windows.js";

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
  /** For what a route's own limit cannot tell. */
  createLimit: (name: WindowName) => Limit;
  /** Counts a form of settings, by its person. */
  limitSettings: Limit;
  /** As `createLimit`, for the address of a request. */
  createAddressLimit: (name: WindowName) => (request: FastifyRequest, by?: 1 | -1) => Promise<void>;
  /** Where routes count their addresses. */
  routeStore: ReturnType<typeof createRouteStore>;
  endLimits: () => void;
}

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
  const createLimit: Limits["createLimit"] = (name) => {
    if (!isOn) return noLimit;
    const { most, seconds, refusal, ofNode }: Window = windows[name];
    const counted = createWindows(ofNode === true ? memoryStore : store, name, seconds * 1000);
    return async (key, by = 1) => {
      const { count, msLeft } = await counted.add(key, by);
      if (by > 0 && count > most) throw tooMany(refusal, msLeft);
    };
  };
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
    createLimit,
    limitSettings: createLimit("settings-of-person"),
    createAddressLimit: (name) => {
      const limit = createLimit(name);
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
