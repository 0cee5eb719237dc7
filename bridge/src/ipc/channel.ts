import { once } from "node:events";
import { createConnection, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../common/settings.js";
import { type ChannelEnd, createEnd, type NewEnd } from "./channel-end.js";
import { isOurPath, makePath, removePath } from "./channel-path.js";
import { answerGreeting, createRandom, greetListener } from "./greeting.js";

/** Where a channel is, and what both its ends must know. */
export interface ChannelAddress {
  path: string;
  secret: string;
}

export interface ChannelServer {
  address: ChannelAddress;
  close: () => Promise<void>;
}

/** A process that was stopped or hangs still accepts connections, but says nothing on them. */
const greetingMs = 3_000;

/** Listens where only this user can connect, and to whoever knows the secret made for it. */
export async function openChannel(
  environment: Environment,
  onConnection: (end: ChannelEnd) => void,
): Promise<ChannelServer> {
  const ends = new Set<ChannelEnd>();
  const secret = createRandom();
  const server = createServer((socket) => {
    const end = createEnd(socket);
    ends.add(end);
    void end.closed.then(() => ends.delete(end));
    void isTrusted(end, answerGreeting(end, secret)).then((trusted) => {
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
    close: async () => {
      server.close();
      for (const end of ends) end.close();
      await Promise.all([...ends].map(({ closed }) => closed));
      await removePath(path);
    },
  };
}

/** Rejects when nobody listens there, or somebody else does. */
export async function connectChannel({ path, secret }: ChannelAddress): Promise<ChannelEnd> {
  if (!(await isOurPath(path))) throw new Error("There is no socket of this user.");
  const socket = createConnection(path);
  await once(socket, "connect");
  const end = createEnd(socket);
  if (await isTrusted(end, greetListener(end, secret))) return end;
  throw new Error("Whoever listens there does not know the secret.");
}

async function isTrusted(end: NewEnd, greeting: Promise<boolean>): Promise<boolean> {
  const trusted = await Promise.race([greeting, sleep(greetingMs, false, { ref: false })]);
  if (trusted) end.trust();
  else end.destroy();
  return trusted;
}
