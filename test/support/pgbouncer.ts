import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./app.js";

export interface PgBouncer {
  /** The database's address through the pooler. */
  url: string;
  stop: () => Promise<void>;
}

/** Starts a pooler in transaction mode with few connections to the database server. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  chmodSync(folder, 0o755);
  const listenPort = await findFreePort();
  const server = [
    `host=${hostname === "localhost" ? "127.0.0.1" : hostname}`,
    `port=${port || 5432}`,
    `user=${decodeURIComponent(username)}`,
    ...(password === "" ? [] : [`password=${decodeURIComponent(password)}`]),
  ];
  const settings = `[databases]
* = ${server.join(" ")}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
ignore_startup_parameters = options
`;
  writeFileSync(join(folder, "settings.ini"), settings, { mode: 0o644 });
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "postgres"] : [];
  const child = spawn("pgbouncer", [...user, join(folder, "settings.ini")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  await new Promise<void>((ready, failed) => {
    child.stderr.on("data", (part) => {
      output += String(part);
      if (output.includes("process up")) ready();
    });
    child.once("error", (cause) => {
      failed(new Error("pgbouncer cannot be started; install it.", { cause }));
    });
    child.once("exit", () => {
      failed(new Error(`pgbouncer ended at once: ${output}`));
    });
  });
  return {
    url: `postgres://any@127.0.0.1:${listenPort}${pathname}`,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
