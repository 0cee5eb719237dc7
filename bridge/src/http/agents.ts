import type { HttpsProxyAgent } from "https-proxy-agent";
import { readFileSync } from "node:fs";
import type http from "node:http";
import type { SecureContext } from "node:tls";
import { BridgeError, errorMessage } from "../common/errors.js";
import type { Settings } from "../common/settings.js";

export const nameAdvice = "Check the address for typing mistakes, your connection, and your VPN.";

export const otherUserAdvice =
  "Check that your server runs. If it is meant to be that user's, it has to be reached by https.";

/** Advice for an untrusted certificate, by TLS error code. Undefined for other errors. */
export function certificateAdvice(code = ""): string | undefined {
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) {
    return "Check the clock of this computer; if it is right, the server needs a new certificate.";
  }
  if (code.includes("ALTNAME")) return "Use the name that the certificate was made for.";
  return /CERT|VERIFY|ISSUER/.test(code)
    ? "If that is the certificate authority of your organization, save it in PEM form and name " +
        "the file with --ca-file or NODE_EXTRA_CA_CERTS."
    : undefined;
}

/** Trusted authorities and the client certificate. Empty if Node's defaults apply. */
interface Certificates {
  ca?: string[];
  /** Created once, because loading all authorities for each connection is slow. */
  secureContext?: SecureContext;
}

/**
 * From Node 22.15 on. Without it, Node doesn't know authorities that organizations install in the
 * system.
 */
type GetCaCertificates = ((type: "system") => string[]) | undefined;

async function readCertificates(
  { caFile, cert, key = cert, environment }: Settings,
  system: readonly string[] = [],
): Promise<Certificates> {
  const own = caFile !== undefined || system.length > 0;
  if (!own && cert === undefined) return {};
  const { createSecureContext, rootCertificates } = await import("node:tls");
  const extra = environment["NODE_EXTRA_CA_CERTS"];
  const files = new Set([caFile, extra].filter((file) => file !== undefined && file !== ""));
  // Setting `ca` replaces Node's list, so include Node's list and NODE_EXTRA_CA_CERTS.
  const trust = own && {
    ca: [...rootCertificates, ...[...files].map((file) => read(file, "CA file")), ...system],
  };
  const identity = cert !== undefined && { cert: read(cert, "certificate"), key: read(key, "key") };
  try {
    return { ...trust, secureContext: createSecureContext({ ...trust, ...identity }) };
  } catch (cause) {
    const message = `The client certificate and its key cannot be used: ${errorMessage(cause)}`;
    throw new BridgeError("wrong_usage", message, { cause });
  }
}

/** The system's trusted authorities. Empty if this Node version can't read them. */
async function readSystemAuthorities(): Promise<string[]> {
  const tls = (await import("node:tls")) as { getCACertificates?: GetCaCertificates };
  return tls.getCACertificates?.("system") ?? [];
}

export const unknownAuthorityCodes = [
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
];

function read(file: string | undefined, what: string): string {
  try {
    return readFileSync(file ?? "", "utf8");
  } catch (cause) {
    throw new BridgeError("wrong_usage", `The ${what} "${file ?? ""}" cannot be read.`, { cause });
  }
}

export type Agents = ReturnType<typeof createAgents>;

/**
 * The agent, module and options of a request. A proxy agent passes its own options only to the
 * proxy.
 */
export interface Route {
  /**
   * From the module for the protocol. The client's first request is answered without loading
   * either.
   */
  request: typeof http.request;
  agent: http.Agent;
  secureContext?: SecureContext;
  proxy: string;
}

/**
 * A connection that was idle longer may be dead without notice, for example after sleep. Requests
 * on it may be lost.
 */
const maxIdleMs = 10_000;
const proxyMs = 10_000;

