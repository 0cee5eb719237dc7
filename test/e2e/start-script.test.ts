import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "fettle-start-"));

describe("server/start.mjs with a test compiler and program", () => {
  beforeEach(() => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(root, "server/src"), { recursive: true });
    for (const file of ["package.json", "server/start.mjs"]) {
      cpSync(join(repository, file), join(root, file));
    }
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  function haveCompiler(text: string): void {
    const folder = join(root, "node_modules/@typescript/native/bin");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "tsc"), text);
  }

  function start(...options: string[]) {
    const args = [...options, join(root, "server/start.mjs"), "serve"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    return { status, stdout, stderr };
  }

  test("reports a slow build on stderr only", () => {
    haveCompiler(`
      const { mkdirSync, writeFileSync } = require("node:fs");
      const { setTimeout: wait } = require("node:timers/promises");
      wait(1500).then(() => {
        mkdirSync("${root}/server/dist");
        writeFileSync("${root}/server/dist/main.js", "console.log('serving')");
      });`);

    expect(start()).toEqual({ status: 0, stdout: "serving\n", stderr: "Building…\n" });
  });

  test("exits after a failed build, following the compiler's output", () => {
    haveCompiler('console.error("main.ts: wrong"); process.exitCode = 2;');

    const { status, stdout, stderr } = start();
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    // On a slow machine, the build takes longer and prints a line.
    expect(stderr.replace("Building…\n", "")).toBe(
      "main.ts: wrong\nFettle cannot be built. The lines above say why.\n",
    );
  });

  test("packages missing: suggests npm ci", () => {
    expect(start()).toMatchObject({
      status: 1,
      stderr: "The packages that Fettle needs are not installed. Run npm ci first.\n",
    });
  });

  test("build and compiler missing: explains how to install for production", () => {
    mkdirSync(join(root, "node_modules"));

    expect(start()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("npm ci && npm run build && npm prune --omit=dev") as string,
    });
  });

  test("an old Node: names the required version", () => {
    const old = 'Object.defineProperty(process.versions, "node", { value: "20.18.3" })';

    expect(start("--import", `data:text/javascript,${old}`)).toMatchObject({
      status: 1,
      stderr:
        "Fettle needs Node.js 20.19 or newer, and this is 20.18.3. Install a newer one from https://nodejs.org.\n",
    });
  });
});
