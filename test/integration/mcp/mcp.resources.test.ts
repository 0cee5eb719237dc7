import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { connect, type Connected } from "../../support/mcp.js";

/** The common interface of both major client versions. */
interface AnyClient {
  listResources: () => Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates: () => Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource: (params: { uri: string }) => Promise<{ contents: object[] }>;
  listPrompts: () => Promise<{ prompts: { name: string }[] }>;
  getPrompt: (params: {
    name: string;
    arguments?: Record<string, string>;
  }) => Promise<{ messages: { content: object }[] }>;
  complete: (params: {
    ref: { type: "ref/resource"; uri: string } | { type: "ref/prompt"; name: string };
    argument: { name: string; value: string };
  }) => Promise<{ completion: { values: string[]; total?: number; hasMore?: boolean } }>;
  close: () => Promise<void>;
}

describe("resources and prompts", () => {
  const server = useServer();
  let owner: Connected;
  let viewer: Connected;
  let number = "";
  let taskNumber = "";

  beforeAll(async () => {
    owner = await connect(server());
    for (const name of ["Hall 1", "Yard & Co/2"]) await owner.ok("create_workspace", { name });
    const join = { organization: owner.member.organization, role: "member" } as const;
    viewer = await connect(server(), { ...join, workspace: "Hall 1", workspaceRole: "viewer" });
    const { asset } = await owner.ok<{ asset: { inventory_number: string } }>("create_asset", {
      name: "Boiler",
      workspace_id: "Yard & Co/2",
    });
    number = asset.inventory_number;
    const { task } = await owner.ok<{ task: { task_number: string } }>("create_maintenance_task", {
      asset_id: number,
      title: "Sweep",
      due_date: "2026-01-05",
    });
    taskNumber = task.task_number;
  });

  const address = () => new URL(`${server().config.baseUrl}/mcp`);
  const requestInit = ({ token }: Connected) => ({
    headers: { authorization: `Bearer ${token}` },
  });

  const clients: [string, (person: Connected) => Promise<AnyClient>][] = [
    [
      "the 1.x client",
      async (person) => {
        const client = new Client({ name: "t", version: "1" });
        const options = { requestInit: requestInit(person) };
        await client.connect(new StreamableHTTPClientTransport(address(), options));
        return client as unknown as AnyClient;
      },
    ],
    ...([undefined, { versionNegotiation: { mode: "auto" } }] as const).map(
      (options): [string, (person: Connected) => Promise<AnyClient>] => [
        `the v2 client ${options === undefined ? "in the era before" : "of today"}`,
        async (person) => {
          const client = new ModernClient({ name: "t", version: "1" }, options);
          await client.connect(
            new ModernTransport(address(), { requestInit: requestInit(person) }),
          );
          return client as unknown as AnyClient;
        },
      ],
    ),
  ];

  const read = async (client: AnyClient, uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    expect(content).toMatchObject({ uri, mimeType: "application/json" });
    return JSON.parse((content as { text: string }).text) as Record<string, unknown>;
  };

  describe.each(clients)("with %s", (_name, open) => {
    test("lists and reads ten resources", async () => {
      const client = await open(owner);
      const { resources } = await client.listResources();
      const { resourceTemplates } = await client.listResourceTemplates();

      const data = resources.filter(({ uri }) => uri.startsWith("fettle://"));
      expect([data.length, resourceTemplates.length]).toEqual([4, 6]);
      for (const { uri } of resources) await client.readResource({ uri });
      expect(await read(client, "fettle://me")).toHaveProperty("user");
      const place = encodeURIComponent("Yard & Co/2");
      for (const uri of ["fettle://attention", `fettle://workspaces/${place}/attention`]) {
        expect(await read(client, uri)).toMatchObject({ attention: [{ task_title: "Sweep" }] });
      }
      expect(await read(client, "fettle://workspaces/Hall%201/attention")).toEqual({
        attention: [],
      });
      expect(await read(client, `fettle://workspaces/${place}`)).toMatchObject({
        scope: "workspace",
        assets: { total: 1 },
      });
      expect(await read(client, `fettle://assets/${number}`)).toMatchObject({
        asset: { name: "Boiler" },
      });
      expect(await read(client, `fettle://assets/${number}/history`)).toMatchObject({
        total_count: 2,
      });
      expect(await read(client, "fettle://tasks/overdue")).toMatchObject({ total_count: 1 });
      expect(await read(client, `fettle://task/${taskNumber}`)).toMatchObject({
        task: { title: "Sweep" },
      });
      await client.close();
    });

    test("rejects unknown and hidden URIs as resources", async () => {
      const client = await open(viewer);

      for (const uri of [
        "fettle://nothing",
        "https://example.com/",
        `fettle://assets/${number}`,
        "fettle://assets/%E0%A4%A",
        "fettle://tasks/sleeping",
      ]) {
        await expect(client.readResource({ uri })).rejects.toThrow(/not found|is not one of/i);
      }
      expect(await read(client, "fettle://attention")).toEqual({ attention: [] });
      await client.close();
    });

    test("prompts include their arguments in the text", async () => {
      const client = await open(owner);
      const { prompts } = await client.listPrompts();

      const { messages } = await client.getPrompt({
        name: "retire_asset",
        arguments: { asset: number },
      });

      expect(prompts.map(({ name }) => name)).toEqual([
        "daily_briefing",
        "plan_week",
        "inspection_round",
        "retire_asset",
        "onboard_equipment",
      ]);
      expect(messages[0]?.content).toMatchObject({
        type: "text",
        text: expect.stringContaining(`asset ${number}`) as string,
      });
      const briefing = await client.getPrompt({
        name: "daily_briefing",
        arguments: { workspace: "Hall 1" },
      });
      expect(briefing.messages[0]?.content).toMatchObject({
        text: expect.stringContaining('all three with workspace_id "Hall 1"') as string,
      });
      await expect(client.getPrompt({ name: "retire_asset" })).rejects.toThrow("asset is missing");
      await expect(client.getPrompt({ name: "constructor" })).rejects.toThrow("unknown prompt");
      await client.close();
    });

    test("completes arguments from records visible to the person", async () => {
      const [all, some] = [await open(owner), await open(viewer)];
      const template = { type: "ref/resource", uri: "fettle://workspaces/{workspace}" } as const;
      const workspaces = async (client: AnyClient, value: string) =>
        (await client.complete({ ref: template, argument: { name: "workspace", value } }))
          .completion;

      expect((await workspaces(all, "")).values).toEqual(["Hall 1", "Yard & Co/2"]);
      expect(await workspaces(some, "")).toMatchObject({
        values: ["Hall 1"],
        total: 1,
        hasMore: false,
      });
      const states = { type: "ref/resource", uri: "fettle://tasks/{state}" } as const;
      const { completion } = await all.complete({
        ref: states,
        argument: { name: "state", value: "o" },
      });
      expect(completion.values).toEqual(["open", "overdue", "on_hold"]);
      const prompt = { type: "ref/prompt", name: "retire_asset" } as const;
      const assets = await all.complete({
        ref: prompt,
        argument: { name: "asset", value: "boil" },
      });
      expect(assets.completion.values).toEqual([number]);
      await Promise.all([all.close(), some.close()]);
    });
  });

  test("a token without mcp_read reads no resources", async () => {
    const writer = await connect(server(), {
      organization: owner.member.organization,
      role: "admin",
      scopes: ["mcp_write"],
    });
    const [, open] = clients[0] ?? [];
    const client = await open?.(writer);

    await expect(client?.readResource({ uri: "fettle://statistics" })).rejects.toThrow(
      "Insufficient scope. Required: mcp_read.",
    );
    await client?.close();
  });
});
