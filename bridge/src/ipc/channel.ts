import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRecord, parseJson, toRecord } from "../common/json.js";
import { isOurs } from "../common/ownership.js";
import type { Environment } from "../common/settings.js";
import { readJson, removeFile, writeFileAtomic } from "../profile/files.js";
import type { Profile } from "../profile/profile.js";

export type Message = Readonly<Record<string, unknown>>;

const maxLineBytes = 1024 * 1024;

export class ChannelEnd {
  readonly #socket: Socket;
  #listener: ((message: Message) => void) | undefined;
  readonly #early: Message[] = [];
  readonly closed: Promise<void>;

  constructor(socket: Socket) {
    this.#socket = socket;
    // "close" follows every "error" and is handled instead.
    socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once("close", () => {
        resolve();
      });
    });
    this.#readMessages();
  }

  send(message: Message): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Called for each message from now on, in order. Messages that arrived earlier come first. */
  onMessage(listener: (message: Message) => void): void {
    this.#listener = listener;
    this.#early.splice(0).forEach(listener);
  }

  close(): void {
    this.#socket.destroySoon();
  }

  /** Sets if the open connection keeps this process alive. Default: true. */
  keepAlive(isNeeded: boolean): void {
    if (isNeeded) this.#socket.ref();
    else this.#socket.unref();
  }

  /** The next message, or an empty one after the connection closes. */
  next(): Promise<Message> {
    return new Promise((resolve) => {
      void this.closed.then(() => {
        resolve({});
      });
      const take = (message: Message) => {
        this.#listener = undefined;
        resolve(message);
      };
      const first = this.#early.shift();
      if (first === undefined) this.#listener = take;
      else take(first);
    });
  }

  /** Closes the connection if the other end doesn't greet in time. */
  async trustAfter(greeting: Promise<boolean>): Promise<boolean> {
    const isTrusted = await Promise.race([greeting, sleep(greetingMs, false, { ref: false })]);
    if (!isTrusted) this.#socket.destroy();
    return isTrusted;
  }

  /** Closes the connection on an invalid or too long message. */
  #readMessages(): void {
    const socket = this.#socket.setEncoding("utf8");
    let rest = "";
    socket.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > maxLineBytes) socket.destroy();
      for (const message of lines.map(parseJson)) {
        if (!isRecord(message)) socket.destroy();
        else if (this.#listener === undefined) this.#early.push(message);
        else this.#listener(message);
      }
    });
  }
}

/** Part of each proof, so that one side's proof can't be replayed as the other's. */
type Side = "connects" | "listens";

function createRandom(): string {
  return randomBytes(32).toString("base64url");
}

function isRandom(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{43}$/.test(value);
}

/**
 * For the connecting side: sends only a nonce until the listener proves that it knows the secret.
 */
async function greetListener(end: ChannelEnd, secret: string): Promise<boolean> {
  const own = createRandom();
  end.send({ nonce: own });
  const { nonce, proof } = await end.next();
  if (!isRandom(nonce) || !isProof(proof, prove(secret, "listens", own, nonce))) return false;
  end.send({ proof: prove(secret, "connects", own, nonce) });
  return (await end.next())["accepted"] === true;
}

/** For the listening side. It sends the last message, so nothing arrives before that. */
async function answerGreeting(end: ChannelEnd, secret: string): Promise<boolean> {
  const own = createRandom();
  const { nonce } = await end.next();
  if (!isRandom(nonce)) return false;
  end.send({ nonce: own, proof: prove(secret, "listens", nonce, own) });
  const { proof } = await end.next();
  if (!isProof(proof, prove(secret, "connects", nonce, own))) return false;
  end.send({ accepted: true });
  return true;
}

/** Both sides use one nonce order: the connecting side's first. */
function prove(secret: string, side: Side, connecting: string, listening: string): string {
  const text = JSON.stringify([side, connecting, listening]);
  return createHmac("sha256", secret).update(text).digest("base64url");
}

