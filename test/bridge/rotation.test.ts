import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createWallClockTimer } from "../../bridge/src/common/timing.js";
import { LockTimeout } from "../../bridge/src/profile/lock.js";
import { readState, updateState } from "../../bridge/src/profile/profile.js";
import {
  type AccessToken,
  decrypt,
  encrypt,
  readPair,
  toIssuedBy,
  withRefreshLock,
  writeNextPair,
} from "../../bridge/src/tokens/rotation.js";
import { RetryableFailure } from "../../bridge/src/tokens/token-endpoint.js";
import { TokenSource } from "../../bridge/src/tokens/token-manager.js";
import type { TestContext } from "../support/bridge-context.js";
import { signInAt, type TokenServer } from "../support/bridge-oauth.js";
import type { TestStore } from "../support/bridge-store.js";
import { noToken, setUpTokens, type TokenSetup } from "../support/bridge-token-setup.js";

describe("encrypted record", () => {
  const text = JSON.stringify({ rt: "rt_é".repeat(100) });

  test("opens only with the token it was encrypted with", () => {
    const record = encrypt(text, "rt_1", "next-2");

    expect(decrypt(record, "rt_1", "next-2")).toBe(text);
    expect(decrypt(record, "rt_2", "next-2")).toBeUndefined();
    expect(decrypt(record, "rt_1", "next-3")).toBeUndefined();
    expect(encrypt(text, "rt_1", "next-2")).not.toBe(record);
  });

  test("does not open when changed or truncated", () => {
    const record = encrypt(text, "rt_1", "next-2");
    const bytes = Buffer.from(record, "base64url");

    const changed = Array.from({ length: bytes.length }, (_, index) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(copy.readUInt8(index) ^ 1, index);
      return copy.toString("base64url");
    });
    const cut = ["", "x", record.slice(0, 30), record.slice(0, -4)];

    for (const damaged of [...changed, ...cut]) {
      expect(decrypt(damaged, "rt_1", "next-2")).toBeUndefined();
    }
  });
});

describe("wall-clock timer", () => {
  test("fires no earlier than its wall-clock time", async () => {
    const due = Date.now() + 40;

    const rung = await new Promise<number>((ring) => {
      createWallClockTimer(() => {
        ring(Date.now());
      }, 5).set(due);
    });

    expect(rung).toBeGreaterThanOrEqual(due);
  });
});

