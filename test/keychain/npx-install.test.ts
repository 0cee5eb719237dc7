import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const execute = promisify(execFile);
const bridgeFolder = fileURLToPath(new URL("../../bridge", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "fettle-npx-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("the configuration written by install under npx works without the npx cache", async () => {
  const { stdout } = await execute("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: bridgeFolder,
  });
  const cache = join(folder, "cache");
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    npm_config_cache: cache,
    npm_config_ignore_scripts: "true",
    npm_config_update_notifier: "false",
  };
  const npx = ["--yes", "--package", join(folder, stdout.trim()), "fettle-bridge"];

  await execute("npx", [...npx, "install", "claude-desktop", "https://127.0.0.1:1"], {
    cwd: folder,
    env,
  });
  rmSync(cache, { recursive: true });

  const settings = readFileSync(join(folder, ".config/Claude/claude_desktop_config.json"), "utf8");
  const { mcpServers } = JSON.parse(settings) as {
    mcpServers: { fettle: { command: string; args: [script: string, server: string] } };
  };
  const { command, args } = mcpServers.fettle;
  const [script, server] = args;
  const doctor = execute(command, [script, "doctor", server], { env: { HOME: folder } });
  const { stdout: findings } = (await doctor.catch((error: unknown) => error)) as {
    stdout: string;
  };
  expect(server).toBe("https://127.0.0.1:1/mcp");
  expect(findings).toContain("PROBLEM  Connection: 127.0.0.1:1 cannot be reached");
  // This install reports that it is missing. A leftover library would report nothing.
  expect(findings).toContain("there is none, says @napi-rs/keyring");
});
