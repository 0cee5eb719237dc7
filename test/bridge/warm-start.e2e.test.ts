import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storeSignIn } from "../../bridge/src/tokens/stored-sign-in.js";
import { aContext, testSettings } from "../support/bridge-context.js";
import {
  bridgeMain,
  makeBridgeHome,
  removeBridgeHome,
  startBridge,
  type BridgeProcess,
} from "../support/bridge-process.js";
import { createTestStore } from "../support/bridge-store.js";
import { startUpstream, type Upstream } from "../support/bridge-upstream.js";

let upstream: Upstream;
let home: string;
let bridges: BridgeProcess[];

beforeEach(async () => {
  home = makeBridgeHome();
  bridges = [];
  upstream = await startUpstream({ tokens: new Set(["good"]) });
});

afterEach(async () => {
  for (const bridge of bridges) await bridge.stop();
  await upstream.stop();
  removeBridgeHome(home);
});

function start(main = bridgeMain, args: string[] = []): BridgeProcess {
  const bridge = startBridge({
    command: [process.execPath, main],
    server: upstream.url,
    home,
    args,
  });
  bridges.push(bridge);
  return bridge;
}

/** Runs a bridge once, so the server's responses are cached. */
async function warmUp(): Promise<Record<string, unknown> | undefined> {
  const bridge = start(bridgeMain, ["--header", "Authorization: Bearer good"]);
  const answer = await bridge.initialize();
  await bridge.request("tools/list");
  await bridge.end();
  return answer.result;
}

test("a warm start answers initialize while the server is unreachable", async () => {
  const known = await warmUp();
  await upstream.stop();

  const answer = await start().initialize();

  expect(known?.["serverInfo"]).toEqual({ name: "upstream", version: "1" });
  expect(answer.result).toEqual(known);
});

test("a warm start answers initialize before the keychain's library is loaded", async () => {
  const known = await warmUp();
  const library = makeSlowLibrary(await signIn());

  const bridge = start(library.main);
  const answer = await bridge.initialize();
  await until(() => existsSync(library.loading));
  writeFileSync(library.ready, "");
  const call = await bridge.request("tools/call", { name: "read_thing", arguments: {} });

  expect(answer.result).toEqual(known);
  expect(call.result).toBeDefined();
  expect(bridge.stderr()).toBe("");
});

/** Records a sign-in and returns the keychain's entries by account. */
async function signIn(): Promise<Record<string, string>> {
  const context = aContext(testSettings({ server: upstream.url, home }));
  const store = createTestStore("keyring");
  await storeSignIn(context, store, {
    authorization: {
      issuer: upstream.url,
      tokenEndpoint: upstream.url,
      revocationEndpoint: undefined,
      resource: undefined,
      client: { id: "client", authMethod: "none", registered: false },
      scope: undefined,
    },
    accessToken: "good",
    expiresIn: 3600,
    refreshToken: "refresh",
    clientSecret: undefined,
  });
  context.http.close();
  const { key } = context.profile;
  return { [key]: store.items.get("rt") ?? "", [`${key}/at`]: store.items.get("at") ?? "" };
}

/** Returns the bundle with a keychain library that blocks the process until a file exists. */
function makeSlowLibrary(secrets: Record<string, string>): {
  main: string;
  loading: string;
  ready: string;
} {
  const loading = join(home, "loading");
  const ready = join(home, "ready");
  const main = join(home, "dist/main.js");
  const library = join(home, "node_modules/@napi-rs/keyring");
  for (const folder of [dirname(main), library]) mkdirSync(folder, { recursive: true });
  for (const part of ["main.js", "program.js", "package.json"])
    copyFileSync(join(dirname(bridgeMain), part), join(dirname(main), part));
  writeFileSync(join(library, "package.json"), '{"main":"index.cjs"}');
  writeFileSync(
    join(library, "index.cjs"),
    `
      const { existsSync, writeFileSync } = require("node:fs");
      writeFileSync(${JSON.stringify(loading)}, "");
      const cell = new Int32Array(new SharedArrayBuffer(4));
      while (!existsSync(${JSON.stringify(ready)})) Atomics.wait(cell, 0, 0, 10);
      const secrets = ${JSON.stringify(secrets)};
      exports.AsyncEntry = class {
        constructor(service, account) { this.account = account; }
        async getSecret() { return Buffer.from(secrets[this.account]); }
      };
    `,
  );
  return { main, loading, ready };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}
