import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { acquireFolderLock, findOwner, releaseFolderLock } from "./folder-lock.js";
import type { WorkerMessage, WorkerSettings } from "./embedded-worker.js";

/** Maximum length of a Unix socket address, in bytes. */
const maxSocketPath = 107;
const socketName = ".s.PGSQL.5432";
/** The major PostgreSQL version in the package. */
const embeddedVersion = "18";

export interface EmbeddedDatabase {
  socketFolder: string;
  /** Writes all data to disk, then releases the folder. */
  close: () => Promise<void>;
}

export type EmbeddedStart =
  | { kind: "opened"; database: EmbeddedDatabase }
  | { kind: "taken"; pid: number; socketFolder: string };

/**
 * Opens the embedded database of a data folder in a worker thread. `pg` connects to it through a
 * socket. One process owns a folder. Other processes get "taken" with the socket to join.
 */
export async function openEmbedded(
  dataDir: string,
  onFailure: (error: Error) => void,
  onCreate: () => void = () => undefined,
): Promise<EmbeddedStart> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const lock = join(dataDir, "lock");
  const owner = findOwner(lock);
  if (owner !== undefined) return { kind: "taken", ...owner };

  const own = Buffer.byteLength(join(dataDir, socketName)) <= maxSocketPath;
  const socketFolder = own ? dataDir : mkdtempSync(join(tmpdir(), "fettle-"));
  const release = () => {
    releaseFolderLock(lock);
    if (!own) rmSync(socketFolder, { recursive: true, force: true });
  };
  const other = acquireFolderLock(lock, socketFolder);
  if (other !== undefined) {
    if (!own) rmSync(socketFolder, { recursive: true, force: true });
    return { kind: "taken", ...other };
  }
  try {
    rmSync(join(socketFolder, socketName), { force: true });
    const dataFolder = join(dataDir, "database");
    const version = readVersion(dataFolder);
    if (version === undefined) onCreate();
    else if (version !== embeddedVersion) throw otherVersion(version);
    const socketPath = join(socketFolder, socketName);
    const stop = await startWorker({ dataFolder, socketPath }, onFailure);
    closeToOthers(dataFolder);
    const close = () => stop().finally(release);
    return { kind: "opened", database: { socketFolder, close } };
  } catch (error) {
    release();
    throw error;
  }
}

/** The optimizing compiler for the database's code needs 600 MB for some seconds. */
const roomForCompiler = 1536 * 1024 * 1024;

/**
 * In a small container (0: no limit), runs the database unoptimized and slower. Otherwise it would
 * be killed.
 */
function saveMemory(limit: number): void {
  if (limit === 0 || limit >= roomForCompiler) return;
  for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) {
    setFlagsFromString(flag);
  }
}

async function startWorker(
  settings: WorkerSettings,
  onFailure: (error: Error) => void,
): Promise<() => Promise<void>> {
  // A worker thread can't use a TypeScript loader on Node 20, so a server run from sources uses the
  // built worker.
  const folder = import.meta.url.endsWith(".ts") ? "../../dist/db/" : "./";
  saveMemory(process.constrainedMemory());
  const worker = new Worker(new URL(`${folder}embedded-worker.js`, import.meta.url), {
    workerData: settings,
  });
  let closing = false;
  await new Promise<void>((ready, fail) => {
    worker.once("message", (message: WorkerMessage) => {
      if (message.kind === "ready") ready();
      else fail(unusable(message.reason));
    });
    worker.once("error", fail);
  });
  worker.on("error", onFailure);
  const ended = new Promise<void>((done) => {
    worker.once("exit", () => {
      done();
      if (!closing) onFailure(new Error("The embedded database ended unexpectedly."));
    });
  });
  return async () => {
    closing = true;
    worker.postMessage("close");
    await ended;
  };
}

/** The PostgreSQL version that the database wrote. Undefined until the database is complete. */
function readVersion(dataFolder: string): string | undefined {
  try {
    return readFileSync(join(dataFolder, "PG_VERSION"), "utf8").trim();
  } catch {
    return undefined;
  }
}

function otherVersion(version: string): Error {
  return new Error(
    `its files are of PostgreSQL ${version}, and this version of Fettle reads those of ${embeddedVersion}. Start the version of Fettle that made them, or set DATA_DIR to another directory.`,
  );
}

function unusable(reason: string): Error {
  return new Error(
    `its files are damaged or incomplete, or the disk is full (${reason}). Put a back-up of the whole directory in its place, or set DATA_DIR to another one.`,
  );
}

/**
 * A new database has the file modes of its archive. Some caches always get modes of their choice.
 */
function closeToOthers(dataFolder: string): void {
  for (const entry of readdirSync(dataFolder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}
