import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  acquireFolderLock,
  findOwner,
  releaseFolderLock,
} from "../../server/src/db/folder-lock.js";

describe("data directory lock", () => {
  let folder = "";
  let lock = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fettle-lock-"));
    lock = join(folder, "lock");
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("takes a free directory and frees it on release", () => {
    expect(acquireFolderLock(lock, "/socket")).toBeUndefined();
    expect(findOwner(lock)).toMatchObject({ pid: process.pid, socketFolder: "/socket" });

    releaseFolderLock(lock);

    expect(findOwner(lock)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("reports a running owner with its socket and keeps the lock", () => {
    acquireFolderLock(lock, "/first");

    expect(acquireFolderLock(lock, "/second")).toMatchObject({ socketFolder: "/first" });
    expect(readdirSync(folder)).toEqual(["lock"]);
  });

  test("replaces the lock of a killed process", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const own = JSON.parse(recordOf(lock)) as { pid: number };
    writeFileSync(lock, JSON.stringify({ ...own, pid: child.pid, startedAt: "1" }));
    child.kill("SIGKILL");
    await new Promise((ended) => child.once("exit", ended));

    expect(acquireFolderLock(lock, "/new")).toBeUndefined();
    expect(findOwner(lock)).toMatchObject({ pid: process.pid });
  });

  test.runIf(process.platform === "linux")(
    "doesn't mistake a later process with the same pid for the owner",
    () => {
      writeFileSync(lock, JSON.stringify({ pid: process.pid, startedAt: "1", socketFolder: "/x" }));

      expect(findOwner(lock)).toBeUndefined();
      expect(acquireFolderLock(lock, "/new")).toBeUndefined();
    },
  );

  test("ignores a half-written lock", () => {
    writeFileSync(lock, '{"pid": 1');

    expect(acquireFolderLock(lock, "/new")).toBeUndefined();
  });
});

function recordOf(lock: string): string {
  acquireFolderLock(lock, "/old");
  const text = readFileSync(lock, "utf8");
  releaseFolderLock(lock);
  return text;
}
