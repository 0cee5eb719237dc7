import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createSessionIds } from "../../../server/src/mcp/session-ids.js";
import { useServer, startApp } from "../../support/app.js";
import { findFreePort } from "../../support/free-port.js";
import { connect, type Connected, type Json, type ToolError } from "../../support/mcp.js";

interface Asset {
  id: string;
  inventory_number: string;
}

const current = useServer();
let owner: Connected;

beforeEach(async () => {
  owner = await connect(current(), { role: "owner" });
});

describe("client capabilities per session", () => {
  test("don't apply to other clients of the connection, before or after", async () => {
    await probe();
    const [client, asset] = [await openDeclining(), await createAsset()];
    const asked = await force(client, asset);
    await probe();
    const askedAgain = await force(client, asset);

    for (const { error } of [asked, askedAgain]) expect(error?.message).toContain("declined");
    expect(await isThere(asset)).toBe(true);
  });

  test("doesn't ask a client without forms, even if other clients declared them", async () => {
    const [asking, asset] = [await openDeclining(), await createAsset()];
    const client = await open({});

    expect(await force(client, asset)).toMatchObject({ deleted: true });
    expect((await force(asking, await createAsset())).error?.message).toContain("declined");
  });

  test("asks each of several concurrent clients", async () => {
    const clients = await Promise.all([openDeclining(), openDeclining(), openDeclining()]);
    const assets = await Promise.all(clients.map(createAsset));

    const answers = await Promise.all(
      clients.map((client, index) => force(client, assets[index] as Asset)),
    );

    for (const { error } of answers) expect(error?.message).toContain("declined");
  });

  test("a session is valid on every node, even one started later", async () => {
    const [session, asset] = [await handshake(), await createAsset()];
    const port = await findFreePort();
    const node = await startApp({ ...current().config, port }, current().db);
    onTestFinished(() => node.close());
    await node.listen({ host: "localhost", port });

    const answer = await post(deletion(asset), { session, base: `http://localhost:${port}` });
    const { value } = await (answer.body as ReadableStream<Uint8Array>).getReader().read();

    expect(Buffer.from(value ?? []).toString()).toContain("elicitation/create");
  });

  test("the official client can end its session", async () => {
    const transport = createTransport();
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    expect(transport.sessionId).toMatch(/^[\w-]{20,}$/);

    await transport.terminateSession();
    await client.close();
  });
});

describe("session id not issued to the connection", () => {
  const others: [string, () => Promise<string> | string][] = [
    ["is some text", () => "abc"],
    ["is empty", () => ""],
    ["declares what its client did not", async () => supportsElicitation(await handshake({}))],
    ["has the wrong key", () => createSessionIds(["another"]).issue(owner.connectionId, true)],
    ["has the wrong key, and no forms", () => createSessionIds(["x"]).issue("con_x", false)],
    [
      "is another connection's",
      async () => {
        const { token } = await connect(current(), { member: owner.member });
        return handshake(undefined, token);
      },
    ],
  ];

  test.each(others)("rejects a call that would ask: it %s", async (_what, make) => {
    const [session, asset] = [await make(), await createAsset()];

    const answer = await post(deletion(asset), { session });

    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ id: null, error: { code: -32_001 } });
    expect(await isThere(asset)).toBe(true);
  });

  test("doesn't affect other calls", async () => {
    const dryRun = deletion(await createAsset(), { dry_run: true });

    for (const message of [{ method: "tools/list" }, dryRun]) {
      expect((await post(message, { session: "abc" })).status).toBe(200);
    }
  });
});

async function createAsset(): Promise<Asset> {
  return (await owner.ok<{ asset: Asset }>("create_asset", { name: "Pump" })).asset;
}

async function isThere({ id }: Asset): Promise<boolean> {
  return (await owner.call("get_asset", { asset_id: id })).isError !== true;
}

function createTransport(): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${current().config.baseUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${owner.token}` } },
  });
}

/** Opens an official client of the older major version. */
async function open(capabilities: object): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  await client.connect(createTransport());
  return client;
}

async function openDeclining(): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "decline" }));
  await client.connect(createTransport());
  return client;
}

/** Another window of the app, or a probe of the server. */
async function probe(): Promise<void> {
  await (await open({})).close();
}

function deletion({ id, inventory_number: number }: Asset, more: Json = {}) {
  const named = { asset_id: id, confirm_inventory_number: number, ...more };
  return { method: "tools/call", params: { name: "force_delete_asset", arguments: named } };
}

async function force(client: Client, asset: Asset): Promise<Json & { error?: ToolError }> {
  const { structuredContent } = await client.callTool(deletion(asset).params);
  return structuredContent as Json & { error?: ToolError };
}

function post(
  message: object,
  { session, token = owner.token, base = current().config.baseUrl }: Record<string, string>,
): Promise<Response> {
  return fetch(`${base}/mcp`, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
      ...(session !== undefined && { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 5, ...message }),
  });
}

/** Returns the new session's id. */
async function handshake(
  capabilities: object = { elicitation: {} },
  token = owner.token,
): Promise<string> {
  const params = {
    ...{ protocolVersion: "2025-11-25", capabilities },
    clientInfo: { name: "test", version: "1" },
  };
  const answer = await post({ method: "initialize", params }, { token });
  await answer.text();
  return answer.headers.get("mcp-session-id") ?? "";
}

/** A manipulation that is possible without the key. */
function supportsElicitation(session: string): string {
  const bytes = Buffer.from(session, "base64url");
  bytes[16] = 1;
  return bytes.toString("base64url");
}
