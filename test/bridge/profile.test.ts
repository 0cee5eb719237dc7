import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BridgeError } from "../../bridge/src/common/errors.js";
import { findProgramFolder } from "../../bridge/src/common/ownership.js";
import { readJson, removeFile, writeFileAtomic } from "../../bridge/src/profile/files.js";
import {
  listProfiles,
  openProfile,
  readState,
  updateState,
} from "../../bridge/src/profile/profile.js";

const server = "https://fettle.example/mcp";
let folder = "";
let home = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fettle-bridge-profile-"));
  home = join(folder, "home");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const modeOf = (path: string) => statSync(path).mode & 0o777;
const open = (profile = "") => openProfile({ home, server, profile });

describe("profile folder", () => {
  test("is created for its owner only, along with its home", () => {
    const profile = open();

    expect(profile).toMatchObject({ server, name: "", folder: join(home, profile.key) });
    expect(profile.key).toMatch(/^[0-9a-f]{16}$/);
    expect(modeOf(home)).toBe(0o700);
    expect(modeOf(profile.folder)).toBe(0o700);
  });

  test("differs by name, server and home, but not through a link", () => {
    const { key } = open();
    symlinkSync(home, join(folder, "link"));
    const keys = [
      open("work").key,
      openProfile({ home, server: "https://other.example/mcp", profile: "" }).key,
      openProfile({ home: join(folder, "home2"), server, profile: "" }).key,
      key,
    ];

    expect(new Set(keys).size).toBe(4);
    expect(openProfile({ home: join(folder, "link"), server, profile: "" }).key).toBe(key);
  });

  test("becomes private if it was open to others", () => {
    const { folder: opened } = open();
    rmSync(opened, { recursive: true });
    mkdirSync(opened);

    open();

    expect(modeOf(opened)).toBe(0o700);
  });

  test.each([
    [0o777, 0o755],
    [0o775, 0o755],
    [0o1777, 0o1777],
  ])("leaves a home of mode %o with mode %o", (mode, left) => {
    mkdirSync(home);
    chmodSync(home, mode);

    open();

    expect(statSync(home).mode & 0o7777).toBe(left);
  });

  test("is rejected if it is a link", () => {
    const { folder: opened } = open();
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o755 });
    rmSync(opened, { recursive: true });
    symlinkSync(elsewhere, opened);

    expect(() => open()).toThrow("it is a link");
    expect(modeOf(elsewhere)).toBe(0o755);
  });

  test("reports a folder that can't be created as wrong usage, with a fix", () => {
    writeFileSync(home, "a file");

    expect(() => open()).toThrow(
      expect.objectContaining({
        code: "wrong_usage",
        message: expect.stringMatching(/home.*FETTLE_BRIDGE_HOME/) as string,
      }) as BridgeError,
    );
  });
});

describe("program folder", () => {
  const find = () => findProgramFolder(home, "program");
  const makeFolder = (path: string, mode: number) => {
    mkdirSync(path);
    chmodSync(path, mode);
  };

  test("BRG-08 is created for its owner only if no one else can write there", () => {
    makeFolder(home, 0o755);

    expect(find()).toBe(join(home, "program"));
    expect(modeOf(join(home, "program"))).toBe(0o700);
  });

  test("is not created before its home", () => {
    expect(find()).toBeUndefined();
    expect(existsSync(home)).toBe(false);
  });

  test.each([0o777, 0o775, 0o1777])("is unavailable in a home of mode %o", (mode) => {
    makeFolder(home, mode);

    expect(find()).toBeUndefined();
    expect(readdirSync(home)).toEqual([]);
  });

  test("BRG-08 is unavailable if others can write to it, or if it is a link", () => {
    makeFolder(home, 0o755);
    makeFolder(join(home, "program"), 0o777);
    expect(find()).toBeUndefined();

    rmSync(join(home, "program"), { recursive: true });
    makeFolder(join(folder, "elsewhere"), 0o755);
    symlinkSync(join(folder, "elsewhere"), join(home, "program"));
    expect(find()).toBeUndefined();
  });

  test.runIf(process.getuid?.() === 0)("is unavailable if another user owns it", () => {
    makeFolder(home, 0o755);
    makeFolder(join(home, "program"), 0o755);
    chownSync(join(home, "program"), 65_534, 65_534);
    expect(find()).toBeUndefined();

    rmSync(join(home, "program"), { recursive: true });
    chownSync(home, 65_534, 65_534);
    expect(find()).toBeUndefined();
  });
});

