import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  claim,
  createLockOwners,
  lockOwners,
  LockTimeout,
  type System,
  withLock,
} from "../../bridge/src/profile/lock.js";
import { bundleChild } from "../support/bridge-child.js";

const { current, isGone } = lockOwners;
const notHere = { ...current(), place: "another machine" };
const dead = { ...current(), startedAt: "1" };

describe("the lock of a profile", () => {
  let folder = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fettle-bridge-lock-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const lock = <Result>(work: () => Promise<Result>, waitMs = 20_000, signal?: AbortSignal) =>
    withLock({ folder }, "work", { waitMs, ...(signal && { signal }) }, work);

  /** The newest holder's file, as some process left it. */
  const leave = (record: unknown, { ageMs = 0, generation = 1 } = {}) => {
    mkdirSync(join(folder, "locks"), { recursive: true });
    const path = join(folder, "locks", `work.${generation}`);
    writeFileSync(path, typeof record === "string" ? record : JSON.stringify(record));
    utimesSync(path, new Date(Date.now() - ageMs), new Date(Date.now() - ageMs));
  };

  test("lets processes in one at a time, also when some are killed inside", async () => {
    const child = await bundleChild(new URL("../support/bridge-lock-child.ts", import.meta.url));
    const rounds = 12;
    const killRounds = [-1, 3, -1, 5, -1, 8, 2, -1];

    const outputs = await Promise.all(
      killRounds.map(async (killRound) => {
        const process_ = spawn(
          process.execPath,
          [child, folder, String(rounds), String(killRound)],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
        const [output] = await Promise.all([text(process_.stdout), once(process_, "exit")]);
        return output.trimEnd().split("\n");
      }),
    );

    const expected = killRounds.map((round) =>
      Array.from({ length: round === -1 ? rounds : round - 1 }, () => "in"),
    );
    expect(outputs).toEqual(expected);
  });

  test("lets callers of one process in one at a time", async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise(setImmediate);
      inside -= 1;
    };

    await Promise.all(Array.from({ length: 6 }, () => lock(work)));

    expect(most).toBe(1);
  });

  test("is free again after work that failed", async () => {
    await expect(lock(() => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");

    expect(await lock(async () => "done")).toBe("done");
  });

  test("gives up after the wait it was given", async () => {
    leave(current());

    await expect(lock(async () => "done", 30)).rejects.toThrow(LockTimeout);
  });

  test("stops waiting when the caller does", async () => {
    leave(current());
    const caller = new AbortController();

    const waiting = lock(async () => "done", 20_000, caller.signal);
    setImmediate(() => {
      caller.abort(new Error("stopped"));
    });

    await expect(waiting).rejects.toThrow(/stopped|aborted/);
  });

  test("is taken over from a process that is no more", async () => {
    leave(dead, { generation: 7 });

    expect(await lock(async () => readdirSync(join(folder, "locks")).sort())).toEqual([
      "work.7",
      "work.8",
    ]);
  });

  test("is taken over from another machine after two minutes only", async () => {
    leave(notHere, { ageMs: 60_000 });

    await expect(lock(async () => "done", 30)).rejects.toThrow(LockTimeout);
    leave(notHere, { ageMs: 121_000 });

    expect(await lock(async () => "done")).toBe("done");
  });

  test("counts a record that cannot be read as held for two minutes", async () => {
    leave('{"pid":');

    await expect(lock(async () => "done", 30)).rejects.toThrow(LockTimeout);
    leave('{"pid":', { ageMs: 121_000 });

    expect(await lock(async () => "done")).toBe("done");
  });

  test("keeps the last names only, and no leftovers", async () => {
    mkdirSync(join(folder, "locks"));
    const leftover = join(folder, "locks", "work.0123456789abcdef.tmp");
    writeFileSync(leftover, "");
    utimesSync(leftover, 0, 0);

    for (let round = 0; round < 20; round += 1) await lock(async () => undefined);

    const names = readdirSync(join(folder, "locks"));
    expect(names).toContain("work.20");
    expect(names).toHaveLength(16);
  });

  test("is free for this process when it cannot say that it is done, and later for all", async () => {
    const locks = join(folder, "locks");
    const result = await lock(async () => {
      renameSync(locks, join(folder, "aside"));
      writeFileSync(locks, "");
      return "done";
    });
    rmSync(locks);
    renameSync(join(folder, "aside"), locks);
    const names = () => readdirSync(locks);
    const before = names();

    const again = await lock(async () => "again", 0);

    expect([result, again]).toEqual(["done", "again"]);
    expect(before).toEqual(["work.1"]);
    await expect.poll(names).toContain("work.1.done");
  });

  test("claims a name once where there are no hard links", async () => {
    const noLinks = () => Promise.reject(new Error("EPERM"));
    const path = join(folder, "work.1");

    expect(await claim(join(folder, "unused"), path, noLinks)).toBe(true);
    expect(await claim(join(folder, "unused"), path, noLinks)).toBe(false);
  });
});

describe("the owner of a lock", () => {
  test("a living process of an unknown start counts for ten minutes", () => {
    const unknown = { ...current(), startedAt: "" };

    expect(isGone(unknown, 9 * 60_000)).toBe(false);
    expect(isGone(unknown, 11 * 60_000)).toBe(true);
  });

  test("this process is there however old its record is", () => {
    expect(isGone(current(), 3_600_000)).toBe(false);
  });

  test.runIf(process.platform === "linux")(
    "a process that was killed is gone before its parent takes notice",
    async () => {
      // The shell becomes a program that never waits for its child.
      const script = "sleep 60 & echo $!; read go; kill -9 $!; exec tail -f /dev/null";
      const parent = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(line.toString());
      const startedAt = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21] ?? "";
      const owner = { ...current(), pid, startedAt };

      expect(isGone(owner, 0)).toBe(false);
      parent.stdin.write("\n");

      await expect.poll(() => isGone(owner, 0)).toBe(true);
      parent.kill("SIGKILL");
      await once(parent, "exit");
    },
  );

  describe("on macOS", () => {
    const system = (changes: Partial<System> = {}): System => ({
      platform: "darwin",
      hostname: () => "at-home.local",
      read: () => {
        throw new Error("no such file");
      },
      run: (command) =>
        command === "/bin/ps" ? "S+ Tue Nov 24 13:10:00 2026\n" : "BOOT-SESSION\n",
      ...changes,
    });
    const record = createLockOwners(system()).current();

    test("is known by when it started and by the boot", () => {
      expect(record).toEqual({
        pid: process.pid,
        startedAt: "Tue Nov 24 13:10:00 2026",
        place: "BOOT-SESSION",
      });
    });

    test.each([
      ["runs on", {}, false],
      [
        "is gone when its number belongs to a process that started later",
        "S Tue Nov 24 13:11:00 2026",
        true,
      ],
      ["is gone when it is a zombie", "Z Tue Nov 24 13:10:00 2026", true],
    ])("%s, also when the name of the machine has changed", (_, ps, gone) => {
      const now = createLockOwners(
        system({
          hostname: () => "in-the-office.local",
          ...(typeof ps === "string" && {
            run: (command) => (command === "/bin/ps" ? ps : "BOOT-SESSION\n"),
          }),
        }),
      );

      expect(now.isGone(record, 0)).toBe(gone);
    });

    test("counts for ten minutes where processes must not be looked at", () => {
      const sealed = createLockOwners(
        system({
          run: () => {
            throw new Error("sandboxed");
          },
        }),
      );

      expect(sealed.current()).toMatchObject({ startedAt: "", place: "at-home.local" });
      expect(sealed.isGone(sealed.current(), 9 * 60_000)).toBe(false);
      expect(sealed.isGone(sealed.current(), 11 * 60_000)).toBe(true);
    });

    test("is not taken for gone by one that must not look", () => {
      const run = (command: string) => {
        if (command === "/bin/ps") throw new Error("sandboxed");
        return "BOOT-SESSION\n";
      };

      expect(createLockOwners(system({ run })).isGone(record, 60_000)).toBe(false);
    });
  });

  test.runIf(existsSync("/bin/ps"))("asks ps where there is no /proc", async () => {
    const asks = createLockOwners({
      platform: "freebsd",
      hostname: () => "host",
      read: () => "",
      run: (command, args) => execFileSync(command, args, { encoding: "utf8" }),
    });
    const other = spawn("sleep", ["60"]);

    expect(asks.current().startedAt).not.toBe("");
    expect(asks.isGone(asks.current(), 3_600_000)).toBe(false);
    expect(asks.isGone({ ...asks.current(), pid: other.pid, startedAt: "earlier" }, 0)).toBe(true);
    other.kill("SIGKILL");
    await once(other, "exit");
  });
});
