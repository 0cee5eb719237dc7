import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  classifyKeychainError,
  createKeychainStore,
  type Keychain,
  type KeychainLibrary,
  KeychainTimeout,
  withKeychainTimeout,
  withSharedNames,
} from "../../bridge/src/storage/keychain.js";
import {
  chooseBackend,
  createFileStore,
  openOthers,
  openStore,
} from "../../bridge/src/storage/open-store.js";
import { aContext, makeHome, type TestContext, testSettings } from "../support/bridge-context.js";

let home: ReturnType<typeof makeHome>;

beforeEach(() => {
  home = makeHome();
});
afterEach(() => {
  home.remove();
});

const context = (changes: Parameters<typeof testSettings>[0] = {}) =>
  aContext(testSettings({ home: home.path, ...changes }));

describe("secrets file", () => {
  const fileOf = ({ profile }: TestContext) => join(profile.folder, "secrets.json");

  test("keeps each secret, readable by its owner only", async () => {
    const here = context();
    const store = createFileStore(here.profile, here.log);
    await store.set("rt", "refresh");
    await store.set("at", "access");

    const later = createFileStore(here.profile, here.log);

    expect([await later.get("rt"), await later.get("at")]).toEqual(["refresh", "access"]);
    expect(statSync(fileOf(here)).mode & 0o777).toBe(0o600);
    expect(here.stderr()).toBe("");
  });

  test("is deleted with the last secret, and then reads as empty", async () => {
    const here = context();
    const store = createFileStore(here.profile, here.log);
    await store.set("rt", "refresh");
    await store.set("at", "access");

    await store.delete("rt");
    const access = await store.get("at");
    await store.delete("at");
    await store.delete("at");

    expect(access).toBe("access");
    expect(await store.get("rt")).toBeUndefined();
    expect(readdirSync(here.profile.folder)).toEqual([]);
  });

  test("restores private permissions, with one warning", async () => {
    const here = context();
    const store = createFileStore(here.profile, here.log);
    await store.set("rt", "refresh");
    chmodSync(fileOf(here), 0o644);

    const values = [await store.get("rt"), await store.get("rt")];

    expect(values).toEqual(["refresh", "refresh"]);
    expect(statSync(fileOf(here)).mode & 0o777).toBe(0o600);
    expect(here.stderr().match(/could read/g)).toHaveLength(1);
  });

  test("reports an unusable file in a sentence", async () => {
    const here = context();
    mkdirSync(fileOf(here));

    await expect(createFileStore(here.profile, here.log).get("rt")).rejects.toMatchObject({
      code: "keychain_unavailable",
      message: expect.stringContaining(fileOf(here)) as string,
    });
  });

  test("reads as empty when damaged", async () => {
    const here = context();
    writeFileSync(fileOf(here), '{"rt":7', { mode: 0o600 });

    expect(await createFileStore(here.profile, here.log).get("rt")).toBeUndefined();
  });
});

describe("file storage choice", () => {
  test("is announced once per profile", async () => {
    const here = context({ storage: "file" });
    await chooseBackend(here, { backend: undefined });
    const first = here.stderr();

    const again = await openStore(here, { backend: "file", signedIn: true });

    expect(first).toContain(here.profile.folder);
    expect(here.stderr()).toBe(first);
    expect(again.backend).toBe("file");
  });

  test("is kept when no storage is requested", async () => {
    const here = context();

    const stores = [
      await openStore(here, { backend: "file", signedIn: true }),
      await chooseBackend(here, { backend: "file" }),
    ];

    expect(stores.map(({ backend }) => backend)).toEqual(["file", "file"]);
    expect(here.stderr()).toBe("");
  });

  test("does not hide the other stores from cleanup", async () => {
    const here = context({ storage: "keychain" });

    const found = async (but?: "file") =>
      (await openOthers(here, but)).map(({ backend }) => backend);

    expect(await found()).toContain("file");
    expect(await found("file")).not.toContain("file");
  });

  test("leaves a sign-in in the keychain and reports it", async () => {
    const here = context({ storage: "file" });

    const store = await openStore(here, { backend: "keyring", signedIn: true });

    expect(store.backend).toBe("file");
    expect(await store.get("rt")).toBeUndefined();
    expect(here.stderr()).toMatch(/keychain.*old tokens stay until fettle-bridge logout/);
  });
});

