import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBridgedFettle, type BridgedFettle } from "../support/bridge-fettle.js";
import { localhostPem, startCommandsServer } from "../support/bridge-commands-server.js";
import { startBridge } from "../support/bridge-process.js";
import { prepareDataDir } from "../support/database.js";
import { connectByOAuth } from "../support/oauth-clients.js";

/** Ends a process that uses anything this Node deprecates. */
const strict = { NODE_OPTIONS: "--throw-deprecation" };
const run = promisify(execFile);

describe(`Fettle on Node ${process.version}`, () => {
  let fettle: BridgedFettle;
  beforeAll(async () => {
    fettle = await startBridgedFettle(strict);
  });
  afterAll(() => fettle.stop());

  test("runs on a Node with long-term support", () => {
    expect(process.release.lts).toBeTypeOf("string");
  });

  test("an app signs in over HTTP and calls a tool with its token", async () => {
    const env = { ...fettle.variables, ...strict };
    const client = await connectByOAuth("v2", fettle.mcp, async ({ href }) => {
      await run(process.execPath, [fettle.variables["BROWSER"] ?? "", href], { env });
    });

    const answer = await client.call("list_workspaces");
    await client.close();

    expect(answer.structuredContent).toMatchObject({ workspaces: [{ name: "Boiler house" }] });
  });

  test("the bridge signs in, lists the tools and calls one", async () => {
    const bridge = startBridge({
      server: fettle.mcp,
      args: ["--storage", "file"],
      variables: { ...fettle.variables, ...strict },
    });
    await bridge.initialize();
    const answer = await bridge.request("tools/call", { name: "list_workspaces", arguments: {} });
    const list = await bridge.request("tools/list");
    const exit = await bridge.end();
    await bridge.stop();

    expect(answer.result?.["structuredContent"]).toMatchObject({
      workspaces: [{ name: "Boiler house" }],
    });
    expect(list.result?.["tools"]).toHaveLength(24);
    expect(exit, bridge.stderr()).toEqual({ code: 0, signal: null });
  });

  test("the bridge trusts the system's certificates", async () => {
    const server = await startCommandsServer({ tls: true });
    const doctor = async (variables: Record<string, string>) => {
      const bridge = startBridge({
        server: server.origin,
        args: ["doctor", "--storage", "file"],
        variables: { ...strict, ...variables },
      });
      await bridge.exit;
      await bridge.stop();
      return bridge.strayLines.find((line) => line.includes("Certificate:"));
    };

    const trusted = await doctor({ SSL_CERT_FILE: localhostPem });
    const unknown = await doctor({});
    await server.stop();

    expect(trusted).toContain("ok       Certificate: trusted");
    expect(unknown).toContain("PROBLEM  Certificate: of localhost");
  });

  test("npm start and npm run fettle work", async () => {
    const data = prepareDataDir();
    const variables = { DATA_DIR: data.path, PORT: "0", ...strict };
    const options = {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...variables },
    };
    const npm = spawn("npm", ["start"], { ...options, stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<void>((done) => npm.once("close", done));
    const isReady = new Promise<boolean>((found) => {
      createInterface({ input: npm.stdout }).on("line", (line) => {
        if (line.includes('"msg":"ready"')) found(true);
      });
      void ended.then(() => {
        found(false);
      });
    });

    expect(await isReady).toBe(true);
    const list = await run("npm", ["run", "--silent", "fettle", "--", "account", "list"], options);
    npm.kill("SIGTERM");
    await ended;
    data.remove();

    expect(list.stdout).toBe("");
  });
});
