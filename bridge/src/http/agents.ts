import type { HttpsProxyAgent } from "https-proxy-agent";
import { readFileSync } from "node:fs";
import type http from "node:http";
import type { SecureContext } from "node:tls";
import { BridgeError, errorMessage } from "../common/errors.js";
import type { Settings } from "../common/settings.js";

export const nameAdvice = "Check the address for typing mistakes, your connection, and your VPN.";

export const otherUserAdvice =
  "Check that your server runs. If it is meant to be that user's, it has to be reached by https.";

/** What to do about a certificate that is not trusted, by the code of TLS; undefined for other errors. */
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

/** Whom a connection trusts, and as whom it introduces itself; nothing where Node's own rules hold. */
interface Certificates {
  ca?: string[];
  /** Made once, for reading all authorities again costs time with every connection. */
  secureContext?: SecureContext;
}

/** From Node 22.15 on; what organizations put there is unknown to Node otherwise. */
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
  // Setting any replaces Node's own list, so that and what Node was given go in again.
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

/** The authorities that this system trusts; none where this Node cannot read them. */
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

/** The keep-alive connections of this process, by how an address is reached. */
export type Agents = ReturnType<typeof createAgents>;

/** What a request to some address needs: an agent for proxies hands its own to the proxy only. */
export interface Route {
  /** Of the module for the address; a client's first question is answered without either. */
  request: typeof http.request;
  agent: http.Agent;
  secureContext?: SecureContext;
  proxy: string;
}

/** A connection that was idle for longer may be dead without a sign, as after a sleep. What is sent may be lost. */
const maxIdleMs = 10_000;
const proxyMs = 10_000;

export function createAgents(
  settings: Settings,
  readSystem = readSystemAuthorities,
  limitMs = proxyMs,
) {
  const routes = new Map<string, Promise<Route>>();
  let system: readonly string[] | undefined;
  // The clock on the wall goes on while the machine sleeps.
  let usedAt = Date.now();
  const getRoute = (key: string, create: () => Promise<Route>) => {
    const known = routes.get(key) ?? create();
    routes.set(key, known);
    // What was missing, as a file while it is renewed, may be there the next time.
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
    /** From then on authorities of the system are trusted too. False when that changes nothing. */
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

/** The agent writes its address to stderr where DEBUG says so, and hosts keep that in files. */
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

/** Of a request without a socket, as it is before the proxy has answered, Node ends nothing. */
function limitProxy(agent: HttpsProxyAgent<string>, limitMs: number): void {
  const { connectOpts } = agent;
  const connect = agent.connect.bind(agent);
  agent.connect = async (...request) => {
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort();
    }, limitMs);
    // Taken up before anything is waited for.
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

/** Calls back with the reason when it is the proxy that refuses, whose answer looks like the server's. */
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

/** The proxy of HTTPS_PROXY unless NO_PROXY names the host; "" for none. Plain http stays direct. */
export async function findProxy(url: URL, { environment }: Settings): Promise<string> {
  if (!environment["HTTPS_PROXY"] && !environment["https_proxy"]) return "";
  const { getProxyForUrl } = await import("proxy-from-env");
  return getProxyForUrl(url.href);
}
