import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { currentOwner, isGone, LockTimeout, withLock } from "../../bridge/src/profile/lock.js";
import { bundleChild } from "../support/bridge-child.js";

const notHere = { ...currentOwner(), place: "another machine" };
const dead = { ...currentOwner(), startedAt: "1" };

describe("profile lock", () => {
  let folder = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fettle-bridge-lock-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const lock = <Result>(work: () => Promise<Result>, waitMs = 20_000) =>
    withLock({ folder }, "work", { waitMs }, work);

  /** Writes the newest holder's file, as another process would have left it. */
  const leave = (record: unknown, { ageMs = 0, generation = 1 } = {}) => {
    mkdirSync(join(folder, "held"), { recursive: true });
    const path = join(folder, "held", `work.${generation}`);
    writeFileSync(path, typeof record === "string" ? record : JSON.stringify(record));
    utimesSync(path, new Date(Date.now() - ageMs), new Date(Date.now() - ageMs));
  };

  test("admits one process at a time, even when some are killed inside", async () => {
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

  test("admits one caller of a process at a time", async () => {
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

  test("is released after failed work", async () => {
    await expect(lock(() => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");

    expect(await lock(async () => "done")).toBe("done");
  });

  test("times out after the given wait", async () => {
    leave(currentOwner());

    await expect(lock(async () => "done", 30)).rejects.toThrow(LockTimeout);
  });

  test("is taken over from a process that has exited", async () => {
    leave(dead, { generation: 7 });

    expect(await lock(async () => readdirSync(join(folder, "held")).sort())).toEqual([
      "work.7",
      "work.8",
    ]);
  });

  test("is taken over from another machine only after two minutes", async () => {
    leave(notHere, { ageMs: 60_000 });

    await expect(lock(async () => "done", 30)).rejects.toThrow(LockTimeout);
    leave(notHere, { ageMs: 121_000 });

    expect(await lock(async () => "done")).toBe("done");
  });

  test("treats an unreadable record as held for two minutes", async () => {
    leave('{"pid":');

    await expect(lock(async () => "done", 30)).rejects.toThrow(LockTimeout);
    leave('{"pid":', { ageMs: 121_000 });

    expect(await lock(async () => "done")).toBe("done");
  });

  test("is taken over from a process killed before it wrote its record", async () => {
    leave("");

    await expect(lock(async () => "done", 30)).rejects.toThrow(LockTimeout);
    leave("", { ageMs: 1_100 });

    expect(await lock(async () => "done")).toBe("done");
  });

  test("keeps only the most recent names", async () => {
    for (let round = 0; round < 20; round += 1) await lock(async () => undefined);

    const names = readdirSync(join(folder, "held"));
    expect(names).toContain("work.20");
    expect(names).toHaveLength(8);
  });

  test("does not recreate a file that was removed while the lock was held", async () => {
    await lock(async () => {
      rmSync(join(folder, "held", "work.1"));
    });

    expect(readdirSync(join(folder, "held"))).toEqual([]);
  });
});

describe("lock owner", () => {
  test("a living process with an unknown start time counts for ten minutes", () => {
    const unknown = { ...currentOwner(), startedAt: "" };

    expect(isGone(unknown, 9 * 60_000)).toBe(false);
    expect(isGone(unknown, 11 * 60_000)).toBe(true);
  });

  test("the current process counts as running however old its record is", () => {
    expect(isGone(currentOwner(), 3_600_000)).toBe(false);
  });

  test.runIf(process.platform === "linux")(
    "a killed process counts as gone before its parent reaps it",
    async () => {
      // The shell execs a program that never waits for its child.
      const script = "sleep 60 & echo $!; read go; kill -9 $!; exec tail -f /dev/null";
      const parent = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(line.toString());
      const startedAt = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21] ?? "";
      const owner = { ...currentOwner(), pid, startedAt };

      expect(isGone(owner, 0)).toBe(false);
      parent.stdin.write("\n");

      await expect.poll(() => isGone(owner, 0)).toBe(true);
      parent.kill("SIGKILL");
      await once(parent, "exit");
    },
  );
});
