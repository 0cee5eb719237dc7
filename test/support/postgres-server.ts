import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fastFolder } from "./fast-folder.js";
import { findFreePort } from "./free-port.js";

export interface PostgresServer {
  url: string;
  start: () => Promise<void>;
  /** Simulates a machine failure: no clean shutdown. */
  kill: () => Promise<void>;
  /** Kills the server and removes its files. */
  remove: () => Promise<void>;
}

export async function startPrimary(): Promise<PostgresServer> {
  return startIn(makeFolder(), (data) => {
    run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8");
  });
}

export async function startReplica(primary: PostgresServer): Promise<PostgresServer> {
  return startIn(makeFolder(), (data) => {
    run("pg_basebackup", "-R", "-D", data, "-d", primary.url, "-c", "fast");
  });
}

async function startIn(folder: string, fill: (data: string) => void): Promise<PostgresServer> {
  const data = join(folder, "data");
  fill(data);
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    child = await startServer(data, port);
  };
  const kill = async () => {
    if (child === undefined) return;
    const ended = once(child, "exit");
    child.kill("SIGQUIT");
    await ended;
    child = undefined;
  };
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    kill,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function startServer(data: string, port: number): Promise<ChildProcess> {
  const settings = [
    ...[`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="],
    // No test simulates a disk failure.
    ...["fsync=off", "shared_buffers=32MB", "wal_retrieve_retry_interval=100ms"],
  ].flatMap((setting) => ["-c", setting]);
  const child = spawn(program("postgres"), ["-D", data, ...settings], {
    ...asOwner(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  await new Promise<void>((ready, failed) => {
    child.stderr.on("data", (part) => {
      output += String(part);
      if (output.includes("ready to accept")) ready();
    });
    child.once("error", failed);
    child.once("exit", () => {
      failed(new Error(`postgres ended at once: ${output}`));
    });
  });
  return child;
}

/** Creates a folder that the server's user may write to. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(fastFolder(), "fettle-postgres-"));
  const { uid, gid } = asOwner();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

function run(name: string, ...args: string[]): void {
  execFileSync(program(name), args, { ...asOwner(), stdio: ["ignore", "ignore", "pipe"] });
}

const installed = "/usr/lib/postgresql";

/** The newest version, which Debian doesn't put in PATH. */
function program(name: string): string {
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  const newest = versions.sort((one, other) => Number(one) - Number(other)).at(-1);
  if (newest === undefined) throw new Error(`${installed} is empty: install postgresql.`);
  return join(installed, newest, "bin", name);
}

/** PostgreSQL refuses to run as root. */
export function asOwner(): Pick<SpawnOptions, "uid" | "gid" | "cwd"> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync("id", [option, "postgres"]));
  return { uid: idOf("-u"), gid: idOf("-g"), cwd: "/" };
}