describe("interrupted token rotation", () => {
  const inASentence = {
    code: "keychain_unavailable",
    message: expect.stringMatching(/^Nothing can be written to .* then try again\.$/) as string,
  };
  let server: TokenServer;
  let store: TestStore;
  let context: TestContext;
  let aManager: TokenSetup["aManager"];

  beforeEach(async () => {
    const setup = await setUpTokens();
    ({ server, store, context, aManager } = setup);
    return setup.end;
  });

  /** Refreshes as any start does. Tests may damage the store first. */
  async function nextToken(): Promise<AccessToken | undefined> {
    const { manager } = aManager();
    return manager.replace((await manager.get()) ?? noToken);
  }

  const rotationIds = () => server.requests.map(({ form }) => form.get("rotation_id"));
  const files = () => readdirSync(context.profile.folder).filter((name) => name !== "held");

  test("leaves only the record of the new pair when not interrupted", async () => {
    await signInAt(server, context, store);

    const token = await nextToken();

    expect(token).toMatchObject({ generation: 2 });
    expect(files()).toEqual(["next-2", "state.json"]);
    expect(await readPair(store, server.authorization())).toMatchObject({
      generation: 2,
      access: token,
    });
    const { generation, refreshedAt } = await readState(context.profile);
    expect([generation, typeof refreshedAt]).toEqual([2, "string"]);
  });

  test("repeats an unanswered request unchanged, and uses a new one afterwards", async () => {
    await signInAt(server, context, store);
    server.rules.after = (_request, response) => {
      response.destroy();
      return true;
    };
    await expect(nextToken()).rejects.toMatchObject({ code: "server_unreachable" });
    await expect(nextToken()).rejects.toMatchObject({ code: "server_unreachable" });
    server.rules.after = () => false;

    const token = await nextToken();
    await nextToken();

    const ids = rotationIds();
    expect(server.accepts(token?.value ?? "")).toBe(true);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[0]).toMatch(/^[\w-]{22}$/);
    expect(ids[3]).not.toBe(ids[0]);
    expect(server.reuses()).toBe(0);
  });

  test("continues from memory when the keychain rejects writes, and reports it once", async () => {
    await signInAt(server, context, store);
    const { manager, stderr } = aManager();
    const first = (await manager.get()) ?? noToken;
    store.trouble = "read-only";

    const second = (await manager.replace(first)) ?? noToken;
    const third = (await manager.replace(second)) ?? noToken;

    expect([second.generation, third.generation]).toEqual([2, 3]);
    expect(server.accepts(third.value)).toBe(true);
    expect(stderr().trim().split("\n")).toHaveLength(1);
    expect(await readPair(store, server.authorization())).toMatchObject({ generation: 1 });
    expect(files().sort()).toEqual(["intent.json", "next-2", "next-3", "state.json"]);
  });

  test("is completed on the next start from encrypted records, over several generations", async () => {
    await signInAt(server, context, store);
    store.trouble = "read-only";
    await nextToken();
    const last = await nextToken();
    store.trouble = "none";
    server.requests.length = 0;

    const found = await aManager().manager.get();

    expect(found).toEqual({ ...last, generation: 3 });
    expect(await readPair(store, server.authorization())).toMatchObject({
      generation: 3,
      access: found,
    });
    expect(server.requests).toEqual([]);
    expect(files()).toEqual(["next-3", "state.json"]);
  });

  test("is picked up by other processes while the keychain rejects writes", async () => {
    await signInAt(server, context, store);
    store.trouble = "read-only";
    const renewed = await nextToken();

    const found = await aManager().manager.get();

    expect(found).toEqual(renewed);
    expect(server.requests).toHaveLength(1);
  });

  test("is stored as soon as the keychain accepts it", async () => {
    await signInAt(server, context, store);
    const source = new TokenSource({
      context,
      openStore: async () => store,
      onStep: undefined,
    });
    store.trouble = "read-only";
    const token = await source.find({ refused: (await source.find({}))?.value });
    const before = source.isUnsaved;
    store.trouble = "none";

    const again = await source.find({});

    expect([before, again, source.isUnsaved]).toEqual([true, token, false]);
    expect(await readPair(store, server.authorization())).toMatchObject({
      generation: 2,
      access: token,
    });
    expect(files()).toEqual(["next-2", "state.json"]);
  });

  test("counts as unsaved when the keychain reports success but stores nothing", async () => {
    await signInAt(server, context, store);
    store.trouble = "forgetful";

    const token = await nextToken();

    expect(server.accepts(token?.value ?? "")).toBe(true);
    expect(files()).toContain("next-2");
    store.trouble = "none";
    expect(await aManager().manager.get()).toEqual(token);
    expect(await readPair(store, server.authorization())).toMatchObject({ generation: 2 });
  });

  test("repeats the request unchanged when the encrypted record is damaged", async () => {
    await signInAt(server, context, store);
    store.trouble = "read-only";
    const lost = await nextToken();
    store.trouble = "none";
    const next = join(context.profile.folder, "next-2");
    writeFileSync(next, `${readFileSync(next, "utf8").slice(0, -8)}AAAAAAAA`);

    const found = await nextToken();

    expect(found?.value).toBe(lost?.value);
    expect(new Set(rotationIds()).size).toBe(1);
    expect(files()).toEqual(["next-2", "state.json"]);
  });

  test("is discarded by a later sign-in, which starts with a clean folder", async () => {
    await signInAt(server, context, store);
    store.trouble = "read-only";
    await nextToken();
    await nextToken();
    store.trouble = "none";

    const { accessToken } = await signInAt(server, context, store);

    expect(await aManager().manager.get()).toMatchObject({ value: accessToken, generation: 4 });
    expect(files()).toEqual(["state.json"]);
  });

  test("does not start when the request can't be recorded first", async () => {
    await signInAt(server, context, store);
    const { manager } = aManager();
    const token = (await manager.get()) ?? noToken;
    // A folder at this path makes writing the file fail, even for root.
    mkdirSync(join(context.profile.folder, "intent.json"));

    const failure = manager.replace(token);

    await expect(failure).rejects.toMatchObject({ code: "keychain_unavailable" });
    expect(server.requests).toEqual([]);
  });

  test("returns no token when its answer can't be stored, then gets it again", async () => {
    await signInAt(server, context, store);
    const next = join(context.profile.folder, "next-2");
    server.rules.after = () => {
      mkdirSync(next);
      store.trouble = "read-only";
      return false;
    };
    const { manager } = aManager();
    const first = (await manager.get()) ?? noToken;
    const failure = await manager.replace(first).catch((error: unknown) => error);
    server.rules.after = () => false;
    rmdirSync(next);
    store.trouble = "none";

    const token = await manager.get();

    expect(failure).toBeInstanceOf(RetryableFailure);
    expect(String(failure)).toContain(`Nothing can be written to ${context.profile.folder}`);
    expect(token).toMatchObject({ generation: 2 });
    expect([server.requests.length, new Set(rotationIds()).size, server.reuses()]).toEqual([
      2, 1, 0,
    ]);
  });

  test("recovers when a timed-out keychain write lands late", async () => {
    await signInAt(server, context, store);
    await nextToken();
    const late = store.items.get("rt") ?? "";
    const last = await nextToken();
    server.requests.length = 0;
    store.items.set("rt", late);

    const found = await aManager().manager.get();

    expect(found).toEqual(last);
    expect(await readPair(store, server.authorization())).toMatchObject({ generation: 3 });
    expect(server.requests).toEqual([]);
  });

  test("does not start when the folder can't be locked, and explains the failure", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    const locks = join(context.profile.folder, "held");
    rmSync(locks, { recursive: true });
    writeFileSync(locks, "");

    const failure = aManager().manager.get();

    await expect(failure).rejects.toMatchObject(inASentence);
    expect(server.requests).toEqual([]);
  });

  test("does not start when the folder can't store the state or its lock", async () => {
    const state = join(context.profile.folder, "state.json");
    mkdirSync(state);
    const change = () => withRefreshLock(context, () => updateState(context.profile, {}));

    await expect(change()).rejects.toMatchObject(inASentence);
    rmdirSync(state);

    expect(await change()).toMatchObject({ signedIn: false });
    const failure = withRefreshLock(context, () => Promise.reject(new LockTimeout("state")));
    await expect(failure).rejects.toMatchObject(inASentence);
  });

  test("writes no token to any file and keeps the files private", async () => {
    await signInAt(server, context, store);
    await nextToken();
    store.trouble = "read-only";
    await nextToken();
    const { folder } = context.profile;

    const contents = files().map((name) => readFileSync(join(folder, name), "utf8"));

    expect(existsSync(join(folder, "next-3"))).toBe(true);
    for (const secret of server.secrets()) {
      expect(contents.filter((content) => content.includes(secret))).toEqual([]);
    }
    expect(files().map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(
      files().map(() => 0o600),
    );
  });

  test("ignores a record encrypted with another refresh token", async () => {
    const { refreshToken } = await signInAt(server, context, store);
    const issuedBy = toIssuedBy(server.authorization());
    const nothing = { clientSecret: undefined, access: undefined };
    const pair = { issuedBy, refreshToken: "rt_planted", ...nothing };
    await writeNextPair(context.profile, { ...pair, generation: 2 }, `${refreshToken}x`);

    await nextToken();

    expect(server.requests[0]?.form.get("refresh_token")).toBe(refreshToken);
  });
});
