import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  connectChannel,
  openChannel,
  type ChannelEnd,
  type ChannelServer,
} from "../../bridge/src/ipc/channel.js";
import { connectHelper } from "../../bridge/src/ipc/helper-connection.js";

describe("the channel between bridges and their helper", () => {
  const servers: ChannelServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function open(onConnection: (end: ChannelEnd) => void): Promise<ChannelServer> {
    const server = await openChannel(onConnection);
    servers.push(server);
    return server;
  }

  test("brings messages over whole and in order, both ways", async () => {
    const server = await open((end) => {
      end.onMessage((message) => {
        end.send({ echo: message });
      });
    });
    const end = await connectChannel(server.path);
    const got: unknown[] = [];
    const sent = Array.from({ length: 200 }, (_, n) => ({ n, text: "ü\n".repeat(n) }));

    const all = new Promise<void>((done) => {
      end.onMessage((message) => {
        if (got.push(message["echo"]) === sent.length) done();
      });
    });
    sent.forEach(end.send);
    await all;

    expect(got).toEqual(sent);
    end.close();
  });

  test("keeps what arrives before anybody listens", async () => {
    const server = await open((end) => {
      end.send({ first: 1 });
      end.send({ second: 2 });
      end.close();
    });
    const end = await connectChannel(server.path);
    await end.closed;
    const got: unknown[] = [];

    end.onMessage((message) => got.push(message));

    expect(got).toEqual([{ first: 1 }, { second: 2 }]);
  });

  test("lies in a folder of its own that only its owner enters, and leaves nothing", async () => {
    const server = await openChannel(() => undefined);
    const folder = dirname(server.path);

    const mode = statSync(folder).mode & 0o777;
    await server.close();

    expect(mode).toBe(0o700);
    expect(existsSync(folder)).toBe(false);
  });

  test("ends a connection that speaks something else", async () => {
    const server = await open(() => undefined);
    const { createConnection } = await import("node:net");
    const stranger = createConnection(server.path);

    stranger.write("GET / HTTP/1.1\r\n\r\n");
    const closed = await new Promise((done) => stranger.once("close", done));

    expect(closed).toBe(false);
  });

  test("a record of a helper that is gone counts as none", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fettle-bridge-"));
    const profile = { key: "k", folder, server: "http://127.0.0.1/mcp", name: "" };
    writeFileSync(
      join(folder, "helper.json"),
      JSON.stringify({ pid: 1, channel: join(folder, "gone") }),
    );

    const helper = await connectHelper(profile);

    expect(helper).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
});
