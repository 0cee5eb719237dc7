import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { BridgeError } from "../common/errors.js";
import type { Settings } from "../common/settings.js";

/** The keep-alive connections of this process, by how an address is reached. */
export interface Agents {
  of: (url: URL) => Promise<Route>;
  close: () => void;
}

/** What a request to some address needs: an agent for proxies hands the CAs to the proxy only. */
export interface Route {
  agent: http.Agent;
  ca?: string[];
}

/**
 * A connection that was not used for longer may be dead without a sign: after a sleep, behind a
 * router that forgot it, at a server that just gave it up. What is written to it may be lost.
 */
const maxIdleMs = 10_000;

export function createAgents(settings: Settings): Agents {
  const routes = new Map<string, Promise<Route>>();
  // The clock on the wall goes on while the machine sleeps.
  let usedAt = Date.now();
  const getRoute = (key: string, create: () => Promise<Route>) => {
    const known = routes.get(key) ?? create();
    routes.set(key, known);
    return known;
  };
  return {
    of: async (url) => {
      const now = Date.now();
      if (now - usedAt > maxIdleMs) {
        for (const route of routes.values()) endIdleConnections((await route).agent);
      }
      usedAt = now;
      if (url.protocol === "http:") {
        return getRoute("http", async () => ({ agent: new http.Agent({ keepAlive: true }) }));
      }
      const proxy = await findProxy(url, settings);
      return getRoute(`https ${proxy}`, async () => createHttpsRoute(proxy, settings));
    },
    close: () => {
      for (const route of routes.values()) {
        route.then(
          ({ agent }) => {
            agent.destroy();
          },
          () => undefined,
        );
      }
    },
  };
}

function endIdleConnections({ freeSockets }: http.Agent): void {
  for (const sockets of Object.values(freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

async function createHttpsRoute(proxy: string, settings: Settings): Promise<Route> {
  const ca = await caOption(settings);
  if (proxy === "") return { agent: new https.Agent({ keepAlive: true }), ...ca };
  const { HttpsProxyAgent } = await import("https-proxy-agent");
  return { agent: new HttpsProxyAgent(proxy, { keepAlive: true, ...ca }), ...ca };
}

/** The proxy of HTTPS_PROXY unless NO_PROXY names the host; "" for none. Plain http stays direct. */
export async function findProxy(url: URL, { environment }: Settings): Promise<string> {
  if (!environment["HTTPS_PROXY"] && !environment["https_proxy"]) return "";
  const { getProxyForUrl } = await import("proxy-from-env");
  return getProxyForUrl(url.href);
}

/** Setting any CA replaces Node's own list, so that and what Node was given go in again. */
async function caOption({ caFile, environment }: Settings): Promise<{ ca?: string[] }> {
  if (caFile === undefined) return {};
  const { rootCertificates } = await import("node:tls");
  const given = environment["NODE_EXTRA_CA_CERTS"];
  const files = new Set([caFile, ...(given === undefined || given === "" ? [] : [given])]);
  return { ca: [...rootCertificates, ...[...files].map(readCa)] };
}

function readCa(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new BridgeError("wrong_usage", `The CA file "${file}" cannot be read.`, { cause: error });
  }
}
