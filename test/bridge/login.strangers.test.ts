import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findListener } from "../../bridge/src/common/peer.js";
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from "../support/bridge-authorization-server.js";
import { bundleChild } from "../support/bridge-child.js";
import { aContext, makeHome, testSettings } from "../support/bridge-context.js";
import { startBridge } from "../support/bridge-process.js";

const nobody = 65534;
const support = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url));

describe.runIf(process.getuid?.() === 0)("another user of the computer", () => {
  let program: string;
  let server: AuthorizationServer;
  let home: ReturnType<typeof makeHome>;
  let place: string;
  let undo: (() => unknown)[];

  beforeAll(async () => {
    program = await bundleChild(new URL("../../bridge/src/main.ts", import.meta.url));
  });
  beforeEach(async () => {
    server = await startAuthorizationServer();
    server.rules.metadata = { bridge_client_id: "fettle-bridge" };
    server.clients.set("fettle-bridge", undefined);
    home = makeHome();
    place = join(tmpdir(), `fettle-bridge-channel-${randomBytes(3).toString("hex")}`, "s");
    undo = [
      () => {
        home.remove();
      },
      server.stop,
      () => {
        rmSync(dirname(place), { recursive: true, force: true });
      },
    ];
  });
  afterEach(async () => {
    for (const step of undo.reverse()) await step();
  });

  /** Listens as the other user. Returns a function that reads the log. */
  async function startStranger(path: string): Promise<() => string> {
    // Passed as code, not as a path: that user may have no access to this checkout.
    return runAs(nobody, readFileSync(support("bridge-stranger.mjs"), "utf8"), path);
  }

  async function runAs(user: number, code: string, argument: string): Promise<() => string> {
    const child = spawn(process.execPath, ["--input-type=module", "-e", code, argument], {
      uid: user,
      gid: user,
      cwd: "/",
      stdio: ["ignore", "pipe", "inherit"],
    });
    undo.push(async () => {
      child.kill();
      await once(child, "exit");
    });
    let seen = "";
    child.stdout.on("data", (data) => (seen += String(data)));
    await once(child.stdout, "data");
    return () => seen;
  }

  /** Starts the stranger's listener in a folder that we own. */
  async function startInOurFolder(): Promise<() => string> {
    mkdirSync(dirname(place), { mode: 0o700 });
    chownSync(dirname(place), nobody, nobody);
    const seen = await startStranger(place);
    chownSync(dirname(place), 0, 0);
    return seen;
  }

  function context() {
    return aContext(testSettings({ server: server.url, home: home.path, storage: "file" }));
  }

  function record(channel: string): string {
    const path = join(context().profile.folder, "helper.json");
    const content = JSON.stringify({ pid: 1, channel, secret: "a".repeat(43) });
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  async function logIn() {
    const bridge = startBridge({
      command: [process.execPath, program],
      args: ["login", "--storage", "file", server.url],
      home: home.path,
      variables: { BROWSER: support("bridge-browser.mjs") },
    });
    const { code } = await bridge.exit;
    return { code, said: bridge.stderr() };
  }

  async function expectOwnSignIn(seen: () => string, heard = /^listening\n$/): Promise<void> {
    const { code, said } = await logIn();

    expect(said).not.toContain("stranger.example");
    expect(code).toBe(0);
    expect(server.of("/authorize")).toHaveLength(1);
    expect(seen()).toMatch(heard);
  }

  test("BRG-01 is neither contacted nor shown when owning the recorded folder", async () => {
    record(place);
    const seen = await startStranger(place);

    await expectOwnSignIn(seen);
  });

  test("BRG-01 is not contacted when owning the socket in our folder", async () => {
    record(place);
    const seen = await startInOurFolder();

    await expectOwnSignIn(seen);
  });

  test("BRG-03 is not trusted when owning the record", async () => {
    chownSync(record(place), nobody, nobody);
    const seen = await startInOurFolder();
    chownSync(place, 0, 0);

    await expectOwnSignIn(seen);
  });

  test("BRG-03 receives only a nonce when running in place of the helper", async () => {
    record(place);
    const seen = await startInOurFolder();
    chownSync(place, 0, 0);

    await expectOwnSignIn(seen, /^listening\n(connected\n|\{"nonce":"[\w-]{43}"\}\n)+$/);
  });

  test.each(["folder", "socket"])(
    "BRG-02 does not follow a link in place of the %s",
    async (what) => {
      const elsewhere = join(tmpdir(), `stranger-${randomBytes(3).toString("hex")}`, "s");
      undo.push(() => {
        rmSync(dirname(elsewhere), { recursive: true, force: true });
      });
      const seen = await startStranger(elsewhere);
      if (what === "folder") symlinkSync(dirname(elsewhere), dirname(place));
      else {
        mkdirSync(dirname(place), { mode: 0o700 });
        symlinkSync(elsewhere, place);
      }
      record(place);

      await expectOwnSignIn(seen);
    },
  );

  /** Listens on a free port of the address and prints the port, then everything received. */
  const answering = `import { createServer } from "node:net";
    const server = createServer((socket) => {
      process.stdout.write("connected ");
      socket.on("error", () => undefined).on("data", (data) => {
        process.stdout.write(data);
        socket.end("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi");
      });
    }).listen(0, process.argv[1], () => process.stdout.write(server.address().port + " "));`;

  function callWithToken(host: string, seen: () => string) {
    const { http } = context();
    undo.push(http.close);
    return http.request(`http://${host}:${Number.parseInt(seen())}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer secret" },
      body: "{}",
      silenceMs: 10_000,
    });
  }

  test.runIf(process.platform === "linux").each([
    ["127.0.0.1", "127.0.0.1"],
    ["[::1]", "::1"],
    ["127.0.0.1", "::ffff:127.0.0.1"],
  ])("BRG-07 sends nothing when another user answers at %s, listening on %s", async (host, at) => {
    const seen = await runAs(nobody, answering, at);

    await expect(callWithToken(host, seen)).rejects.toMatchObject({
      notSent: true,
      message: `another user of this computer answers at ${host}:${Number.parseInt(seen())}`,
      advice: expect.stringContaining("https") as string,
    });

    expect(seen()).toMatch(/^\d+ (connected )?$/);
  });

  test.each([
    ["a service of the machine", 999],
    ["one that lives as long as it runs", 61_184],
    ["ours", 0],
  ])("accepts an answer from a server of %s", async (_, user) => {
    const seen = await runAs(user, answering, "::1");

    expect((await callWithToken("[::1]", seen)).status).toBe(200);
    expect(seen()).toContain("Bearer secret");
  });
});

describe.runIf(process.platform === "linux")(
  "connection whose other end has no local owner",
  () => {
    // A palindrome: this address is identical in both byte orders.
    const [address, end] = ["127.0.0.127", "7F00007F"];
    const [own, server] = [`${end}:D431`, `${end}:0BB8`];
    const stranger = 4242;
    const aRow = (local: string, remote: string, state: string, uid: number) => ({
      ...{ local, remote, state },
      ...{ uid: String(uid), inode: "7" },
    });
    const open = aRow(own, server, "01", 0);
    const accepted = aRow(server, own, "01", stranger);
    const listens = (uid: number, at = server) => aRow(at, "00000000:0000", "0A", uid);

    /**
     * Looks up the listener while the socket tables read like this in turn. At the last table the
     * connection is destroyed.
     */
    function look(...tables: (typeof open)[][]) {
      const [localAddress, remoteAddress] = [address, address];
      const ends = { localAddress, localPort: 0xd431, remoteAddress, remotePort: 3000 };
      const connection = { ...ends, destroyed: false };
      return findListener(connection, async function* () {
        const [rows = [open], ...later] = tables;
        connection.destroyed = later.length === 0;
        if (later.length > 0) tables = later;
        yield* await Promise.resolve(rows);
      });
    }

    // Each lookup reads the tables three times: for the remote end, our end and the listener.
    const often = (rows: (typeof open)[]) => Array.from({ length: 15 }, () => rows);

    test.each([
      ["there", server],
      ["at every address", "00000000:0BB8"],
    ])("BRG-07 sends nothing when another user listens %s", async (_, at) => {
      expect(await look(...often([open, listens(stranger, at)]))).toBe("gone");
    });

    test("BRG-07 sends nothing when another user stops listening", async () => {
      const first = [open, listens(stranger)];
      expect(await look(first, first, first, ...often([open]))).toBe("gone");
    });

    test("BRG-07 detects another user who accepts the connection late", async () => {
      const first = [open, listens(stranger)];
      expect(await look(first, first, first, ...often([open, accepted]))).toBe("other user");
    });

    test.each([
      ["no process listens here, as when the server is outside this system", []],
      ["the system does, and passes it on", [listens(0)]],
      ["a stranger does elsewhere", [listens(stranger, `${end}:0BB9`)]],
    ])("trusts the connection when %s", async (_, more) => {
      expect(await look(...often([open, ...more]))).toBe("trusted");
    });
  },
);
