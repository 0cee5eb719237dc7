import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";

const pem = readFileSync(new URL("./apps-example.pem", import.meta.url), "utf8");

export interface Receiver {
  url: string;
  /** Statuses of the next responses. All others are 204. */
  answers: number[];
  requests: { path: string; body: string; bytes: Buffer; headers: Record<string, string> }[];
  connections: number;
  /** Number of requests to addresses that end in "slow", which are never answered. */
  unanswered: number;
}

/**
 * A server that receives webhooks and push messages, under a name that `localNetwork` resolves to this computer.
 * Responses to addresses that end in "late" take 1.5 s.
 */
export function useReceiver(): () => Receiver {
  let server: Server | undefined;
  const receiver: Receiver = { url: "", answers: [], requests: [], connections: 0, unanswered: 0 };
  beforeAll(async () => {
    server = createServer({ key: pem, cert: pem }, (request, response) => {
      if (request.url?.endsWith("slow") === true) {
        receiver.unanswered += 1;
        return;
      }
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const headers = request.headers as Record<string, string>;
        const bytes = Buffer.concat(pieces);
        const body = bytes.toString();
        receiver.requests.push({ path: request.url ?? "", body, bytes, headers });
        const status = receiver.answers.shift() ?? 204;
        const answer = () => response.writeHead(status, { location: receiver.url }).end();
        if (request.url?.endsWith("late") === true) setTimeout(answer, 1500);
        else answer();
      });
    });
    const listening = server;
    listening.on("connection", () => (receiver.connections += 1));
    await new Promise<void>((ready) => listening.listen(0, "127.0.0.1", ready));
    const { port } = listening.address() as AddressInfo;
    receiver.url = `https://apps.example:${port}/hooks/fettle`;
  });
  beforeEach(() => {
    receiver.answers.splice(0);
    receiver.requests.splice(0);
    receiver.connections = 0;
    receiver.unanswered = 0;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });
  return () => receiver;
}
