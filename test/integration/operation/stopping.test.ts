// @module-tag embedded

import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { findFreePort, testConfig, useApp, type TestApp, startApp } from "../../support/app.js";
import { connect } from "../../support/mcp.js";

const current = useApp();

async function start(): Promise<TestApp & { port: number }> {
  const port = await findFreePort();
  const config = testConfig({ baseUrl: `http://localhost:${port}` });
  const app = await startApp(config, current().db, { forceCloseConnections: "idle" });
  await app.listen({ host: "127.0.0.1", port });
  return { app, db: current().db, config, port };
}

/** A connection for raw requests. */
async function open(port: number): Promise<{ socket: Socket; ended: Promise<string> }> {
  const socket = connectSocket({ host: "127.0.0.1", port });
  await once(socket, "connect");
  let text = "";
  socket.on("data", (data) => (text += String(data)));
  return { socket, ended: once(socket, "close").then(() => text) };
}

const listTools = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

function headOf(token: string, port: number): string {
  return [
    "POST /mcp HTTP/1.1",
    `host: localhost:${port}`,
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    `content-length: ${listTools.length}`,
    "",
    "",
  ].join("\r\n");
}

describe("stopping server", () => {
  test("first becomes not ready, continues serving, and closes each connection after its response", async () => {
    const { app, port } = await start();
    const url = `http://127.0.0.1:${port}`;
    const before = await fetch(`${url}/readyz`);
    const drained = app.services.drain(1);

    const ready = await fetch(`${url}/readyz`);
    const page = await fetch(`${url}/signin`);

    expect([before.status, before.headers.get("connection")]).toEqual([200, "keep-alive"]);
    expect([ready.status, ready.headers.get("connection")]).toEqual([503, "close"]);
    expect(await ready.json()).toEqual({
      status: "unavailable",
      reason: "The server is stopping.",
    });
    expect([page.status, page.headers.get("connection")]).toEqual([200, "close"]);
    await drained;
    await app.close();
  });

  test("then finishes requests in progress, and rejects new ones with a retry time", async () => {
    const { app, port, ...rest } = await start();
    const { token } = await connect({ app, ...rest });
    const head = headOf(token, port);
    const underWay = await open(port);
    const late = await open(port);
    const received = new Promise<void>((resolve) => {
      app.server.once("request", () => {
        resolve();
      });
    });
    // Its body, and the rest of the other request's head, are sent after the server began to close.
    underWay.socket.write(head);
    late.socket.write(head.slice(0, -2));
    await received;
    const closed = app.close();
    await expect.poll(() => app.server.listening).toBe(false);

    underWay.socket.write(listTools);
    late.socket.write(`\r\n${listTools}`);

    expect(await underWay.ended).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*"tools":\[/i);
    const refused = await late.ended;
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/^retry-after: 2\r$/im);
    expect(refused).toMatch(/^connection: close\r$/im);
    expect(refused).toContain("Try again in 2 seconds.");
    await closed;
  });
});
