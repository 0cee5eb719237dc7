import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fastify } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { downloadRoutes } from "../../server/src/web/downloads.js";
import { makeHome } from "../support/bridge-context.js";

const run = promisify(execFile);
const bridge = fileURLToPath(new URL("../../bridge", import.meta.url));

const folder = makeHome();
const unpacked = join(folder.path, "package");
let files: string[];
let packedFile: string;
beforeAll(async () => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder.path], {
    cwd: bridge,
  });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  files = packed?.files.map(({ path }) => path) ?? [];
  packedFile = join(folder.path, packed?.filename ?? "");
  await run("tar", ["-xzf", packedFile, "-C", folder.path]);
});
afterAll(folder.remove);

const manifest = () =>
  JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")) as {
    private?: boolean;
    publishConfig?: object;
    version: string;
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };

test("contains only the files a user needs", () => {
  expect([...files].sort()).toEqual([
    "LICENSE",
    "README.md",
    "dist/THIRD-PARTY-LICENSES.txt",
    "dist/commander.js",
    "dist/https-proxy-agent.js",
    "dist/main.js",
    "dist/oauth-library.js",
    "dist/open.js",
    "dist/package.json",
    "dist/program.js",
    "dist/proxy-from-env.js",
    "dist/settings-libraries.js",
    "package.json",
  ]);
});

test("the startup file stays small enough to exclude libraries", () => {
  expect(statSync(join(unpacked, "dist/program.js")).size).toBeLessThan(280_000);
});

test("the server serves the package byte for byte", async () => {
  const app = fastify();
  await app.register(downloadRoutes);
  const url = "/downloads/fettle-bridge.tgz";

  const answer = await app.inject({ url });
  const etag = String(answer.headers.etag);
  const again = await app.inject({ url, headers: { "if-none-match": `W/${etag}` } });

  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/gzip");
  expect(answer.rawPayload.equals(readFileSync(packedFile))).toBe(true);
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  await app.close();
});

test("the browser opener is available through require", () => {
  // The default export that Node's own CommonJS import provides.
  const open: unknown = createRequire(import.meta.url)(join(unpacked, "dist/open.js"));

  expect(typeof open).toBe("function");
});

test("an install fetches only the keychain libraries", () => {
  const { dependencies, optionalDependencies } = manifest();

  expect(manifest().private).toBeUndefined();
  expect(Object.keys({ ...dependencies, ...optionalDependencies }).sort()).toEqual([
    "@napi-rs/keyring",
    "keytar",
  ]);
});

test("is published with a provenance statement", () => {
  expect(manifest().publishConfig).toEqual({ access: "public", provenance: true });
});

test("the registry page has no relative links", () => {
  const readme = readFileSync(join(unpacked, "README.md"), "utf8");

  const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target ?? "");
  expect(targets.filter((target) => !/^https:\/\/|^#/.test(target))).toEqual([]);
});

test("the unpacked package runs without any installation", async () => {
  const { stdout, stderr } = await run(
    process.execPath,
    [join(unpacked, "dist/main.js"), "--version"],
    { cwd: folder.path, env: { PATH: process.env["PATH"] } },
  );

  expect({ stdout, stderr }).toEqual({ stdout: `${manifest().version}\n`, stderr: "" });
  expect(statSync(join(unpacked, "dist/main.js")).mode & 0o111).toBe(0o111);
});

test("the sign-in bundle has every export that the sources use", async () => {
  const sources = await import("../../bridge/src/sign-in/oauth-library.js");

  const built = createRequire(import.meta.url)(
    join(unpacked, "dist/oauth-library.js"),
  ) as typeof sources;

  expect(Object.keys(built).sort()).toEqual(Object.keys(sources).sort());
  expect(typeof built.auth).toBe("function");
});

test("requires only bundled modules, Node's own, the keychain libraries and kerberos", () => {
  const parts = files.filter((path) => path.endsWith(".js")).map((path) => basename(path));
  const code = parts.map((part) => readFileSync(join(unpacked, "dist", part), "utf8")).join("\n");

  const asked = [...code.matchAll(/(?:\bfrom|\bimport\(|\bimport|\brequire\()\s*"([\w@./:-]+)"/g)]
    .map(([, name]) => name ?? "")
    .filter((name) => !isBuiltin(name) && !parts.includes(basename(name)));

  // kerberos: https-proxy-agent loads it if a proxy requires it and the person installed it.
  expect([...new Set(asked)].sort()).toEqual(["@napi-rs/keyring", "kerberos", "keytar"]);
});

test("includes the license of every bundled package", () => {
  const licenses = readFileSync(join(unpacked, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");

  for (const name of ["commander", "open", "zod", "@modelcontextprotocol/client", "yaml"]) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
  }
});
