import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { updateState } from "../../bridge/src/profile/profile.js";
import {
  type CommandsServer,
  startCommandsServer,
  storeTestSignIn,
} from "../support/bridge-commands-server.js";
import { aContext, makeHome, testSettings } from "../support/bridge-context.js";
import { runBridge } from "../support/bridge-io.js";

const secrets = ["mcp_at_good", "mcp_rt_good"];

describe("status and logout commands", () => {
  let server: CommandsServer;
  let home: ReturnType<typeof makeHome>;
  beforeEach(async () => {
    server = await startCommandsServer();
    home = makeHome();
  });
  afterEach(async () => {
    await server.stop();
    home.remove();
  });

  const run = (...args: string[]) =>
    runBridge(args, { FETTLE_BRIDGE_HOME: home.path, FETTLE_BRIDGE_STORAGE: "file" });

  const signIn = (profile = "") => storeTestSignIn(server, home.path, profile);

  const contextOf = () => aContext(testSettings({ server: server.mcp, home: home.path }));

  function filesBelow(folder: string): string[] {
    return readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => statSync(path).isFile());
  }

  test("status reports that no server has been used", async () => {
    const { code, stdout } = await run("status");

    expect({ code, stdout }).toEqual({ code: 0, stdout: "No server has been used yet.\n" });
  });

  test("status reports a server that was never used, with exit code 0", async () => {
    const { code, stdout } = await run("status", server.mcp);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `${server.mcp}\n  not signed in yet\n` });
  });

  test("status shows every profile without contacting the server", async () => {
    await signIn();
    await signIn("work");
    await server.stop();

    const { code, stdout } = await run("status");

    expect(code).toBe(0);
    expect(stdout).toContain(`${server.mcp}\n  signed in since `);
    expect(stdout).toContain(`${server.mcp} (profile work)\n  signed in since `);
    expect(stdout).toContain("tokens are in a file that only you can read");
    expect(stdout).toContain('scopes: "mcp_read mcp_write"');
    server = await startCommandsServer();
  });

  test("status --json prints the stored state without secrets", async () => {
    await signIn();

    const { stdout } = await run("status", "--json");

    expect(JSON.parse(stdout)).toEqual([
      {
        server: server.mcp,
        profile: "",
        signedIn: true,
        storage: "file",
        scopes: ["mcp_read", "mcp_write"],
        signedInAt: expect.any(String) as string,
        authorizationServer: server.origin,
      },
    ]);
    for (const secret of secrets) expect(stdout).not.toContain(secret);
  });

  test("logout revokes the sign-in at the server and leaves no token in any file", async () => {
    await signIn();

    const { code, stdout, stderr } = await run("logout", server.mcp);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`Signed out of ${server.mcp}.\n`);
    expect(server.revoked.map(String)).toEqual([
      "token=mcp_rt_good&token_type_hint=refresh_token&client_id=fettle-bridge",
    ]);
    for (const path of filesBelow(home.path)) {
      for (const secret of secrets) expect(readFileSync(path, "utf8")).not.toContain(secret);
    }
    expect((await run("status")).stdout).toBe(`${server.mcp}\n  signed out with logout\n`);
  });

  test("logout deletes the tokens when the server is unreachable, and reports the missing revocation", async () => {
    await signIn();
    await server.stop();

    const { code, stdout, stderr } = await run("logout");

    expect(code).toBe(4);
    expect(stdout).toBe(`Signed out of ${server.mcp}.\n`);
    expect(stderr).toContain("the server could not be told");
    expect((await run("status")).stdout).toContain("signed out with logout");
    server = await startCommandsServer();
  });

  test("logout reports that the server offers no revocation", async () => {
    await signIn();
    const { profile } = contextOf();
    await updateState(profile, ({ authorization }) => ({
      authorization: authorization && { ...authorization, revocationEndpoint: undefined },
    }));

    const { code, stdout } = await run("logout");

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Signed out of .*\nThe tokens are deleted here\. .* offers no way/);
    expect(server.revoked).toEqual([]);
  });

  test("logout also revokes tokens that an earlier sign-in left in a file", async () => {
    await signIn();
    const { profile } = contextOf();
    await updateState(profile, { signedIn: false });

    const { code, stdout } = await run("logout", server.mcp);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `Not signed in to ${server.mcp}.\n` });
    expect(server.revoked.map((form) => form.get("token"))).toEqual(["mcp_rt_good"]);
    expect(existsSync(join(profile.folder, "secrets.json"))).toBe(false);
  });

  test("status ignores tokens of another issuer", async () => {
    await signIn();
    await updateState(contextOf().profile, ({ authorization }) => ({
      authorization: authorization && { ...authorization, issuer: "https://other.example" },
    }));

    const { stdout } = await run("status");

    expect(stdout).toContain("signed out: the keychain no longer holds the tokens");
  });

  test("logout with a profile keeps the other profiles", async () => {
    await signIn();
    await signIn("work");

    await run("logout", server.mcp, "--profile", "work");

    const { stdout } = await run("status");
    expect(stdout).toContain(`${server.mcp}\n  signed in since`);
    expect(stdout).toContain(`${server.mcp} (profile work)\n  signed out with logout`);
  });

  test("logout without a sign-in reports it, with exit code 0", async () => {
    const { code, stdout } = await run("logout", server.mcp);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `Not signed in to ${server.mcp}.\n` });
    expect(server.revoked).toEqual([]);
  });
});
