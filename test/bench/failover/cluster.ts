import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync, chownSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { asOwner, makeFolder } from "../../support/postgres-server.js";

/** Loopback addresses that replace the machines of `server/scaling`. */
const net = "127.9.0.";

export const machines = {
  proxy: `${net}10`,
  nodes: [`${net}1`, `${net}2`],
  databases: [`${net}11`, `${net}12`],
  redis: `${net}30`,
};

/** The password of the example files. */
export const password = "change-me-1";

export interface Cluster {
  /** The machine that Patroni reports as the primary. */
  findPrimary: () => Promise<string | undefined>;
  /** Kills a machine's Patroni and PostgreSQL without a clean shutdown. */
  kill: (machine: string) => void;
  start: (machine: string) => void;
  stop: () => Promise<void>;
}

/**
 * Starts etcd, Patroni on two machines, Redis and HAProxy with the configuration files documented
 * for operators.
 */
export async function startCluster(): Promise<Cluster> {
  const folder = makeFolder();
  const others = [
    run("etcd", etcdOptions(join(folder, "etcd")), asOwner()),
    run("redis-server", ["--bind", machines.redis, "--save", ""]),
    run("haproxy", ["-db", "-f", example("haproxy.cfg", folder)]),
  ];
  const patronis = new Map<string, ChildProcess>();
  const start = (machine: string) => {
    patronis.set(machine, run("patroni", [settingsOf(machine, folder)], asOwner()));
  };
  const kill = (machine: string) => {
    const data = join(folder, machine, "fettle");
    const postmaster = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    patronis.get(machine)?.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
  };
  machines.databases.forEach(start);
  return {
    findPrimary: () => findPrimary(machines.databases),
    kill,
    start,
    stop: async () => {
      // Each Patroni ends its PostgreSQL.
      await Promise.all([...patronis.values(), ...others].map(end));
      rmSync(folder, { recursive: true });
    },
  };
}

async function findPrimary(databases: readonly string[]): Promise<string | undefined> {
  for (const machine of databases) {
    const answer = await fetch(`http://${machine}:8008/primary`).catch(() => undefined);
    if (answer?.status === 200) return machine;
  }
  return undefined;
}

export async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await pause(200);
  }
}

function run(program: string, args: string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(program, args, { ...options, stdio: "ignore" });
  child.once("error", (cause) => {
    throw new Error(`${program} cannot be started; install it.`, { cause });
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function etcdOptions(data: string): string[] {
  const [clients, peers] = [`http://${net}21:2379`, `http://${net}21:2380`];
  return [
    ...["--data-dir", data, "--initial-cluster", `default=${peers}`],
    ...["--listen-client-urls", clients, "--advertise-client-urls", clients],
    ...["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers],
  ];
}

function settingsOf(machine: string, folder: string): string {
  const own = join(folder, machine);
  mkdirSync(own, { recursive: true });
  const { uid, gid } = asOwner();
  if (uid !== undefined && gid !== undefined) chownSync(own, uid, gid);
  const number = machines.databases.indexOf(machine) + 1;
  return example("patroni.yml", own, (text) =>
    text.replaceAll(`${net}11`, machine).replace("name: pg1", `name: pg${number}`),
  );
}

/** Returns a file of `server/scaling` with local addresses and folders. */
function example(
  name: string,
  folder: string,
  change: (text: string) => string = (text) => text,
): string {
  const text = readFileSync(new URL(`../../../server/scaling/${name}`, import.meta.url), "utf8")
    .replaceAll("10.0.0.0/24", "127.0.0.0/8")
    .replaceAll("10.0.0.", net)
    .replaceAll(/\/var\/(lib|run)\/postgresql/g, folder);
  const path = join(folder, name);
  writeFileSync(path, change(text), { mode: 0o644 });
  return path;
}
