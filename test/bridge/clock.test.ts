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

describe("a clock that was set back", () => {
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
  ])("keeps no lock that is stamped %s ahead", async (_, ms, isFree) => {
    const path = join(folder, "held", "work.1");
    mkdirSync(join(folder, "held"));
    writeFileSync(path, JSON.stringify({ ...currentOwner(), place: "another machine" }));
    stampAhead(path, ms);

    const entered = await withLock({ folder }, "work", { waitMs: 200 }, async () => true).catch(
      () => false,
    );

    expect(entered).toBe(isFree);
  });

  test("does not keep a person from being asked for the password", async () => {
    expect(await mayAskToUnlock(folder)).toBe(true);
    expect(await mayAskToUnlock(folder)).toBe(false);
    stampAhead(join(folder, "keychain-asked"), hour);

    expect(await mayAskToUnlock(folder)).toBe(true);
    expect(await mayAskToUnlock(folder)).toBe(false);
  });

  test("makes no wait longer, and one that was set forward ends it", async () => {
    const left = startWait(60_000);
    shiftClock(-hour);
    expect(left()).toBeGreaterThan(59_000);
    expect(left()).toBeLessThanOrEqual(60_000);
    vi.restoreAllMocks();
    shiftClock(hour);
    expect(left()).toBe(0);
  });

  test("does not keep a timer from ringing", async () => {
    await new Promise<void>((ring) => {
      createWallClockTimer(ring, 5).set(Date.now() + 40);
      shiftClock(-hour);
    });
  });

  test("makes nobody wait longer than the server asked for", async () => {
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