describe("keychain store", () => {
  /** An in-memory keychain. `fail` is the error of its next calls. */
  const aKeychain = () => {
    const items = new Map<string, string>();
    let failure: Error | undefined;
    const say = async <Value>(value: () => Value) => {
      if (failure !== undefined) throw failure;
      return value();
    };
    const keychain: Omit<Keychain, "unlock"> = {
      library: "keytar",
      get: (account) => say(() => items.get(account)),
      set: (account, value) => say(() => void items.set(account, value)),
      delete: (account) => say(() => items.delete(account)),
    };
    const fail = (message: string) => (failure = new Error(message));
    return { keychain, items, fail };
  };

  test("keeps both secrets of a profile under its key", async () => {
    const { keychain, items } = aKeychain();
    const store = createKeychainStore(keychain, "0123456789abcdef");

    await store.set("rt", "refresh");
    await store.set("at", "access");

    expect([...items]).toEqual([
      ["0123456789abcdef", "refresh"],
      ["0123456789abcdef/at", "access"],
    ]);
  });

  test("leaves no trace of its checks", async () => {
    const { keychain, items } = aKeychain();
    const store = createKeychainStore(keychain, "0123456789abcdef");

    expect(await store.get("rt")).toBeUndefined();
    await store.delete("rt");

    expect(items.size).toBe(0);
  });

  test("rejects a secret that the Windows keychain would truncate, and suggests a fix", async () => {
    const { keychain, items } = aKeychain();
    const store = createKeychainStore(keychain, "key", { platform: "win32" });

    await store.set("rt", "é".repeat(1_200));

    await expect(store.set("rt", "é".repeat(1_201))).rejects.toMatchObject({
      code: "keychain_unavailable",
      message: expect.stringMatching(/too large.*2402 bytes.*--storage file/) as string,
    });
    expect(items.get("key")).toHaveLength(1_200);
  });

  test("reports locked or unavailable according to the library's error", async () => {
    const { keychain, fail } = aKeychain();
    const store = createKeychainStore(keychain, "key");

    fail("Cannot create an item in a locked collection");
    await expect(store.set("rt", "secret")).rejects.toMatchObject({ code: "keychain_locked" });
    fail("it is raining\n");

    await expect(store.set("rt", "secret")).rejects.toMatchObject({
      code: "keychain_unavailable",
      message: expect.stringMatching(/: it is raining\. .*--storage file$/) as string,
    });
  });

  test.each([
    ["User interaction is not allowed. (-25308)", "locked"],
    ["A specified logon session does not exist. It may already have been terminated.", "absent"],
    ["The stub received bad data", "failed"],
  ])("classifies %j as %s", (message, trouble) => {
    expect(classifyKeychainError(new Error(message))).toBe(trouble);
  });
});

describe("Windows item names", () => {
  /** Models the item names of each library over one shared store. */
  const aLibrary = (library: KeychainLibrary, items: Map<string, string>) => {
    const toItem = (account: string) =>
      library === "keytar" ? `fettle-bridge/${account}` : `${account}.fettle-bridge`;
    const calls = {
      get: async (account: string) => items.get(toItem(account)),
      set: async (account: string, value: string) => void items.set(toItem(account), value),
      delete: async (account: string) => items.delete(toItem(account)),
    };
    return withSharedNames(library, calls, "win32");
  };

  test("are shared by both libraries", async () => {
    const items = new Map<string, string>();
    const [one, other] = [aLibrary("keytar", items), aLibrary("keyring", items)];
    await one.set("key", "first");
    const found = await other.get("key");
    await other.set("key", "second");

    expect([found, await one.get("key")]).toEqual(["first", "second"]);
    expect(await other.delete("key")).toBe(true);
    expect([...items]).toEqual([]);
  });
});

describe("unresponsive keychain", () => {
  test("times out, and is not called again until it answers", async () => {
    let answer: (value: string) => void = () => undefined;
    let calls = 0;
    const call = () => {
      calls += 1;
      return new Promise<string>((resolve) => (answer = resolve));
    };

    const settled = await Promise.allSettled([
      withKeychainTimeout(call, 20),
      withKeychainTimeout(call, 20),
    ]);
    await expect(withKeychainTimeout(call)).rejects.toThrow(KeychainTimeout);
    answer("at last");

    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(calls).toBe(1);
    await expect
      .poll(() => withKeychainTimeout(async () => "fine").catch(() => "silence"))
      .toBe("fine");
    expect(calls).toBe(1);
  });

  test("handles one call at a time", async () => {
    const order: string[] = [];
    const call = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    };

    await Promise.all([withKeychainTimeout(call("first")), withKeychainTimeout(call("second"))]);

    expect(order).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });
});
