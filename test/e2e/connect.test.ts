import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject } from "vitest";
import { browserTest, useChromium } from "../support/chromium.js";
import { createDatabase, prepareDataDir, type TestDatabase } from "../support/database.js";
import { connectByOAuth, type ConnectedClient, type Major } from "../support/oauth-clients.js";
import { startServer, type ServerProcess } from "../support/server-process.js";

const person = { name: "Dara Novak", email: "dara@example.com", password: "correct horse battery" };

describe("set-up link to a working assistant, in Chromium", () => {
  const browser = useChromium();
  let server: ServerProcess;
  let database: TestDatabase | undefined;
  const folder = prepareDataDir();

  beforeAll(async () => {
    database = inject("databaseUrl") === null ? undefined : await createDatabase();
    server = await startServer({
      DATA_DIR: folder.path,
      ...(database?.url !== undefined && {
        DATABASE_URL: database.url,
        SECRET_KEYS: "k".repeat(40),
      }),
    });
    if (server.setup === undefined) throw new Error("no set-up link");
    await setUp(server.setup);
  });
  afterAll(async () => {
    await server.stop("SIGKILL");
    await database?.drop();
    folder.remove();
  });

  async function inBrowser<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const context = await browser().newContext({ baseURL: server.url });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    try {
      const result = await work(page);
      expect(complaints).toEqual([]);
      return result;
    } finally {
      await context.close();
    }
  }

  async function setUp(link: string): Promise<void> {
    await inBrowser(async (page) => {
      await page.goto(link);
      await page.getByLabel("Your name").fill(person.name);
      await page.getByLabel("Email").fill(person.email);
      await page.getByLabel("Password").fill(person.password);
      await page.getByLabel("Organization name").fill("Northgate Facilities");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.waitForURL("/start");
    });
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  function connect(major: Major): Promise<ConnectedClient> {
    return connectByOAuth(major, server.mcp, (url) =>
      inBrowser(async (page) => {
        await page.goto(url.href);
        await signIn(page);
        await expect(page.getByRole("heading", { level: 1 }).textContent()).resolves.toContain(
          "Acceptance client",
        );
        expect(await page.getByRole("checkbox", { name: /mcp_read|Read/ }).isChecked()).toBe(true);
        await page.getByRole("button", { name: "Allow" }).click();
        await page.waitForURL(/\/callback\?/);
      }),
    );
  }

  browserTest("the set-up link works once", async () => {
    await inBrowser(async (page) => {
      const answer = await page.request.get(server.setup ?? "");

      expect(answer.status()).toBeGreaterThanOrEqual(400);
    });
  });

  for (const major of ["v1", "v2"] as const) {
    browserTest(
      `the ${major} client's own OAuth code connects, works on assets, refreshes, revokes, is refused`,
      async () => {
        const client = await connect(major);

        await expect(client.listTools()).resolves.toContain("create_asset");
        await workOnAssets(client, major);
        const refreshed = await refresh(client);
        expect(refreshed.refresh_token).not.toBe(client.tokens().refresh_token);
        await revoke(client, refreshed.refresh_token);
        for (const token of [client.tokens().access_token, refreshed.access_token]) {
          await expect(statusOf(token)).resolves.toBe(401);
        }
        await client.close();
      },
    );
  }

  async function workOnAssets(client: ConnectedClient, major: Major): Promise<void> {
    const workspace = await client.call("create_workspace", { name: `Plant ${major}` });
    expect(workspace.isError ?? false).toBe(false);
    const created = await client.call("create_asset", {
      name: "Air compressor 2",
      workspace_id: `Plant ${major}`,
    });
    const asset = created.structuredContent?.["asset"] as { id: string; version: number };
    expect(asset.id).toMatch(/^ast_/);
    const read = await client.call("get_asset", { asset_id: asset.id });
    expect(read.structuredContent?.["asset"]).toMatchObject({ name: "Air compressor 2" });
    const changed = await client.call("update_asset", {
      asset_id: asset.id,
      location: "Bay 3",
      expected_version: asset.version,
    });
    expect(changed.structuredContent?.["changed"]).toEqual([{ field: "location", to: "Bay 3" }]);
    const retired = await client.call("update_asset_state", {
      asset_id: asset.id,
      state: "deleted",
      reason: "scrapped",
    });
    expect(retired.isError ?? false).toBe(false);
    const listed = await client.call("list_assets", { workspace_id: `Plant ${major}` });
    expect(listed.structuredContent).toMatchObject({ assets: [], total_count: 0 });
  }

  async function refresh(client: ConnectedClient) {
    const answer = await post("/oauth/token", {
      grant_type: "refresh_token",
      client_id: client.clientId(),
      refresh_token: client.tokens().refresh_token ?? "",
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { access_token: string; refresh_token: string };
  }

  async function revoke(client: ConnectedClient, token: string): Promise<void> {
    const answer = await post("/oauth/revoke", { client_id: client.clientId(), token });
    expect(answer.status).toBe(200);
  }

  function post(path: string, form: Record<string, string>): Promise<Response> {
    return fetch(server.url + path, { method: "POST", body: new URLSearchParams(form) });
  }

  async function statusOf(accessToken: string): Promise<number> {
    const answer = await fetch(server.mcp, {
      method: "POST",
      headers: {
        authorization: `Bearer ${accessToken}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
    return answer.status;
  }

  browserTest("SET-02: Disconnect in Connected Apps stops the client at once", async () => {
    const client = await connect("v2");
    await expect(statusOf(client.tokens().access_token)).resolves.toBe(200);

    await inBrowser(async (page) => {
      await page.goto("/settings/apps");
      await signIn(page);
      await page.waitForURL("/settings/apps");
      await page
        .getByRole("link", { name: /Disconnect/ })
        .first()
        .click();
      await page.getByRole("button", { name: /Disconnect/ }).click();
      await page.waitForURL("/settings/apps");
    });

    await expect(statusOf(client.tokens().access_token)).resolves.toBe(401);
    await client.close();
  });
});
