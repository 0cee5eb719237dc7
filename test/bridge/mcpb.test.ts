import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  getMcpConfigForManifest,
  hasRequiredConfigMissing,
  unpackExtension,
  VERSIONED_MANIFEST_SCHEMAS,
} from "@anthropic-ai/mcpb";
import { loadImage } from "@napi-rs/canvas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome } from "../support/bridge-context.js";
import { startBridge } from "../support/bridge-process.js";

const run = promisify(execFile);
const pack = fileURLToPath(new URL("../../bridge/pack-mcpb.mjs", import.meta.url));

const folder = makeHome();
const bundle = join(folder.path, "unpacked");
const read = (name: string): unknown => JSON.parse(readFileSync(join(bundle, name), "utf8"));
const readManifest = () => VERSIONED_MANIFEST_SCHEMAS["0.3"].parse(read("manifest.json"));

/** Starts the bundle as a client does, with the one setting that the bundle asks for. */
async function start(address: string) {
  const config = await getMcpConfigForManifest({
    manifest: readManifest(),
    extensionPath: bundle,
    systemDirs: {},
    userConfig: { server_url: address },
    pathSeparator: "/",
  });
  expect(config?.command).toBe("node");
  return startBridge({ command: [process.execPath, ...(config?.args ?? [])] });
}

beforeAll(async () => {
  const file = join(folder.path, "fettle.mcpb");
  await run(process.execPath, [pack, "--installed-only", "--out", file]);
  const isUnpacked = await unpackExtension({ mcpbPath: file, outputDir: bundle, silent: true });
  expect(isUnpacked).toBe(true);
});
afterAll(folder.remove);

test("has a valid manifest that asks only for the address", () => {
  const manifest = readManifest();

  expect(Object.keys(manifest.user_config ?? {})).toEqual(["server_url"]);
  expect(hasRequiredConfigMissing({ manifest, userConfig: {} })).toBe(true);
  expect(hasRequiredConfigMissing({ manifest, userConfig: { server_url: "x" } })).toBe(false);
  const { version } = JSON.parse(
    readFileSync(fileURLToPath(new URL("../../bridge/package.json", import.meta.url)), "utf8"),
  ) as { version: string };
  expect(manifest.version).toBe(version);
});

test("contains the program, the keychain library, licenses and a visible icon", async () => {
  for (const file of [
    "dist/THIRD-PARTY-LICENSES.txt",
    "LICENSE",
    "node_modules/@napi-rs/keyring/index.js",
  ]) {
    expect(statSync(join(bundle, file)).size).toBeGreaterThan(0);
  }
  const icon = await loadImage(join(bundle, readManifest().icon ?? ""));
  expect([icon.width, icon.height]).toEqual([512, 512]);
  const { createCanvas } = await import("@napi-rs/canvas");
  const context = createCanvas(512, 512).getContext("2d");
  context.drawImage(icon, 0, 0);
  const colors = new Set(new Uint32Array(context.getImageData(0, 0, 512, 512).data.buffer));
  expect(colors.size).toBeGreaterThan(2);
});

test("starts with the entered address and reaches that server", async () => {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body || "{}") as { id?: string; method?: string };
      const serverInfo = { name: "stub", version: "1" };
      const result =
        method === "initialize"
          ? { protocolVersion: "2025-11-25", capabilities: { resources: {} }, serverInfo }
          : { resources: [{ uri: "stub:1", name: "one" }] };
      response.writeHead(id === undefined ? 202 : 200, { "content-type": "application/json" });
      response.end(id === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const bridge = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  await bridge.initialize();
  const answer = await bridge.request("resources/list");
  await bridge.end();
  await bridge.stop();
  server.close();

  expect(answer.result).toEqual({ resources: [{ uri: "stub:1", name: "one" }] });
  expect(bridge.stderr()).toBe("");
});

test("reports an invalid address", async () => {
  const bridge = await start("fettle.example.com");

  expect(await bridge.exit).toMatchObject({ code: 2 });
  await bridge.stop();
  expect(bridge.stderr()).toContain("The server's address must be a web address");
});
