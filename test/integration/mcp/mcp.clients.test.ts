import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, test } from "vitest";
import { allTools } from "../../../server/src/mcp/registry.js";
import { useServer } from "../../support/app.js";
import { connect, type Json } from "../../support/mcp.js";

describe("real clients", () => {
  const server = useServer();
  let token = "";

  beforeAll(async () => {
    ({ token } = await connect(server()));
  });

  const address = () => new URL(`${server().config.baseUrl}/mcp`);
  const requestInit = () => ({ headers: { authorization: `Bearer ${token}` } });

  test.each([
    ["2025-11-25", undefined],
    ["2026-07-28", { versionNegotiation: { mode: "auto" } }],
  ] as const)("the v2 client works in revision %s", async (revision, options) => {
    const client = new ModernClient({ name: "t", version: "1" }, options);
    await client.connect(new ModernTransport(address(), { requestInit: requestInit() }));

    const { tools } = await client.listTools();
    const result = await client.callTool({ name: "list_assets", arguments: { limit: "5" } });
    const refusal = await client.callTool({ name: "get_asset", arguments: { asset_id: "nope" } });

    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(tools.map(({ name }) => name)).toEqual(allTools.map(({ name }) => name));
    expect(result.structuredContent).toEqual({ assets: [], total_count: 0 });
    expect(refusal).toMatchObject({ isError: true, structuredContent: { error: {} } });
    await client.close();
  });

  test("the 1.x client works, including its output schema check of errors", async () => {
    const client = new Client({ name: "t", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(address(), { requestInit: requestInit() }),
    );

    const { tools } = await client.listTools();
    const result = await client.callTool({ name: "list_assets", arguments: {} });
    const refusal = await client.callTool({ name: "get_asset", arguments: { asset_id: "nope" } });

    expect(tools).toHaveLength(allTools.length);
    expect(result.structuredContent).toEqual({ assets: [], total_count: 0 });
    expect(refusal).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "not_found" } },
    });
    await client.close();
  });

  test("MCP-13: parallel callers with the same id get their own answers", async () => {
    const people = await Promise.all([1, 2, 3, 4, 5].map(() => connect(server())));

    const answers = await Promise.all(
      people.map(async ({ token: own }) => {
        const response = await fetch(address(), {
          method: "POST",
          headers: { authorization: `Bearer ${own}`, "content-type": "application/json" },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "get_current_user" },
          }),
        });
        return (await response.json()) as { result: { structuredContent: { user: Json } } };
      }),
    );

    expect(answers.map(({ result }) => result.structuredContent.user["id"])).toEqual(
      people.map(({ member }) => member.userId),
    );
  });

  test("logs calls without typed values", async () => {
    const { db } = server();
    const person = await connect(server());
    await person.ok("create_asset", { name: "Secret name", tags: ["a"], purchase_cost: 5 });
    const filters = { assigned_to_user_id: "bob@example.com", state: "stored" };
    await person.refused("list_assets", filters);

    const logged = () =>
      db.query<Json>(
        `SELECT tool, arguments, outcome, error_code FROM tool_call_log
         WHERE user_id = $1 ORDER BY id`,
        [person.member.userId],
      );
    await expect.poll(logged).toEqual([
      {
        tool: "create_asset",
        arguments: { name: "[text 11]", tags: ["[text 1]"], purchase_cost: 5 },
        outcome: "ok",
        error_code: null,
      },
      {
        tool: "list_assets",
        arguments: { assigned_to_user_id: "[text 15]", state: "stored" },
        outcome: "error",
        error_code: "not_found",
      },
    ]);
  });
});
