import type { Socket } from "node:net";
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

/** An end that does not know yet who is at the other one, and takes in little. */
export interface NewEnd extends ChannelEnd {
  /** The next message; an empty one when none comes any more. */
  next: () => Promise<Message>;
  trust: () => void;
  /** Ends the connection at once. */
  destroy: () => void;
}

const maxLineBytes = 1024 * 1024;
/** All that a new end takes in. */
const maxGreetingBytes = 1024;

export function createEnd(socket: Socket): NewEnd {
  let listener: ((message: Message) => void) | undefined;
  let early: Message[] = [];
  let trusted = false;
  // "close" follows every "error", and that is what counts.
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      resolve();
    });
  });
  readMessages(
    socket,
    () => trusted,
    (message) => {
      if (listener === undefined) early.push(message);
      else listener(message);
    },
  );
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
    next: () =>
      new Promise((resolve) => {
        void closed.then(() => {
          resolve({});
        });
        const take = (message: Message) => {
          listener = undefined;
          resolve(message);
        };
        const first = early.shift();
        if (first === undefined) listener = take;
        else take(first);
      }),
    trust: () => {
      trusted = true;
    },
    closed,
    close: () => {
      socket.destroySoon();
    },
    destroy: () => {
      socket.destroy();
    },
    keepAlive: (needed) => {
      if (needed) socket.ref();
      else socket.unref();
    },
  };
}

/** Ends the connection over what is no message, and over too much. */
function readMessages(
  socket: Socket,
  isTrusted: () => boolean,
  take: (message: Message) => void,
): void {
  let rest = "";
  let received = 0;
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    received += text.length;
    if (!isTrusted() && received > maxGreetingBytes) {
      socket.destroy();
      return;
    }
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxLineBytes) socket.destroy();
    for (const message of lines.map(parseJson)) {
      if (isRecord(message)) take(message);
      else socket.destroy();
    }
  });
}
