import rateLimit from "@fastify/rate-limit";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import fp from "fastify-plugin";
import type { Config } from "../config.js";
import { toAddressKey } from "../domain/shared/address-key.js";
import { onResponseClosed } from "./answer-end.js";
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
import type { LimitHomeOf } from "./quota-organizations.js";
import { createSignInThrottle, noThrottle, type SignInThrottle } from "./sign-in-throttle.js";
import { rateLimited } from "./rate-limited.js";
import { createWindows } from "./windows.js";

/**
 * Adds `by` to the key's count, by default one. Throws if the count exceeds the limit. -1 undoes
 * one.
 */
type Limit = (key: string, by?: number) => Promise<void>;

declare module "fastify" {
  interface FastifyReply {
    leaveOrganization: (() => void) | null;
  }
}

export interface Limits {
  signInThrottle: SignInThrottle;
  /** Returns the rate-limit key of a person in an organization. */
  atHome: (caller: CallerKey) => Promise<CallerKey>;
  createCallerLimit: (name: string) => CallerLimit;
  /** Takes one of the organization's concurrency slots until the response is ready to send. */
  enterOrganization: (caller: CallerKey, reply: FastifyReply) => Promise<void>;
  /**
   * Waits for the caller's turn to change several records. Returns the function that ends the turn.
   */
  takeTurn: (caller: CallerKey) => Promise<() => void>;
  /** For keys that a route's own limit doesn't know. */
  createLimit: (name: WindowName) => Limit;
  limitSettings: Limit;
  /** Like `createLimit`, by the request's address. */
  createAddressLimit: (name: WindowName) => (request: FastifyRequest, by?: 1 | -1) => Promise<void>;
  routeStore: ReturnType<typeof createRouteStore>;
  endLimits: () => void;
}

const noLimit: Limit = async () => undefined;

interface LimitOptions {
  config: Config;
  log: FastifyBaseLogger;
  quotaOrganizationOf: LimitHomeOf;
  /** Storage of counters. Defaults to Redis or memory, as configured. */
  counters?: CounterStore | undefined;
}

/** Creates limits that count in Redis if configured. With `RATE_LIMIT=off`, nothing is limited. */
export async function createLimits(options: LimitOptions): Promise<Limits> {
  const { config, quotaOrganizationOf } = options;
  const isOn = config.rateLimit;
  const store = options.counters ?? (await openStore(options));
  const places = createPlaces();
  // The embedded database does nothing else during such a change.
  const turns = createTurns({ together: config.databaseUrl === undefined });
  const atHome: Limits["atHome"] = async ({ organizationId, userId }) => ({
    organizationId: await quotaOrganizationOf(organizationId),
    userId,
  });
  const createLimit: Limits["createLimit"] = (name) => {
    if (!isOn) return noLimit;
    const { most, seconds, refusal, ofNode }: Window = windows[name];
    const counted = createWindows(ofNode === true ? memoryStore : store, name, seconds * 1000);
    return async (key, by = 1) => {
      const { count, msLeft } = await counted.add(key, by);
      if (by > 0 && count > most) throw rateLimited(refusal, msLeft);
    };
  };
  return {
    signInThrottle: isOn ? createSignInThrottle(store) : noThrottle,
    atHome,
    createCallerLimit: (name) => (isOn ? createCallerLimit(store, name, places) : noCallerLimit),
    enterOrganization: async (caller, reply) => {
      if (!isOn) return;
      const leave = await places(await atHome(caller));
      if (leave === undefined) throw rateLimited("organization", 1000);
      reply.leaveOrganization = once(leave);
      onResponseClosed(reply, reply.leaveOrganization);
    },
    takeTurn: async (caller) => {
      const leave = isOn ? await turns(await atHome(caller)) : () => undefined;
      if (leave === undefined) throw rateLimited("several", 1000);
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

/** Limits by address for routes with `config.rateLimit`. */
export const limitsPlugin = fp(async (app) => {
  const { config, routeStore } = app.services;
  await app.register(rateLimit, {
    global: false,
    allowList: () => !config.rateLimit,
    keyGenerator: ({ ip }) => toAddressKey(ip),
    store: routeStore,
    errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
      rateLimited("network", ttl),
  });
  app.decorateReply("leaveOrganization", null);
  // A slow reader holds a personal slot, but none of the organization's.
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

/** The store for `@fastify/rate-limit`, with a window per route. */
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
