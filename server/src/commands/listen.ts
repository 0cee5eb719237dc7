import { createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.js";
import { StartError } from "../errors.js";

/** The other address of `localhost`, which browsers and most programs try first where there is IPv6. */
const otherLoopback = "::1";

/**
 * Listens at the address of the configuration. Who is told to go to `localhost` may end at either of its
 * addresses, so both are taken: another user of the machine could listen at the one that is left, and be given
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

/** What comes by it is the server's, which closes when all of that has ended too. */
function createOther(app: FastifyInstance): Server {
  // As Node's HTTP server has them.
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

/** A machine without IPv6 has no such address, and nobody else has it there. */
async function listenIfThere(server: Server, { port }: Config): Promise<void> {
  const code = await tryListening(server, otherLoopback, port);
  if (code === undefined || code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") return;
  throw new StartError(
    `Port ${port} on ${otherLoopback} is not available (${code}), and browsers look for localhost there first: they would ` +
      `come to another program. Stop that, set PORT to another port, or BASE_URL to http://127.0.0.1:${port}.`,
  );
}

/** The code of what went wrong, if anything did. */
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

/** With PORT=0 a free port is chosen first, because the issuer and every link contain it. */
export async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  for (;;) {
    const port = await findFreePort(config.host);
    const baseUrl = config.baseUrlGiven ? config.baseUrl : `http://localhost:${port}`;
    if (!namesBoth({ ...config, baseUrl }) || (await isFree(port)))
      return { ...config, port, baseUrl };
  }
}

/** Whether nobody else has it at the second address. */
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
