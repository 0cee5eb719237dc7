import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type ChannelEnd,
  type ChannelServer,
  connectChannel,
  connectHelper,
  openChannel,
} from "../../bridge/src/ipc/channel.js";

describe("channel between bridges and their helper", () => {
  const servers: ChannelServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function open(onConnection: (end: ChannelEnd) => void): Promise<ChannelServer> {
    const server = await openChannel({}, onConnection);
    servers.push(server);
    return server;
  }

  test("delivers messages whole and in order, in both directions", async () => {
    const server = await open((end) => {
      end.onMessage((message) => {
        end.send({ echo: message });
      });
    });
    const end = await connectChannel(server.address);
    const got: unknown[] = [];
    const sent = Array.from({ length: 200 }, (_, n) => ({ n, text: "ü\n".repeat(n) }));

    const all = new Promise<void>((done) => {
      end.onMessage((message) => {
        if (got.push(message["echo"]) === sent.length) done();
      });
    });
    for (const message of sent) end.send(message);
    await all;

    expect(got).toEqual(sent);
    end.close();
  });

  test("buffers messages that arrive before a listener is attached", async () => {
    const server = await open((end) => {
      end.send({ first: 1 });
      end.send({ second: 2 });
      end.close();
    });
    const end = await connectChannel(server.address);
    await end.closed;
    const got: unknown[] = [];

    end.onMessage((message) => got.push(message));

    expect(got).toEqual([{ first: 1 }, { second: 2 }]);
  });

  test("uses a private folder and removes it on close", async () => {
    const server = await openChannel({}, () => undefined);
    const folder = dirname(server.address.path);

    const mode = statSync(folder).mode & 0o777;
    await server.close();

    expect(mode).toBe(0o700);
    expect(existsSync(folder)).toBe(false);
  });

  test("closes a connection that uses another protocol", async () => {
    const server = await open(() => undefined);
    const { createConnection } = await import("node:net");
    const stranger = createConnection(server.address.path);

    stranger.write("GET / HTTP/1.1\r\n\r\n");
    const closed = await new Promise((done) => stranger.once("close", done));

    expect(closed).toBe(false);
  });

  describe("channel folder", () => {
    let base: string;
    beforeEach(() => {
      base = mkdtempSync(join(tmpdir(), "fettle-bridge-runtime-"));
    });
    afterEach(() => {
      vi.unstubAllEnvs();
      rmSync(base, { recursive: true });
    });

    async function folderWith(runtime: string): Promise<string> {
      const server = await openChannel({ XDG_RUNTIME_DIR: runtime }, () => undefined);
      servers.push(server);
      return dirname(dirname(server.address.path));
    }

    test("BRG-01 is in the user's runtime folder", async () => {
      expect(await folderWith(base)).toBe(base);
    });

    test.each<[string, () => string]>([
      ["is not set", () => ""],
      ["is not there", () => join(base, "gone")],
      ["is relative", () => relative(process.cwd(), base)],
      ["is a link", () => makeLink(base)],
      ["is open to others", () => makeFolder(base, 0o755)],
      ["is too long for a socket", () => makeFolder(base, 0o700, "n".repeat(80))],
      ["is a file", () => makeFile(base)],
    ])("BRG-01 is in the temporary folder when the runtime folder %s", async (_, make) => {
      expect(await folderWith(make())).toBe(tmpdir());
    });

    test.runIf(process.getuid?.() === 0)(
      "BRG-01 is in the temporary folder when another user owns the runtime folder",
      async () => {
        chownSync(base, 65534, 65534);

        expect(await folderWith(base)).toBe(tmpdir());
      },
    );

    test("BRG-01 falls back to /tmp when the temporary folder has a long path", async () => {
      const long = makeFolder(base, 0o700, "n".repeat(80));
      vi.stubEnv("TMPDIR", long);

      expect(await folderWith("")).toBe("/tmp");
      expect(readdirSync(long)).toEqual([]);
    });
  });

  test("ignores the record of a helper that has exited", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fettle-bridge-"));
    const profile = { key: "k", folder, server: "http://127.0.0.1/mcp", name: "" };
    writeFileSync(
      join(folder, "helper.json"),
      JSON.stringify({ pid: 1, channel: join(folder, "gone"), secret: "s".repeat(43) }),
      { mode: 0o600 },
    );

    const helper = await connectHelper(profile);

    expect(helper).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
});

function makeFolder(base: string, mode: number, name = "folder"): string {
  mkdirSync(join(base, name), { mode });
  return join(base, name);
}

function makeLink(base: string): string {
  symlinkSync(makeFolder(base, 0o700), join(base, "link"));
  return join(base, "link");
}

function makeFile(base: string): string {
  writeFileSync(join(base, "file"), "", { mode: 0o600 });
  return join(base, "file");
}
