import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWallClockTimer, startWait } from "../../bridge/src/common/timing.js";
import { currentOwner, withLock } from "../../bridge/src/profile/lock.js";
import { mayAskToUnlock } from "../../bridge/src/storage/keychain.js";
import { signInAt } from "../support/bridge-oauth.js";
import { noToken, setUpTokens } from "../support/bridge-token-setup.js";

const hour = 3_600_000;

/** Shifts the wall clock by this much. It keeps running. */
function shiftClock(ms: number): void {
  const real = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => real() + ms);
}

function stampAhead(path: string, ms: number): void {
  const stamp = new Date(Date.now() + ms);
  utimesSync(path, stamp, stamp);
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("clock set back", () => {
  let folder = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fettle-bridge-clock-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["an hour", hour, true],
    ["a second, as between machines,", 1000, false],
  ])("takes over a lock stamped %s ahead only if the gap is large", async (_, ms, isFree) => {
    const path = join(folder, "held", "work.1");
    mkdirSync(join(folder, "held"));
    writeFileSync(path, JSON.stringify({ ...currentOwner(), place: "another machine" }));
    stampAhead(path, ms);

    const entered = await withLock({ folder }, "work", { waitMs: 200 }, async () => true).catch(
      () => false,
    );

    expect(entered).toBe(isFree);
  });

  test("still asks for the keychain password", async () => {
    expect(await mayAskToUnlock(folder)).toBe(true);
    expect(await mayAskToUnlock(folder)).toBe(false);
    stampAhead(join(folder, "keychain-asked"), hour);

    expect(await mayAskToUnlock(folder)).toBe(true);
    expect(await mayAskToUnlock(folder)).toBe(false);
  });

  test("does not extend a wait, and a clock set forward ends the wait", async () => {
    const left = startWait(60_000);
    shiftClock(-hour);
    expect(left()).toBeGreaterThan(59_000);
    expect(left()).toBeLessThanOrEqual(60_000);
    vi.restoreAllMocks();
    shiftClock(hour);
    expect(left()).toBe(0);
  });

  test("still fires timers", async () => {
    await new Promise<void>((ring) => {
      createWallClockTimer(ring, 5).set(Date.now() + 40);
      shiftClock(-hour);
    });
  });

  test("does not extend the wait that the server requested", async () => {
    const { server, store, context, aManager, end } = await setUpTokens();
    const { accessToken: value } = await signInAt(server, context, store, { expiresIn: 1 });
    server.rules.before = (_request, response) => {
      response.writeHead(429, { "retry-after": "1" }).end("{}");
      return true;
    };
    const { manager } = aManager();
    await expect(manager.get()).rejects.toMatchObject({ code: "server_busy" });
    server.rules.before = () => false;
    shiftClock(-hour);
    await new Promise((done) => setTimeout(done, 1100));

    expect((await manager.replace({ ...noToken, value }))?.generation).toBe(2);
    end();
  });
});
