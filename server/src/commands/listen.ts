import { createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.js";
import { StartError } from "../errors.js";

/** The other address of `localhost`. Browsers and most programs try it first if there is IPv6. */
const otherLoopback = "::1";

/**
 * Listens at the configured address. A client of `localhost` may use either of its addresses, so
 * both are bound. Otherwise another user of the machine could listen at the free one and receive
 * passwords and tokens.
 */
export async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const other = namesBoth(config) ? createOther(app) : undefined;
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    throw toStartError(error, config);
  }
  if (other !== undefined) await listenIfThere(other, config);
}

function namesBoth({ host, baseUrl }: Pick<Config, "host" | "baseUrl">): boolean {
  return host === "127.0.0.1" && new URL(baseUrl).hostname === "localhost";
}

/** Passes its connections to the server, which waits for them when closing. */
function createOther(app: FastifyInstance): Server {
  // Node's HTTP server uses these options.
  const options = { allowHalfOpen: true, noDelay: true };
  const other = createServer(options, (socket) => app.server.emit("connection", socket));
  let closed: Promise<unknown> | undefined;
  app.addHook("preClose", (done) => {
    closed = new Promise((resolve) => other.close(resolve));
    done();
  });
  app.addHook("onClose", async () => {
    await closed;
  });
  return other;
}

/** A machine without IPv6 lacks the address, so no one else can listen there. */
async function listenIfThere(server: Server, { port }: Config): Promise<void> {
  const code = await tryListening(server, otherLoopback, port);
  if (code === undefined || code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") return;
  throw new StartError(
    `Port ${port} on ${otherLoopback} is not available (${code}), and browsers look for localhost there first: they would ` +
      `come to another program. Stop that, set PORT to another port, or BASE_URL to http://127.0.0.1:${port}.`,
  );
}

/** Returns the error code, if any. */
function tryListening(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message);
    });
    server.listen({ host, port, ipv6Only: true }, () => {
      resolve(undefined);
    });
  });
}

function toStartError(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new StartError(
      `Port ${port} on ${host} is already in use. Stop the other program, or set PORT to another port.`,
    );
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new StartError(
      `Fettle cannot listen on ${host} port ${port} (${code}). Set HOST and PORT to an address this machine may use.`,
    );
  }
  return error;
}

/** With PORT=0, selects a free port first, because the issuer and every link contain it. */
export async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  for (;;) {
    const port = await findFreePort(config.host);
    const baseUrl = config.baseUrlGiven ? config.baseUrl : `http://localhost:${port}`;
    if (!namesBoth({ ...config, baseUrl }) || (await isFree(port)))
      return { ...config, port, baseUrl };
  }
}

/** Returns true if the port is also free at the second address. */
async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const code = await tryListening(probe, otherLoopback, port);
  if (code !== undefined) return code !== "EADDRINUSE";
  await new Promise((closed) => probe.close(closed));
  return true;
}

function findFreePort(host: string): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === "object") found(address.port);
        else failed(new StartError(`No free port on ${host}.`));
      });
    });
  });
}