export function createAgents(
  settings: Settings,
  readSystem = readSystemAuthorities,
  limitMs = proxyMs,
) {
  const routes = new Map<string, Promise<Route>>();
  let system: readonly string[] | undefined;
  // The wall clock continues while the machine sleeps.
  let usedAt = Date.now();
  const getRoute = (key: string, create: () => Promise<Route>) => {
    const known = routes.get(key) ?? create();
    routes.set(key, known);
    // A missing file may exist next time, for example after renewal.
    void known.catch(() => routes.delete(key));
    return known;
  };
  return {
    of: async (url: URL): Promise<Route> => {
      const now = Date.now();
      if (now - usedAt > maxIdleMs) {
        for (const route of routes.values()) endIdleConnections((await route).agent);
      }
      usedAt = now;
      if (url.protocol === "http:") {
        return getRoute("http", async () => {
          const { request } = await import("node:http");
          const { createLocalAgent } = await import("../common/peer.js");
          return { request, agent: createLocalAgent(), proxy: "" };
        });
      }
      const proxy = await findProxy(url, settings);
      return getRoute(`https ${proxy}`, async () =>
        createHttpsRoute({ proxy, limitMs }, settings, system),
      );
    },
    /** From now on trusts the system's authorities too. Returns false if that changes nothing. */
    trustSystem: async (): Promise<boolean> => {
      if (system !== undefined) return false;
      system = await readSystem();
      routes.clear();
      return system.length > 0;
    },
    close: (): void => {
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

async function createHttpsRoute(
  { proxy, limitMs }: { proxy: string; limitMs: number },
  settings: Settings,
  system: readonly string[] | undefined,
): Promise<Route> {
  const { request, Agent } = await import("node:https");
  const { ca, secureContext } = await readCertificates(settings, system);
  const route = { request, proxy, ...(secureContext && { secureContext }) };
  if (proxy === "") return { ...route, agent: new Agent({ keepAlive: true }) };
  const { HttpsProxyAgent } = await import("https-proxy-agent");
  const trust = ca === undefined ? {} : { ca };
  const { address, headers } = takeCredentials(proxy);
  const agent = new HttpsProxyAgent(address, { keepAlive: true, headers, ...trust });
  limitProxy(agent, limitMs);
  return { ...route, agent };
}

/**
 * Keeps credentials out of the address: the agent logs it to stderr with DEBUG, and hosts store
 * that.
 */
function takeCredentials(proxy: string): { address: URL; headers: () => http.OutgoingHttpHeaders } {
  const address = new URL(proxy);
  const { username, password } = address;
  address.username = "";
  address.password = "";
  const headers = () => {
    if (username === "" && password === "") return {};
    const pair = [username, password].map(decodeURIComponent).join(":");
    return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
  };
  return { address, headers };
}

/** Limits the wait for the proxy. Node can't end a request that has no socket yet. */
function limitProxy(agent: HttpsProxyAgent<string>, limitMs: number): void {
  const { connectOpts } = agent;
  const connect = agent.connect.bind(agent);
  agent.connect = async (...request) => {
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort();
    }, limitMs);
    // The agent reads it before its first await.
    agent.connectOpts = { ...connectOpts, signal: limit.signal };
    try {
      return await connect(...request);
    } catch (cause) {
      throw limit.signal.aborted ? new Error("the proxy does not answer", { cause }) : cause;
    } finally {
      clearTimeout(timer);
    }
  };
}

export const proxyAdvice = "Ask who runs the proxy, or name the server in NO_PROXY.";

/** Calls back with the reason if the proxy refuses. Its response looks like the server's. */
export function onProxyRefusal(
  outgoing: http.ClientRequest,
  proxy: string,
  then: (reason: string) => void,
): void {
  outgoing.once("proxyConnect", ({ statusCode }: { statusCode: number }) => {
    if (statusCode !== 200) then(describeProxyRefusal(new URL(proxy), statusCode));
  });
}

function describeProxyRefusal({ host, username }: URL, status: number): string {
  if (status !== 407) return `the proxy ${host} refuses to connect to it (status ${status})`;
  return username === ""
    ? `the proxy ${host} asks for a name and password; put them into HTTPS_PROXY, as in http://name:password@${host}`
    : `the proxy ${host} does not accept the name and password in HTTPS_PROXY`;
}

/** The proxy from HTTPS_PROXY unless NO_PROXY names the host, or "". Plain HTTP is direct. */
export async function findProxy(url: URL, { environment }: Settings): Promise<string> {
  if (!environment["HTTPS_PROXY"] && !environment["https_proxy"]) return "";
  const { getProxyForUrl } = await import("proxy-from-env");
  return getProxyForUrl(url.href);
}
