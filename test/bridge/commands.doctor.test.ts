import { chmodSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  localhostPem,
  startCommandsServer,
  storeTestSignIn,
  type CommandsServer,
} from "../support/bridge-commands-server.js";
import { startRefusingProxy } from "../support/bridge-refusing-proxy.js";
import { makeHome } from "../support/bridge-context.js";
import { runBridge } from "../support/bridge-io.js";

interface Report {
  exitCode: number;
  findings: { check: string; result: string; detail: string; advice?: string }[];
}

describe("doctor command", () => {
  let server: CommandsServer;
  let home: ReturnType<typeof makeHome>;
  beforeEach(async () => {
    server = await startCommandsServer();
    home = makeHome();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.stop();
    home.remove();
  });

  const run = (...args: string[]) =>
    runBridge(["doctor", ...args], {
      FETTLE_BRIDGE_HOME: home.path,
      FETTLE_BRIDGE_STORAGE: "file",
    });

  async function report(...args: string[]) {
    const { code, stdout } = await run("--json", ...args);
    const { exitCode, findings } = JSON.parse(stdout) as Report;
    expect(exitCode).toBe(code);
    const find = (check: string) => findings.find((finding) => finding.check === check);
    return { code, findings, find };
  }

  test("finds no problem with a working sign-in, and shows no secret", async () => {
    await storeTestSignIn(server, home.path);

    const { code, stdout, stderr } = await run(server.mcp);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").map((line) => line.slice(0, 28).split(":")[0])).toEqual([
      "ok       Server",
      "ok       Node.js",
      "ok       Started by",
      "ok       Folder",
      "ok       Keychain",
      "ok       Proxy",
      "ok       Name",
      "ok       Connection",
      "ok       MCP address",
      "ok       Clock",
      "ok       Sign-in service",
      "ok       Token",
      "ok       Round trip",
      "",
    ]);
    expect(stdout).toContain('"commands-server 7" answers with the stored sign-in');
    expect(stdout).not.toContain("mcp_at_good");
    expect(stdout).not.toContain("mcp_rt_good");
  });

  test("explains how to sign in when signed out", async () => {
    const { code, find } = await report(server.mcp, "--profile", "work", "--storage", "file");

    expect(code).toBe(3);
    expect(find("Sign-in")).toEqual({
      check: "Sign-in",
      result: "problem",
      detail: "not signed in yet",
      advice: `fettle-bridge login ${server.mcp} --profile work --storage file`,
    });
  });

  test("detects that the server ended the connection", async () => {
    await storeTestSignIn(server, home.path);
    server.traits.accessToken = "another";

    const { code, find } = await report(server.mcp);

    expect(code).toBe(3);
    expect(find("Token")).toMatchObject({ result: "ok" });
    expect((await report(server.mcp)).find("Sign-in")).toMatchObject({
      result: "problem",
      detail: "signed out: the server ended the connection",
    });
  });

  test("accepts a server that requires no sign-in", async () => {
    server.traits.accessToken = undefined;

    const { code, find } = await report(server.mcp);

    expect(code).toBe(0);
    expect(find("MCP address")?.detail).toContain("answers without a sign-in");
  });

  test("stops after a refused connection", async () => {
    await server.stop();

    const { code, findings } = await report(server.mcp);

    expect(code).toBe(4);
    expect(findings.at(-1)).toMatchObject({ check: "Connection", result: "problem" });
    expect(findings.at(-1)?.detail).toContain("ECONNREFUSED");
    server = await startCommandsServer();
  });

  test("stops after a host name that can't be resolved", async () => {
    const { code, findings } = await report("https://nobody.invalid");

    expect(code).toBe(4);
    expect(findings.at(-1)).toMatchObject({
      check: "Name",
      result: "problem",
      detail: "nobody.invalid cannot be resolved",
    });
  });

  test.each([
    [404, 1],
    [405, 1],
    [503, 4],
  ])("reports status %i at the address as a problem", async (status, exitCode) => {
    server.traits.mcpStatus = status;

    const { code, find } = await report(server.mcp);

    expect(code).toBe(exitCode);
    expect(find("MCP address")).toMatchObject({ result: "problem" });
    expect(find("MCP address")?.detail).toContain(`status ${status}`);
  });

  test("warns about a wrong clock", async () => {
    await storeTestSignIn(server, home.path);
    server.traits.date = new Date(Date.now() + 3_600_000);

    const { code, find } = await report(server.mcp);

    expect(code).toBe(0);
    expect(find("Clock")?.result).toBe("warning");
    expect(find("Clock")?.detail).toMatch(/^3(59\d|60\d) s behind the server$/);
  });

  test.each([
    ["warning", (origin: string) => `${origin}/`],
    ["problem", () => "http://localhost:1/mcp"],
    ["problem", (origin: string) => `${origin}@elsewhere.example/mcp`],
  ])("reports a server that claims another address: %s", async (result, toAddress) => {
    const resource = toAddress(server.origin);
    server.traits.resourceMetadata = { resource };

    const { find } = await report(server.mcp);

    expect(find("Sign-in service")).toMatchObject({
      result,
      detail: `the server says its address is "${resource}"`,
    });
  });

  test.each([
    { authorizationServerMetadata: { issuer: "https://elsewhere.example" } },
    { authorizationServerMetadata: { code_challenge_methods_supported: ["plain"] } },
    { resourceMetadata: { authorization_servers: ["http://localhost:1"] } },
  ])("reports a mismatched sign-in service: %o", async (traits) => {
    Object.assign(server.traits, traits);

    const { code, find } = await report(server.mcp);

    expect(code).toBe(1);
    expect(find("Sign-in service")?.result).toBe("problem");
  });

  test("names the issuer of an untrusted certificate", async () => {
    const secure = await startCommandsServer({ tls: true });

    const distrusted = await report(secure.mcp);
    const trusted = await report(secure.mcp, "--ca-file", localhostPem);

    expect(distrusted.code).toBe(4);
    expect(distrusted.findings.at(-1)).toMatchObject({ check: "Certificate", result: "problem" });
    expect(distrusted.findings.at(-1)?.detail).toContain('issued by "Fettle test authority"');
    expect(distrusted.findings.at(-1)?.advice).toContain("--ca-file");
    expect(trusted.find("Certificate")).toMatchObject({ result: "ok" });
    expect(trusted.find("MCP address")).toMatchObject({ result: "ok" });
    await secure.stop();
  });

  test.each([
    ["", 407, "asks for a name and password; put them into HTTPS_PROXY"],
    ["dara:wrong@", 407, "does not accept the name and password in HTTPS_PROXY"],
    ["", 403, "refuses to connect to it (status 403)"],
  ])("blames a proxy (with %j) that answers %i", async (login, status, detail) => {
    const proxy = await startRefusingProxy(status);
    const address = `http://${login}127.0.0.1:${proxy.port}`;
    vi.stubEnv("HTTPS_PROXY", address);

    const { code, stdout } = await runBridge(["doctor", "https://fettle.example", "--json"], {
      FETTLE_BRIDGE_HOME: home.path,
      FETTLE_BRIDGE_STORAGE: "file",
      HTTPS_PROXY: address,
    });

    expect(code).toBe(4);
    expect((JSON.parse(stdout) as Report).findings.at(-1)).toMatchObject({
      check: "Proxy",
      result: "problem",
      detail: expect.stringContaining(`the proxy 127.0.0.1:${proxy.port} ${detail}`) as string,
    });
    expect(stdout).not.toContain("wrong");
    await proxy.stop();
  });

  test("warns about a folder that others can read", async () => {
    chmodSync(home.path, 0o755);

    const { find } = await report(server.mcp);

    expect(find("Folder")).toMatchObject({
      result: "warning",
      advice: `chmod -R go-rwx ${home.path}`,
    });
  });

  test("reports a rejected custom Authorization header", async () => {
    const refused = await report(server.mcp, "--header", "Authorization: Bearer wrong");
    const taken = await report(server.mcp, "--header", "Authorization: Bearer mcp_at_good");

    expect(refused.code).toBe(3);
    expect(refused.find("MCP address")?.detail).toContain("refuses the Authorization header");
    expect(taken.code).toBe(0);
  });
});
