import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../bridge/src/common/settings.js";
import { type ChannelEnd, connectHelper, type Message } from "../../bridge/src/ipc/channel.js";
import { readState } from "../../bridge/src/profile/profile.js";
import { type HelperTimes, serveSignIns } from "../../bridge/src/sign-in/helper.js";
import { createSignIn } from "../../bridge/src/sign-in/sign-in.js";
import { createMemoryStore } from "../../bridge/src/storage/open-store.js";
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from "../support/bridge-authorization-server.js";
import { bundleChild } from "../support/bridge-child.js";
import { aContext, makeHome, type TestContext, testSettings } from "../support/bridge-context.js";

const browser = fileURLToPath(new URL("../support/bridge-browser.mjs", import.meta.url));

describe("sign-in helper", () => {
  let program: string;
  let server: AuthorizationServer;
  let home: ReturnType<typeof makeHome>;

  beforeAll(async () => {
    program = await bundleChild(new URL("../../bridge/src/main.ts", import.meta.url));
  });
  beforeEach(async () => {
    server = await startAuthorizationServer();
    server.rules.metadata = { bridge_client_id: "fettle-bridge" };
    server.clients.set("fettle-bridge", undefined);
    home = makeHome();
  });
  afterEach(async () => {
    await endHelper(context());
    await server.stop();
    home.remove();
  });

  function context(changes: Partial<Settings> = {}): TestContext {
    const environment = {
      PATH: process.env["PATH"],
      HOME: home.path,
      BROWSER: changes.browser ?? "true",
    };
    return aContext(
      testSettings({
        server: server.url,
        home: home.path,
        storage: "file",
        environment,
        ...changes,
      }),
    );
  }

  function record({ profile }: TestContext): string {
    return join(profile.folder, "helper.json");
  }

  function recordOf(it: TestContext): { pid: number; channel: string } {
    return JSON.parse(readFileSync(record(it), "utf8")) as { pid: number; channel: string };
  }

  async function endHelper(it: TestContext): Promise<void> {
    try {
      process.kill(recordOf(it).pid, "SIGTERM");
    } catch {
      // The helper has already ended, perhaps just now.
    }
    await until(() => !existsSync(record(it)));
  }

  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await sleep(10);
  }

  async function serve(times: Partial<HelperTimes>) {
    const it = context();
    const usual = { flowMs: 30_000, finishMs: 30_000, unusedMs: 30_000, lingerMs: 30_000 };
    const ended = serveSignIns(it, { ...usual, ...times });
    await until(() => existsSync(record(it)));
    return { it, ended };
  }

  function isAlive(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  function asker(it: TestContext) {
    return createSignIn(it, { script: program });
  }

  test("serves ten concurrent bridges and opens one window", async () => {
    const bridges = Array.from({ length: 10 }, () => context({ browser }));

    const pending = await Promise.all(bridges.map((it) => asker(it)({ cause: "person" })));
    const outcomes = await Promise.all(pending.map(async (it) => it?.outcome));

    expect(outcomes).toEqual(Array.from({ length: 10 }, () => ({ kind: "done" })));
    expect(server.of("/authorize")).toHaveLength(1);
    expect(await readState(context().profile)).toMatchObject({ signedIn: true, generation: 1 });
    await until(() => !existsSync(record(context())));
  });

  test.each([
    ["the Node that runs the bridge is gone", { node: "/nowhere/bin/node" }],
    ["the installed bridge is gone", { script: "/nowhere/dist/main.js" }],
  ])("runs in this process when %s", async (_, gone) => {
    const it = context({ browser });

    const pending = await createSignIn(it, { script: program, ...gone })({ cause: "person" });

    expect(await pending?.outcome).toEqual({ kind: "done" });
    expect(await readState(it.profile)).toMatchObject({ signedIn: true });
    await until(() => !existsSync(record(it)));
  });

  test("uses the settings of the bridge that started it", async () => {
    const it = context({
      browser,
      profile: "work",
      scope: "mcp_read",
      headers: [["X-Tenant", "a: b"]],
    });

    const pending = await asker(it)({ cause: "person" });

    expect(await pending?.outcome).toEqual({ kind: "done" });
    expect(await readState(it.profile)).toMatchObject({ profile: "work", signedIn: true });
    expect(server.of("/mcp")[0]?.headers["x-tenant"]).toBe("a: b");
    expect(server.of("/authorize")[0]?.query.get("scope")).toBe("mcp_read");
  });

  test("outlives the bridge and its process group, and the next bridge joins", async () => {
    const it = context();
    const child = await bundleChild(new URL("../support/bridge-sign-in-child.ts", import.meta.url));
    const host = spawn(process.execPath, [child, JSON.stringify(it.settings), program], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(host.stdout, "data")) as [Buffer];

    process.kill(-(host.pid ?? 0), "SIGKILL");
    await once(host, "close");
    const joined = await asker(it)({ cause: "start" });
    const page = await fetch(String(line).trim());

    expect(joined?.url).toBe(String(line).trim());
    expect(await page.text()).toContain("You are signed in");
    expect(await joined?.outcome).toEqual({ kind: "done" });
  });

  test("fails its bridges when killed, and the next helper starts fresh", async () => {
    const it = context();
    const pending = await asker(it)({ cause: "person" });
    const { pid, channel } = recordOf(it);

    process.kill(pid, "SIGKILL");
    const outcome = await pending?.outcome;
    const again = await asker(it)({ cause: "start" });

    expect(existsSync(channel)).toBe(false);
    expect(outcome).toMatchObject({ kind: "failed" });
    expect(again?.url).not.toBe(pending?.url);
    await fetch(again?.url ?? "");
    expect(await again?.outcome).toEqual({ kind: "done" });
  });

  test("holds the tokens until it exits when there is no keychain", async () => {
    const it = context({ storage: "auto" });
    const pending = await asker(it)({ cause: "start" });
    await fetch(pending?.url ?? "");
    await pending?.outcome;
    const store = createMemoryStore(it.profile);

    const held = await store.get("rt");
    process.kill(recordOf(it).pid, "SIGKILL");
    await until(async () => (await store.get("rt")) === undefined);

    expect(held).toContain("rt_");
    expect((await readState(it.profile)).backend).toBe("memory");
    const again = await asker(it)({ cause: "start" });
    expect(again?.browser).toBe("opened");
    again?.leave();
  });

  test("revokes its in-memory tokens at Fettle when it ends", async () => {
    const it = context({ storage: "auto", browser });
    await (
      await asker(it)({ cause: "person" })
    )?.outcome;
    const held = await createMemoryStore(it.profile).get("rt");

    await endHelper(it);
    await until(() => server.of("/revoke").length > 0);

    const [{ form } = { form: new URLSearchParams() }] = server.of("/revoke");
    expect(form.get("client_id")).toBe("fettle-bridge");
    expect(form.get("token")).toMatch(/^rt_/);
    expect(held).toContain(form.get("token"));
  });

  test("revokes no tokens elsewhere, where revoking could end more connections", async () => {
    server.rules.metadata = {};
    const it = context({ storage: "auto", browser });
    await (
      await asker(it)({ cause: "person" })
    )?.outcome;
    const { pid } = recordOf(it);

    await endHelper(it);
    await until(() => !isAlive(pid));

    expect((await readState(it.profile)).signedIn).toBe(true);
    expect(server.of("/revoke")).toEqual([]);
  });

  test("times out on a token exchange after the browser has returned", async () => {
    server.rules.answersExchange = false;
    const { it, ended } = await serve({ finishMs: 100 });
    const pending = await asker(it)({ cause: "person" });

    const page = await fetch(pending?.url ?? "");

    expect(await page.text()).toContain("The sign-in did not work");
    expect(await pending?.outcome).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("took too long") as string,
    });
    await ended;
  });

  describe("memory mode", () => {
    async function connect(it: TestContext): Promise<ChannelEnd> {
      const helper = await connectHelper(it.profile);
      if (helper === undefined) throw new Error("There is no helper.");
      return helper;
    }

    function ask(helper: ChannelEnd, message: Message): Promise<Message> {
      return new Promise((answered) => {
        helper.onMessage(answered);
        helper.send(message);
      });
    }

    test("ends when unused", async () => {
      const { it, ended } = await serve({ unusedMs: 50 });

      await ended;

      expect(existsSync(record(it))).toBe(false);
    });

    test("stays alive while a bridge is connected, and shortly afterwards", async () => {
      const { it, ended } = await serve({ lingerMs: 50 });
      const holder = await connect(it);
      await ask(holder, { op: "set", id: 1, name: "rt", value: "secret" });
      holder.send({ op: "hold" });

      await sleep(200);
      const answer = await ask(await connect(it), { op: "get", id: 2, name: "rt" });
      holder.close();
      await ended;

      expect(answer).toEqual({ answered: true, value: "secret" });
      expect(existsSync(record(it))).toBe(false);
    });

    test("stores secrets for bridges, and ends with the last one", async () => {
      const { it, ended } = await serve({});
      const [store, other] = [createMemoryStore(it.profile), createMemoryStore(it.profile)];
      const keep = await connect(it);
      await ask(keep, { op: "set", id: 1, name: "at", value: "access" });

      await store.set("rt", "refresh");
      const seen = await Promise.all([other.get("rt"), other.get("at")]);
      await other.delete("rt");
      const deleted = await store.get("rt");
      await store.delete("at");
      await ended;

      expect(seen).toEqual(["refresh", "access"]);
      expect(deleted).toBeUndefined();
      expect(await store.get("at")).toBeUndefined();
      await expect(store.set("rt", "x")).rejects.toMatchObject({ code: "keychain_unavailable" });
    });
  });
});
