import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isRecord, parseJson } from "../common/json.js";

/** A JSON object on one line. */
export type Message = Readonly<Record<string, unknown>>;

/** One end of a connection between two of our own processes. */
export interface ChannelEnd {
  send: (message: Message) => void;
  /** Called for each message that arrives from now on, in order. */
  onMessage: (listener: (message: Message) => void) => void;
  /** Resolves when the connection is gone, whoever ended it. */
  closed: Promise<void>;
  /** Sends what is left, then ends the connection. */
  close: () => void;
  /** Whether the open connection keeps this process alive; true at first. */
  keepAlive: (needed: boolean) => void;
}

export interface ChannelServer {
  path: string;
  close: () => Promise<void>;
}

const maxLineBytes = 1024 * 1024;
const folderPrefix = "fettle-bridge-channel-";

/**
 * Listens where only this user can connect: a socket in a new folder of mode 0700, or a pipe on
 * Windows whose name cannot be guessed.
 */
export async function openChannel(onConnection: (end: ChannelEnd) => void): Promise<ChannelServer> {
  const ends = new Set<ChannelEnd>();
  const server = createServer((socket) => {
    const end = createEnd(socket);
    ends.add(end);
    void end.closed.then(() => ends.delete(end));
    onConnection(end);
  });
  const path = await makePath();
  server.listen(path);
  await once(server, "listening");
  return {
    path,
    close: async () => {
      server.close();
      for (const end of ends) end.close();
      await Promise.all([...ends].map(({ closed }) => closed));
      await removePath(path);
    },
  };
}

/** Rejects when nobody listens there. */
export async function connectChannel(path: string): Promise<ChannelEnd> {
  const socket = createConnection(path);
  await once(socket, "connect");
  return createEnd(socket);
}

function createEnd(socket: Socket): ChannelEnd {
  let listener: ((message: Message) => void) | undefined;
  let early: Message[] = [];
  let rest = "";
  socket.setEncoding("utf8");
  // "close" follows every "error", and that is what counts.
  socket.on("error", () => undefined);
  socket.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxLineBytes) socket.destroy();
    for (const message of lines.map(parseJson)) {
      if (!isRecord(message)) socket.destroy();
      else if (listener === undefined) early.push(message);
      else listener(message);
    }
  });
  return {
    send: (message) => {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    },
    onMessage: (next) => {
      listener = next;
      const waiting = early;
      early = [];
      waiting.forEach(next);
    },
    closed: new Promise((resolve) => {
      socket.once("close", () => {
        resolve();
      });
    }),
    close: () => {
      socket.destroySoon();
    },
    keepAlive: (needed) => {
      if (needed) socket.ref();
      else socket.unref();
    },
  };
}

/** Below the temporary folder, because a socket's path may have 103 bytes only (on macOS). */
async function makePath(): Promise<string> {
  if (process.platform === "win32") {
    return `\\\\.\\pipe\\fettle-bridge-${randomBytes(16).toString("hex")}`;
  }
  return join(await mkdtemp(join(tmpdir(), folderPrefix)), "s");
}

/** Removes what a listener leaves behind; nothing that is not such a leftover. */
export async function removePath(path: string): Promise<void> {
  const folder = dirname(path);
  const ours = dirname(folder) === tmpdir() && basename(folder).startsWith(folderPrefix);
  if (ours && process.platform !== "win32") await rm(folder, { recursive: true, force: true });
}
