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

describe("the lock of a data directory", () => {
  let folder = "";
  let lock = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fettle-lock-"));
    lock = join(folder, "lock");
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("a free folder is taken, and free again after the release", () => {
    expect(acquireFolderLock(lock, "/socket")).toBeUndefined();
    expect(findOwner(lock)).toMatchObject({ pid: process.pid, socketFolder: "/socket" });

    releaseFolderLock(lock);

    expect(findOwner(lock)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a living owner is reported with its socket and keeps the folder", () => {
    acquireFolderLock(lock, "/first");

    expect(acquireFolderLock(lock, "/second")).toMatchObject({ socketFolder: "/first" });
    expect(readdirSync(folder)).toEqual(["lock"]);
  });

  test("the lock of a killed process is replaced", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const own = JSON.parse(recordOf(lock)) as { pid: number };
    writeFileSync(lock, JSON.stringify({ ...own, pid: child.pid, startedAt: "1" }));
    child.kill("SIGKILL");
    await new Promise((ended) => child.once("exit", ended));

    expect(acquireFolderLock(lock, "/new")).toBeUndefined();
    expect(findOwner(lock)).toMatchObject({ pid: process.pid });
  });

  test.runIf(process.platform === "linux")(
    "a later process with the same number is not taken for the owner",
    () => {
      writeFileSync(lock, JSON.stringify({ pid: process.pid, startedAt: "1", socketFolder: "/x" }));

      expect(findOwner(lock)).toBeUndefined();
      expect(acquireFolderLock(lock, "/new")).toBeUndefined();
    },
  );

  test("a half-written lock counts as none", () => {
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
