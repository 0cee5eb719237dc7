import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome } from "../support/bridge-context.js";

const run = promisify(execFile);
const bridge = fileURLToPath(new URL("../../bridge", import.meta.url));

const folder = makeHome();
const unpacked = join(folder.path, "package");
let files: string[];
beforeAll(async () => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder.path], {
    cwd: bridge,
  });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  files = packed?.files.map(({ path }) => path) ?? [];
  await run("tar", ["-xzf", join(folder.path, packed?.filename ?? ""), "-C", folder.path]);
});
afterAll(folder.remove);

const manifest = () =>
  JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")) as {
    private?: boolean;
    version: string;
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };

test("the package holds what a user needs and nothing else", () => {
  expect([...files].sort()).toEqual([
    "LICENSE",
    "README.md",
    "dist/THIRD-PARTY-LICENSES.txt",
    "dist/main.js",
    "dist/oauth-library.js",
    "package.json",
  ]);
});

test("an install fetches the keychain libraries only", () => {
  const { dependencies, optionalDependencies } = manifest();

  expect(manifest().private).toBeUndefined();
  expect(Object.keys({ ...dependencies, ...optionalDependencies }).sort()).toEqual([
    "@napi-rs/keyring",
    "keytar",
  ]);
});

test("the unpacked package runs where nothing is installed", async () => {
  const { stdout, stderr } = await run(
    process.execPath,
    [join(unpacked, "dist/main.js"), "--version"],
    { cwd: folder.path, env: { PATH: process.env["PATH"] } },
  );

  expect({ stdout, stderr }).toEqual({ stdout: `${manifest().version}\n`, stderr: "" });
  expect(statSync(join(unpacked, "dist/main.js")).mode & 0o111).toBe(0o111);
});

test("its part for signing in has all that the sources ask for", async () => {
  const sources = await import("../../bridge/src/sign-in/oauth-library.js");

  const built = (await import(
    pathToFileURL(join(unpacked, "dist/oauth-library.js")).href
  )) as typeof sources;

  expect(Object.keys(built).sort()).toEqual(Object.keys(sources).sort());
  expect(typeof built.auth).toBe("function");
});

test("it needs no module that is not in it, but Node's own and the keychain libraries", () => {
  const code = readFileSync(join(unpacked, "dist/main.js"), "utf8");

  const asked = [...code.matchAll(/(?:\bfrom|\bimport\(|\bimport|\brequire\()\s*"([^"]+)"/g)]
    .map(([, name]) => name ?? "")
    .filter((name) => !isBuiltin(name));

  // kerberos: https-proxy-agent asks for it where a proxy wants it and the person installed it.
  expect([...new Set(asked)].sort()).toEqual([
    "./oauth-library.js",
    "@napi-rs/keyring",
    "kerberos",
    "keytar",
  ]);
});

test("the licence of every package that is built in comes along", () => {
  const licenses = readFileSync(join(unpacked, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");

  for (const name of ["commander", "open", "zod", "@modelcontextprotocol/client"]) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
  }
});
