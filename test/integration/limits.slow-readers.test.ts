import { connect as openSocket, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { expect, test, vi } from "vitest";
import { limitsPlugin } from "../../server/src/plugins/limits.js";
import { testConfig } from "../support/app.js";

test("LIM-25: who does not read an answer keeps no place of the organization", async () => {
  const app = fastify();
  let answered = 0;
  app.decorate("config", testConfig());
  await app.register(limitsPlugin);
  app.get("/", async (_request, reply) => {
    await app.enterOrganization(
      { organizationId: "org_one", userId: `usr_${String(answered % 2)}` },
      reply,
    );
    answered += 1;
    // More than the buffers between two sockets take.
    return "x".repeat(32 * 1024 * 1024);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const idle: Socket[] = Array.from({ length: 8 }, () => {
    const socket = openSocket(port, "127.0.0.1").pause();
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    return socket;
  });
  await vi.waitFor(() => {
    expect(answered).toBe(8);
  }, 30_000);

  const another = await fetch(`http://127.0.0.1:${port}/`);

  expect(another.status).toBe(200);
  await another.body?.cancel();
  for (const socket of idle) socket.destroy();
  await app.close();
});
