import { describe, expect, test } from "vitest";
import { createKeychainStore, orByCommand } from "../../bridge/src/storage/keychain.js";
import {
  createSecurityKeychain,
  type Ran,
  type RunSecurity,
} from "../../bridge/src/storage/security-command.js";

/**
 * The behaviour of /usr/bin/security with generic passwords, according to its manual and source.
 */
function makeSecurity() {
  const items = new Map<string, Buffer>();
  const seen: string[] = [];
  const state = { isLocked: false, isHex: false };
  const ended = (code: number, stdout = "", stderr = ""): Ran => ({ code, stdout, stderr });
  const missing = ended(
    44,
    "",
    "security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n",
  );
  const execute = (words: readonly string[]): Ran => {
    const option = (name: string) => words[words.indexOf(name) + 1] ?? "";
    const key = `${option("-s")} ${option("-a")}`;
    if (state.isLocked) return ended(36, "", "security: User interaction is not allowed.\n");
    switch (words[0] ?? "") {
      case "add-generic-password":
        if (!words.includes("-U") && items.has(key)) return ended(45, "", "already exists\n");
        items.set(key, Buffer.from(option("-X"), "hex"));
        return ended(0);
      case "find-generic-password": {
        const value = items.get(key);
        return value === undefined
          ? missing
          : ended(0, `${value.toString(state.isHex ? "hex" : "utf8")}\n`);
      }
      case "delete-generic-password":
        return items.delete(key) ? ended(0, "keychain: …\n") : missing;
      default:
        return ended(2, "", "usage\n");
    }
  };
  const run: RunSecurity = async (args, input = "") => {
    seen.push(args.join(" "));
    if (args[0] !== "-i") return execute(args);
    const ran = input
      .trimEnd()
      .split("\n")
      .map((line) => execute(line.split(" ")));
    return { code: 0, stdout: "", stderr: ran.map(({ stderr }) => stderr).join("") };
  };
  return { items, seen, state, run };
}

describe("macOS keychain through its command", () => {
  const secret = '{"g":3,"rt":"mcp_rt_\u00e9 \\"quoted\\""}';

  test("stores, reads, replaces and deletes an item without passing it as an argument", async () => {
    const security = makeSecurity();
    const keychain = createSecurityKeychain(security.run);

    await keychain.set("0123456789abcdef", "first");
    await keychain.set("0123456789abcdef", secret);
    const found = await keychain.get("0123456789abcdef");
    const other = await keychain.get("fedcba9876543210");
    const deleted = [await keychain.delete("0123456789abcdef"), await keychain.delete("x")];

    expect({ found, other, deleted }).toEqual({
      found: secret,
      other: undefined,
      deleted: [true, false],
    });
    expect(security.items.size).toBe(0);
    expect(security.seen.join("\n")).not.toMatch(/mcp_rt|6d63705f/);
  });

  test("reads hexadecimal output", async () => {
    const security = makeSecurity();
    const keychain = createSecurityKeychain(security.run);
    await keychain.set("a", secret);
    security.state.isHex = true;

    expect(await keychain.get("a")).toBe(secret);
  });

  test("is locked, not empty, when no one can be asked", async () => {
    const security = makeSecurity();
    const store = createKeychainStore(createSecurityKeychain(security.run), "0123456789abcdef");
    security.state.isLocked = true;

    await expect(store.get("rt")).rejects.toMatchObject({ code: "keychain_locked" });
    await expect(store.set("rt", secret)).rejects.toMatchObject({ code: "keychain_locked" });
    await expect(store.delete("rt")).rejects.toMatchObject({ code: "keychain_locked" });
  });

  test("rejects a secret that is too long for the command's line", async () => {
    const security = makeSecurity();
    const store = createKeychainStore(createSecurityKeychain(security.run), "0123456789abcdef");

    await expect(store.set("rt", "x".repeat(2_000))).rejects.toThrow("Use --storage file.");
    expect(security.seen).toEqual([]);
  });
});

describe("keychain library that can't be loaded", () => {
  const fail = () =>
    Promise.reject(new Error("mapping process and mapped file have different Team IDs"));

  test("macOS falls back to its command", async () => {
    expect(await orByCommand(fail, "darwin")).toMatchObject({
      library: "keyring",
      by: "/usr/bin/security",
    });
  });

  test.each(["linux", "win32"] as const)("%s has no fallback", async (platform) => {
    await expect(orByCommand(fail, platform)).rejects.toThrow("Team IDs");
  });
});
