import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { connect, type Json } from "../../support/mcp.js";

const mimeType = "text/html;profile=mcp-app";
const viewsOfTools = {
  get_organization_stats: "ui://fettle/attention",
  generate_asset_qr_codes: "ui://fettle/label-sheet",
};

/** The common interface of both major client versions. */
interface AnyClient {
  listTools: () => Promise<{ tools: { name: string; _meta?: Json }[] }>;
  callTool: (call: { name: string; arguments: Json }) => Promise<Json>;
  listResources: () => Promise<{ resources: { uri: string; mimeType?: string }[] }>;
  readResource: (params: { uri: string }) => Promise<{ contents: Json[] }>;
  getServerCapabilities: () => Json | undefined;
  close: () => Promise<void>;
}

describe("views", () => {
  const server = useServer();
  let token = "";

  beforeAll(async () => {
    ({ token } = await connect(server(), { scopes: ["mcp_read"] }));
  });

  const address = () => new URL(`${server().config.baseUrl}/mcp`);
  const requestInit = () => ({ headers: { authorization: `Bearer ${token}` } });
  const capabilities = {
    extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [mimeType] } },
  };

  const open = {
    "the 1.x client": async (more: { capabilities?: object }) => {
      const client = new Client({ name: "t", version: "1" }, more);
      await client.connect(
        new StreamableHTTPClientTransport(address(), { requestInit: requestInit() }),
      );
      return client;
    },
    "the v2 client in the era before": async (more: { capabilities?: object }) => {
      const client = new ModernClient({ name: "t", version: "1" }, more);
      await client.connect(new ModernTransport(address(), { requestInit: requestInit() }));
      return client;
    },
    "the v2 client of today": async (more: { capabilities?: object }) => {
      const options = { ...more, versionNegotiation: { mode: "auto" } } as const;
      const client = new ModernClient({ name: "t", version: "1" }, options);
      await client.connect(new ModernTransport(address(), { requestInit: requestInit() }));
      return client;
    },
  };

  describe.each(Object.entries(open))("with %s", (_name, connectClient) => {
    test.each([
      ["that shows views", { capabilities }],
      ["that does not know them", {}],
    ])(
      "returns identical, complete results and the view URIs to a client %s",
      async (_kind, more) => {
        const client = (await connectClient(more)) as unknown as AnyClient;
        const { tools } = await client.listTools();
        const { resources } = await client.listResources();

        expect(client.getServerCapabilities()).toMatchObject({
          extensions: { "io.modelcontextprotocol/ui": {} },
        });
        const named = tools.flatMap(({ name, _meta }) =>
          _meta === undefined ? [] : [[name, _meta]],
        );
        expect(Object.fromEntries(named as [string, Json][])).toEqual({
          get_organization_stats: { ui: { resourceUri: viewsOfTools.get_organization_stats } },
          generate_asset_qr_codes: { ui: { resourceUri: viewsOfTools.generate_asset_qr_codes } },
        });
        const result = await client.callTool({
          name: "get_organization_stats",
          arguments: { include: ["attention"] },
        });
        const [text] = result["content"] as { text: string }[];
        expect(JSON.parse(text?.text ?? "")).toEqual(result["structuredContent"]);

        const listed = resources.filter((resource) => resource.mimeType === mimeType);
        expect(listed.map(({ uri }) => uri)).toEqual(Object.values(viewsOfTools));
        for (const { uri } of listed) {
          const { contents } = await client.readResource({ uri });
          expect(contents).toMatchObject([
            { uri, mimeType, _meta: { ui: { prefersBorder: true } } },
          ]);
          expect(String(contents[0]?.["text"])).toMatch(/^<!doctype html>/);
        }
        await expect(client.readResource({ uri: "ui://fettle/other" })).rejects.toThrow(
          "Resource not found",
        );
        await client.close();
      },
    );
  });

  test("views can be cached like lists, organization data can't", async () => {
    const read = async (uri: string) => {
      const response = await fetch(address(), {
        method: "POST",
        headers: {
          ...requestInit().headers,
          "content-type": "application/json",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "resources/read",
          "mcp-name": uri,
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "resources/read",
          params: {
            uri,
            _meta: {
              "io.modelcontextprotocol/protocolVersion": "2026-07-28",
              "io.modelcontextprotocol/clientCapabilities": {},
            },
          },
        }),
      });
      return ((await response.json()) as { result: Json }).result;
    };

    expect(await read("ui://fettle/attention")).toMatchObject({ ttlMs: 300_000 });
    expect(await read("fettle://attention")).toMatchObject({ ttlMs: 5000 });
  });
});
