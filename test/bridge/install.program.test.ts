import { chmodSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makePerson, type Person } from "../support/bridge-install.js";

const server = "https://fettle.example.com";
const mcp = `${server}/mcp`;

let person: Person;
beforeEach(() => {
  person = makePerson();
});
afterEach(() => {
  person.remove();
});

const json = (...parts: string[]) => JSON.parse(person.read(...parts)) as Record<string, unknown>;

describe("installed paths", () => {
  const claude = ".config/Claude/claude_desktop_config.json";
  const written = () =>
    (json(claude)["mcpServers"] as { fettle: { command: string; args: string[] } }).fettle;

  test.each([".npm/_npx/0a1b2c3d", "temporary/bunx-1", ".cache/pnpm/dlx/0a1b"])(
    "copies a script in %s to a permanent folder, with the keychain libraries",
    async (cache) => {
      const modules = `${cache}/node_modules`;
      const manifest = {
        dependencies: { "@napi-rs/keyring": "1" },
        optionalDependencies: { keytar: "1" },
      };
      person.write(`${modules}/fettle-bridge/package.json`, JSON.stringify(manifest));
      person.write(`${modules}/fettle-bridge/dist/main.js`, "// fetched\n");
      const parts = {
        optionalDependencies: { "@napi-rs/keyring-here": "1", "@napi-rs/keyring-there": "1" },
      };
      person.write(`${modules}/@napi-rs/keyring/package.json`, JSON.stringify(parts));
      person.write(`${modules}/@napi-rs/keyring-here/package.json`, "{}");
      person.write(`${modules}/commander/package.json`, "{}");
      const started = { script: person.path(modules, "fettle-bridge/dist/main.js") };

      await person.install(["claude-desktop", server], { started });
      const [script = ""] = written().args;
      const copy = join(script, "../../..");
      await person.install(["claude-desktop", server], { started });

      expect(script.startsWith(person.path("bridge-home", "program"))).toBe(true);
      expect(written().args).toEqual([script, mcp]);
      expect(readdirSync(copy).sort()).toEqual(["@napi-rs", "fettle-bridge"]);
      expect(readdirSync(join(copy, "@napi-rs")).sort()).toEqual(["keyring", "keyring-here"]);
      expect(readdirSync(person.path("bridge-home", "program"))).toHaveLength(1);
      await person.uninstall(["claude-desktop"], { started });
      expect(person.exists("bridge-home/program")).toBe(false);
    },
  );

  test("installs another version in a separate folder and updates the entry", async () => {
    const started = { script: person.path("temporary/fettle-bridge/dist/main.js") };
    person.write("temporary/fettle-bridge/package.json", "{}");
    person.write("temporary/fettle-bridge/dist/main.js", "// one\n");
    await person.install(["claude-desktop", server], { started });
    const [before] = written().args;
    person.write("temporary/fettle-bridge/dist/program.js", "// two\n");

    await person.install(["claude-desktop", server], { started });

    expect(written().args[0]).not.toBe(before);
    expect(Object.keys(json(claude)["mcpServers"] as object)).toEqual(["fettle"]);
    expect(readdirSync(person.path("bridge-home", "program"))).toHaveLength(2);
  });

  test("BRG-08 refuses to install a program in a folder that others can write to", async () => {
    const started = { script: person.path("temporary/fettle-bridge/dist/main.js") };
    person.write("temporary/fettle-bridge/package.json", "{}");
    person.write("temporary/fettle-bridge/dist/main.js", "// fetched\n");
    mkdirSync(person.path("bridge-home"));
    chmodSync(person.path("bridge-home"), 0o1777);

    const installed = person.install(["claude-desktop", server], { started });

    await expect(installed).rejects.toThrow(/Others may write to the folder .*FETTLE_BRIDGE_HOME/);
    expect(person.exists(claude)).toBe(false);
    expect(readdirSync(person.path("bridge-home"))).toEqual([]);
  });

  test("uses the Node link that survives upgrades, not a terminal session's link", async () => {
    mkdirSync(person.path("run/fnm_multishells/1/bin"), { recursive: true });
    symlinkSync(process.execPath, person.path("run/fnm_multishells/1/bin/node"));
    person.environment["PATH"] = ["run/fnm_multishells/1/bin", "nowhere", "bin"]
      .map((folder) => person.path(folder))
      .join(":");

    await person.install(["claude-desktop", server]);

    expect(written().command).toBe(person.node);
  });

  test("uses Node's own path when no link points to it", async () => {
    person.environment["PATH"] = "";

    await person.install(["claude-desktop", server]);

    expect(written().command).toBe(process.execPath);
  });
});
