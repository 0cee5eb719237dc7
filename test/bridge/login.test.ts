import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { login, parseCallbackUrl } from "../../bridge/src/commands/login.js";
import type { Settings } from "../../bridge/src/common/settings.js";
import { connectHelper } from "../../bridge/src/ipc/channel.js";
import { serveSignIns } from "../../bridge/src/sign-in/helper.js";
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from "../support/bridge-authorization-server.js";
import { bundleChild } from "../support/bridge-child.js";
import { aContext, makeHome, type TestContext, testSettings } from "../support/bridge-context.js";
import { makeIo } from "../support/bridge-io.js";
import { startBridge } from "../support/bridge-process.js";

describe("fettle-bridge login command", () => {
  let program: string;
  let server: AuthorizationServer;
  let home: ReturnType<typeof makeHome>;
  let helper: Promise<void> | undefined;

  beforeAll(async () => {
    program = await bundleChild(new URL("../../bridge/src/main.ts", import.meta.url));
  });
  beforeEach(async () => {
    server = await startAuthorizationServer();
    server.rules.metadata = { bridge_client_id: "fettle-bridge" };
    server.clients.set("fettle-bridge", undefined);
    home = makeHome();
    helper = undefined;
  });
  afterEach(async () => {
    await helper;
    await server.stop();
    home.remove();
  });

  async function context(changes: Partial<Settings> = {}): Promise<TestContext> {
    const it = aContext(
      testSettings({
        server: server.url,
        home: home.path,
        storage: "file",
        browser: "true",
        environment: { PATH: process.env["PATH"] },
        ...changes,
      }),
    );
    helper = serveSignIns(it, {
      flowMs: 30_000,
      finishMs: 30_000,
      unusedMs: 30_000,
      lingerMs: 30_000,
    });
    for (;;) {
      const end = await connectHelper(it.profile);
      if (end !== undefined) {
        end.close();
        return it;
      }
      await sleep(5);
    }
  }

  function terminal() {
    const typed = new PassThrough();
    const io = makeIo();
    return { ...io, typed, stdin: Object.assign(typed, { isTTY: true }) as never };
  }

  async function shown(written: { stderr: string }): Promise<string> {
    for (;;) {
      const [address] = /http:\/\/127\S+/.exec(written.stderr) ?? [];
      if (address !== undefined) return address;
      await sleep(5);
    }
  }

  test("prints a short address alongside the window, and reports success", async () => {
    const it = await context();
    const io = makeIo();

    const ended = login(it, io);
    await fetch(await shown(io.written));

    expect(await ended).toBe(0);
    expect(io.written.stderr).toMatch(
      /If no window opens, go to http:\/\/127\.0\.0\.1:\d+\/\S{12}\n/,
    );
    expect(io.written.stdout).toBe(`Signed in to ${server.url}.\n`);
  });

  test("exits with 3 when access is denied", async () => {
    server.rules.decision = "access_denied";
    const it = await context();
    const io = makeIo();

    const ended = login(it, io);
    await fetch(await shown(io.written));

    expect(await ended).toBe(3);
    expect(io.written.stderr).toContain("Access was denied in the browser.");
  });

  test("accepts the final address of a browser on another computer", async () => {
    const it = await context({ browser: "/nowhere/browser" });
    const io = terminal();

    const ended = login(it, io);
    const address = await shown(io.written);
    const { headers } = await fetch(address, { redirect: "manual" });
    io.typed.write("https://fettle.example/callback?code=1\n");
    io.typed.write(`${headers.get("location") ?? ""}\n`);

    expect(await ended).toBe(0);
    expect(address).toContain("/authorize?");
    expect(io.written.stderr).toContain("That is not the address the browser ends on.");
  });

  test.each([
    ["http://127.0.0.1:7/callback?code=c&state=s", true],
    [" http://127.0.0.1:7/callback?error=access_denied&state=s \n", true],
    ["http://127.0.0.1:8/callback?code=c&state=s", false],
    ["http://127.0.0.1:7/other?code=c&state=s", false],
    ["http://127.0.0.1:7/callback?code=c", false],
    ["c", false],
  ])("fetches %j: %s", (line, taken) => {
    const redirectUri = encodeURIComponent("http://127.0.0.1:7/callback");

    const address = parseCallbackUrl(line, `https://a.example/?redirect_uri=${redirectUri}`);

    expect(address !== undefined).toBe(taken);
  });

  test("does nothing without a keychain, and names the alternatives", async () => {
    const bridge = startBridge({
      command: [process.execPath, program],
      args: ["login", server.url],
      home: home.path,
    });

    const { code } = await bridge.exit;

    expect(code).toBe(3);
    expect(bridge.stderr()).toContain("Install or unlock a keychain, or add --storage file");
    expect(server.seen).toEqual([]);
  });

  test("exits with 4 while the server is unreachable", async () => {
    await server.stop();
    const bridge = startBridge({
      command: [process.execPath, program],
      args: ["login", "--storage", "file", server.url],
      home: home.path,
    });

    const { code } = await bridge.exit;

    expect(code).toBe(4);
    expect(bridge.stderr()).toContain("nothing answers at 127.0.0.1");
  });
});
