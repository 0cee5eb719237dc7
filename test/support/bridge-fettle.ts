import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { createDatabase, prepareDataDir } from "./database.js";
import { runFettle, startServer, type ServerProcess } from "./server-process.js";

/** A running Fettle with one person, behind a network that can be cut. */
export interface BridgedFettle {
  mcp: string;
  /**
   * Variables for the bridge: the browser command that acts as the person, and the file for its
   * windows.
   */
  variables: Record<string, string>;
  windows: () => number;
  /** Number of token requests so far, counted by the presented credential. */
  tokenRequests: () => number;
  /** Ends all connections and refuses new ones until `joinNetwork`. */
  cutNetwork: () => Promise<void>;
  joinNetwork: () => Promise<void>;
  restart: () => Promise<void>;
  post: (path: string, form: Record<string, string>) => Promise<Response>;
  stop: () => Promise<void>;
}

const email = "dara@example.com";
const password = "correct horse battery";

export async function startBridgedFettle(
  more: Record<string, string> = {},
): Promise<BridgedFettle> {
  const data = prepareDataDir();
  const database = inject("databaseUrl") === null ? undefined : await createDatabase();
  const notes = mkdtempSync(join(tmpdir(), "fettle-windows-"));
  const windowsFile = join(notes, "windows");
  const network = await startNetwork();
  const variables = {
    DATA_DIR: data.path,
    BASE_URL: `http://localhost:${network.port}`,
    RATE_LIMIT: "off",
    ...more,
    ...(database?.url !== undefined && {
      DATABASE_URL: database.url,
      SECRET_KEYS: "k".repeat(40),
    }),
  };
  let server = await startServer(variables);
  let earlierOutput = "";
  network.lead(portOf(server));
  const created = await runFettle(
    ["account", "create", "--email", email, "--name", "Dara Novak"].concat(
      ["--organization", "Northgate Facilities", "--password-stdin"],
      ["--workspace", "Boiler house"],
    ),
    variables,
    password,
  );
  if (created.code !== 0) throw new Error(created.stderr);
  return {
    mcp: `${variables.BASE_URL}/mcp`,
    variables: {
      BROWSER: fileURLToPath(new URL("./bridge-person.mjs", import.meta.url)),
      PERSON_EMAIL: email,
      PERSON_PASSWORD: password,
      PERSON_WINDOWS: windowsFile,
    },
    windows: () =>
      existsSync(windowsFile) ? readFileSync(windowsFile, "utf8").split("\n").length - 1 : 0,
    tokenRequests: () =>
      (earlierOutput + server.output()).split('"method":"POST","route":"/oauth/token"').length - 1,
    cutNetwork: network.cut,
    joinNetwork: network.join,
    restart: async () => {
      await server.stop();
      earlierOutput += server.output();
      server = await startServer(variables);
      network.lead(portOf(server));
    },
    post: (path, form) =>
      fetch(variables.BASE_URL + path, { method: "POST", body: new URLSearchParams(form) }),
    stop: async () => {
      await server.stop("SIGKILL");
      await network.cut();
      await database?.drop();
      data.remove();
      rmSync(notes, { recursive: true, force: true });
    },
  };
}

/** The ready line contains the public address. The log contains the listening port. */
function portOf(server: ServerProcess): number {
  const port = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(server.output())?.[1];
  if (port === undefined) throw new Error(`No port in the server's log:\n${server.output()}`);
  return Number(port);
}

/** Starts a loopback address that forwards to the server on any port. */
async function startNetwork() {
  const sockets = new Set<Socket>();
  let target = 0;
  const server: Server = createServer((socket) => {
    const onward = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const listen = (port: number) =>
    new Promise<void>((done, failed) => {
      server.once("error", failed);
      server.listen(port, "127.0.0.1", done);
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    lead: (to: number) => {
      target = to;
    },
    cut: async () => {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    join: () => listen(port),
  };
}