describe("files", () => {
  test("are replaced atomically, for their owner only, and leave nothing behind", async () => {
    const path = join(folder, "file.json");

    await writeFileAtomic(path, '{"old":1}');
    await writeFileAtomic(path, '{"new":1}');

    expect(await readJson(path)).toEqual({ new: 1 });
    expect(modeOf(path)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["file.json"]);
  });

  test("read as empty when missing or damaged", async () => {
    writeFileSync(join(folder, "damaged.json"), '{"half":');

    expect(await readJson(join(folder, "missing.json"))).toBeUndefined();
    expect(await readJson(join(folder, "damaged.json"))).toBeUndefined();
  });

  test("are removed along with temporary files of killed writers", async () => {
    for (const name of ["a.json", "a.json.0123456789abcdef.tmp", "b.json"]) {
      writeFileSync(join(folder, name), "");
    }

    await removeFile(join(folder, "a.json"));
    await removeFile(join(folder, "missing", "c.json"));

    expect(readdirSync(folder)).toEqual(["b.json"]);
  });

  test("leave nothing behind when they can't be written", async () => {
    mkdirSync(join(folder, "taken"));

    await expect(writeFileAtomic(join(folder, "taken"), "text")).rejects.toThrow();

    expect(readdirSync(folder)).toEqual(["taken"]);
  });
});

describe("profile state", () => {
  test("starts signed out, without a file", async () => {
    const profile = open("work");

    const state = await readState(profile);

    expect(state).toMatchObject({ server, profile: "work", generation: 0, signedIn: false });
    expect(readdirSync(profile.folder)).toEqual([]);
  });

  test("keeps changes and unknown fields", async () => {
    const profile = open();
    await updateState(profile, { backend: "keyring", signedIn: true, generation: 4 });
    const path = join(profile.folder, "state.json");
    const written = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...written, version: 2, addedLater: true }));

    await updateState(profile, ({ generation }) => ({
      generation: generation + 1,
      backend: undefined,
    }));

    expect(await readState(profile)).toMatchObject({
      version: 2,
      generation: 5,
      signedIn: true,
      backend: undefined,
      addedLater: true,
    });
  });

  test("loses no concurrent change", async () => {
    const profile = open();

    await Promise.all(
      Array.from({ length: 6 }, () =>
        updateState(profile, ({ generation }) => ({ generation: generation + 1 })),
      ),
    );

    expect((await readState(profile)).generation).toBe(6);
  });

  test("starts over from a damaged file", async () => {
    const profile = open();
    writeFileSync(join(profile.folder, "state.json"), '{"generation":');

    expect((await readState(profile)).generation).toBe(0);
    await updateState(profile, { signedIn: true });

    expect((await readState(profile)).signedIn).toBe(true);
  });

  test("applies only to its own server and name", async () => {
    const trusted = open();
    await updateState(trusted, { signedIn: true, generation: 2 });
    for (const other of [
      open("work"),
      openProfile({ home, server: "https://other.example/mcp", profile: "" }),
    ]) {
      rmSync(other.folder, { recursive: true });
      cpSync(trusted.folder, other.folder, { recursive: true });

      expect(await readState(other)).toMatchObject({ signedIn: false, server: other.server });
      await updateState(other, { generation: 1 });
      expect(await readState(other)).toMatchObject({ signedIn: false, profile: other.name });
    }
    expect((await readState(trusted)).signedIn).toBe(true);
  });

  test("is not listed through a link", async () => {
    const used = open("used");
    await updateState(used, { generation: 3 });
    symlinkSync(used.folder, join(home, "0123456789abcdef"));

    expect(await listProfiles(home)).toEqual([used]);
  });

  test("is listed for every used profile in a home", async () => {
    const used = open("used");
    open("never used");
    await updateState(used, { generation: 3 });

    expect(await listProfiles(home)).toEqual([used]);
    expect(await listProfiles(join(folder, "nowhere"))).toEqual([]);
  });
});
