import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type Authorization,
  readState,
  type SecretStore,
  updateState,
} from "../../bridge/src/profile/profile.js";
import { createFileStore } from "../../bridge/src/storage/open-store.js";
import { signOut, storeSignIn } from "../../bridge/src/tokens/stored-sign-in.js";
import { aContext, type TestContext } from "../support/bridge-context.js";
import { signInAt, type TokenServer } from "../support/bridge-oauth.js";
import { createTestStore, type TestStore } from "../support/bridge-store.js";
import { noToken, setUpTokens, type TokenSetup } from "../support/bridge-token-setup.js";

let server: TokenServer;
let context: TestContext;
let setup: TokenSetup;
let file: SecretStore;
let keychain: TestStore;

beforeEach(async () => {
  setup = await setUpTokens();
  ({ server, context } = setup);
  file = createFileStore(context.profile, context.log);
  keychain = createTestStore("keyring");
  return setup.end;
});

const revoked = () => server.requests.map(({ path, form }) => [path, form.get("token")]);
const secretsFile = () => join(context.profile.folder, "secrets.json");
const aManager = (store: SecretStore) => setup.aManager({ openStore: async () => store }).manager;
const builtIn = (): Authorization =>
  server.authorization({
    client: { id: "fettle-bridge", authMethod: "none", registered: false },
  });
const signIn = async (store: SecretStore, authorization: Authorization) => {
  const granted = server.grant();
  const tokens = { ...granted, expiresIn: 3600, clientSecret: undefined };
  return {
    ...granted,
    endReplaced: await storeSignIn(context, store, { authorization, ...tokens }),
  };
};

describe("sign-in that moves to another store", () => {
  test("removes the tokens from the old store and revokes them", async () => {
    const old = await signIn(file, builtIn());

    const { accessToken, endReplaced } = await signIn(keychain, builtIn());
    const isLeft = existsSync(secretsFile());
    await endReplaced();

    expect(isLeft).toBe(false);
    expect(revoked()).toEqual([["/revoke", old.refreshToken]]);
    expect(await aManager(keychain).get()).toMatchObject({ value: accessToken });
  });

  test("does not revoke another app's connection, which could end more", async () => {
    await signIn(file, server.authorization());

    const { endReplaced } = await signIn(keychain, server.authorization());
    await endReplaced();

    expect(existsSync(secretsFile())).toBe(false);
    expect(revoked()).toEqual([]);
  });

  test("is kept when the old store is unusable", async () => {
    await signIn(file, builtIn());
    await file.delete("rt");
    await file.delete("at");
    mkdirSync(secretsFile());

    const { accessToken } = await signIn(keychain, builtIn());

    expect(await aManager(keychain).get()).toMatchObject({ value: accessToken });
    rmdirSync(secretsFile());
  });
});

describe("sign-in interrupted before it was recorded", () => {
  test("sends no tokens of the new server to the old one", async () => {
    await signInAt(server, context, keychain);
    const old = await readState(context.profile);
    const elsewhere = { ...server.authorization(), issuer: "https://other.example" };
    await signInAt(server, context, keychain, { authorization: elsewhere });
    await updateState(context.profile, old);

    const token = await aManager(keychain).replace(noToken);

    expect(token).toBeUndefined();
    expect(server.requests).toEqual([]);
    expect(await readState(context.profile)).toMatchObject({
      signedIn: false,
      signedOutBecause: "keychain_reset",
    });
  });

  test("is used if the server and client are unchanged", async () => {
    await signInAt(server, context, keychain);
    const old = await readState(context.profile);
    const { accessToken } = await signInAt(server, context, keychain);
    await updateState(context.profile, old);

    expect(await aManager(keychain).get()).toMatchObject({ value: accessToken });
  });
});

describe("sign-out", () => {
  test("revokes the tokens and leaves none in the folder", async () => {
    const { accessToken } = await signInAt(server, context, file);
    await aManager(file).replace({ ...noToken, value: accessToken });

    expect(await signOut(context, file, [])).toEqual({ notRevoked: undefined });

    expect(revoked().at(-1)?.[0]).toBe("/revoke");
    expect(server.accepts(accessToken)).toBe(false);
    expect((await readState(context.profile)).signedOutBecause).toBe("logged_out");
    expect(existsSync(secretsFile())).toBe(false);
    expect(existsSync(join(context.profile.folder, "next-2"))).toBe(false);
  });

  test("takes effect in a running process within about a second", async () => {
    const { accessToken } = await signInAt(server, context, keychain);
    const manager = aManager(keychain);
    const before = [await manager.get(), await manager.get()];

    await signOut(aContext(context.settings), keychain, []);

    await expect.poll(manager.get).toBeUndefined();
    expect(before.map((token) => token?.value)).toEqual([accessToken, accessToken]);
  });

  test("deletes the local tokens even if the server can't revoke them", async () => {
    await signInAt(server, context, keychain);
    server.rules.before = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };

    const { notRevoked } = await signOut(context, keychain, []);

    expect(notRevoked).toMatchObject({ code: "server_busy" });
    expect((await readState(context.profile)).signedOutBecause).toBe("logged_out");
    expect(keychain.items.size).toBe(0);
  });

  test("distinguishes a server that offers no revocation", async () => {
    const authorization = server.authorization({ revocationEndpoint: undefined });
    await signInAt(server, context, keychain, { authorization });

    expect(await signOut(context, keychain, [])).toEqual({ notRevoked: "not_offered" });
    expect(keychain.items.size).toBe(0);
  });

  test("also revokes tokens left in other stores, if they are accessible", async () => {
    const { refreshToken } = await signInAt(server, context, file);
    const locked = createTestStore("keytar");
    locked.trouble = "locked";
    await updateState(context.profile, { backend: "keyring", signedIn: false });

    await signOut(context, undefined, [locked, file]);

    expect(revoked()).toEqual([["/revoke", refreshToken]]);
    expect(existsSync(secretsFile())).toBe(false);
  });
});

describe("new sign-in in another process", () => {
  test("takes effect in a running process, unlike a refresh", async () => {
    const { accessToken } = await signInAt(server, context, keychain);
    const manager = aManager(keychain);
    await manager.get();
    const other = aManager(keychain);
    await other.replace((await other.get()) ?? noToken);
    const afterRefresh = await manager.get();

    const later = await signInAt(server, context, keychain);

    expect(afterRefresh?.value).toBe(accessToken);
    const value = async () => (await manager.get())?.value;
    await expect.poll(value).toBe(later.accessToken);
  });
});