function isProof(given: unknown, expected: string): boolean {
  return isRandom(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

const isWindows = process.platform === "win32";
const folderPrefix = "fettle-bridge-channel-";

/**
 * The limit on macOS. Node.js truncates a longer path, which could then point outside the folder.
 */
const maxPathBytes = 103;

/**
 * Creates a socket in a new folder of mode 0700, in the runtime or temporary folder. On Windows, a
 * randomly named pipe.
 */
async function makePath(environment: Environment): Promise<string> {
  if (isWindows) return `\\\\.\\pipe\\fettle-bridge-${randomBytes(16).toString("hex")}`;
  const runtime = environment["XDG_RUNTIME_DIR"] ?? "";
  const makeIn = (folder: string) => mkdtemp(join(folder, folderPrefix));
  const makeTemporary = () => makeIn(fits(tmpdir()) ? tmpdir() : "/tmp");
  const isUsable = isAbsolute(runtime) && fits(runtime) && (await isOurs(runtime, "folder"));
  return toPath(await (isUsable ? makeIn(runtime).catch(makeTemporary) : makeTemporary()));
}

/** Returns true if only this user can have created the path. */
async function isOurPath(path: string): Promise<boolean> {
  return isWindows || ((await isOurs(dirname(path), "folder")) && (await isOurs(path, "socket")));
}

/** Removes a listener's leftovers and nothing else. */
async function removePath(path: string): Promise<void> {
  const folder = dirname(path);
  if (isWindows || !basename(folder).startsWith(folderPrefix)) return;
  if (await isOurs(folder, "folder")) await rm(folder, { recursive: true, force: true });
}

function fits(folder: string): boolean {
  return Buffer.byteLength(toPath(join(folder, `${folderPrefix}XXXXXX`))) <= maxPathBytes;
}

function toPath(folder: string): string {
  return join(folder, "s");
}

interface ChannelAddress {
  path: string;
  secret: string;
}

export type ChannelServer = Awaited<ReturnType<typeof openChannel>>;

/** A stopped or hung process still accepts connections but sends nothing. */
const greetingMs = 3_000;

/** Listens where only this user can connect. Accepts ends that know the new secret. */
export async function openChannel(
  environment: Environment,
  onConnection: (end: ChannelEnd) => void,
) {
  const ends = new Set<ChannelEnd>();
  const secret = createRandom();
  const server = createServer((socket) => {
    const end = new ChannelEnd(socket);
    ends.add(end);
    void end.closed.then(() => ends.delete(end));
    void end.trustAfter(answerGreeting(end, secret)).then((trusted) => {
      if (trusted) onConnection(end);
    });
  });
  const path = await makePath(environment);
  server.listen(path);
  await once(server, "listening");
  if (!(await isOurPath(path))) {
    server.close();
    throw new Error("Others could take the place of the socket.");
  }
  return {
    address: { path, secret },
    close: async (): Promise<void> => {
      server.close();
      for (const end of ends) end.close();
      await Promise.all([...ends].map(({ closed }) => closed));
      await removePath(path);
    },
  };
}

/** Rejects if there is no listener or it belongs to someone else. */
export async function connectChannel({ path, secret }: ChannelAddress): Promise<ChannelEnd> {
  if (!(await isOurPath(path))) throw new Error("There is no socket of this user.");
  const socket = createConnection(path);
  await once(socket, "connect");
  const end = new ChannelEnd(socket);
  if (await end.trustAfter(greetListener(end, secret))) return end;
  throw new Error("The process that listens there doesn't know the secret.");
}

/** Writes `helper.json` with the address of this process, the profile's sign-in helper. */
export async function recordHelper(
  profile: Profile,
  { path, secret }: ChannelAddress,
): Promise<void> {
  const before = await readRecord(profile);
  // Its process was killed: helpers never run in parallel.
  if (before !== undefined) await removePath(before.path);
  const record = { pid: process.pid, channel: path, secret };
  await writeFileAtomic(toRecordPath(profile), `${JSON.stringify(record)}\n`);
}

/** Leaves the record if another helper has taken over. */
export async function forgetHelper(profile: Profile): Promise<void> {
  if ((await readRecord(profile))?.pid === process.pid) await removeFile(toRecordPath(profile));
}

export async function connectHelper(profile: Profile): Promise<ChannelEnd | undefined> {
  const record = await readRecord(profile);
  // The recorded process may be gone and another one in its place.
  return record && connectChannel(record).catch(() => undefined);
}

/** Also undefined for a file that another user could have written or read. */
async function readRecord(
  profile: Profile,
): Promise<(ChannelAddress & { pid: number }) | undefined> {
  const file = toRecordPath(profile);
  if (!(await isOurs(file, "file"))) return undefined;
  const { pid, channel: path, secret } = toRecord(await readJson(file));
  const isWhole = typeof pid === "number" && typeof path === "string" && isRandom(secret);
  return isWhole ? { pid, path, secret } : undefined;
}

function toRecordPath({ folder }: Profile): string {
  return join(folder, "helper.json");
}
