import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startBridgedFettle, type BridgedFettle } from "../support/bridge-fettle.js";
import { bridgeMain, makeBridgeHome, removeBridgeHome } from "../support/bridge-process.js";

const modern = "2026-07-28";

describe("official client that negotiates the revision with a real Fettle through the bridge", () => {
  let fettle: BridgedFettle;
  let home: string;
  let clients: Client[];

  beforeAll(async () => {
    fettle = await startBridgedFettle();
  });
  afterAll(() => fettle.stop());
  beforeEach(() => {
    home = makeBridgeHome();
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    removeBridgeHome(home);
  });

  async function connect(mode: "auto" | { pin: string }, variables = {}): Promise<Client> {
    const client = new Client(
      { name: "negotiation-test", version: "1" },
      { versionNegotiation: { mode }, listChanged: { tools: { onChanged: () => undefined } } },
    );
    clients.push(client);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bridgeMain, "--storage", "file", fettle.mcp],
      env: {
        ...{ PATH: process.env["PATH"] ?? "", HOME: home, FETTLE_BRIDGE_HOME: home },
        ...{ ...fettle.variables, ...variables },
      },
    });
    await client.connect(transport);
    return client;
  }

  test("a quick sign-in leads to the newest revision at the first start", async () => {
    const client = await connect({ pin: modern });

    expect(client.getNegotiatedProtocolVersion()).toBe(modern);
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    expect(fettle.windows()).toBe(1);
  });

  test("without a sign-in, the client gets an older revision and the sign_in tool", async () => {
    const denied = await connect("auto", { PERSON_DECISION: "deny" });
    const names = (await denied.listTools()).tools.map(({ name }) => name);

    expect(denied.getNegotiatedProtocolVersion()).not.toBe(modern);
    expect(names).toEqual(["sign_in"]);
  });

  test("an outage leads to an older revision at a first start only", async () => {
    await fettle.cutNetwork();
    const first = await connect("auto");
    await fettle.joinNetwork();
    await first.callTool({ name: "get_current_user", arguments: {} });
    const second = await connect("auto");
    await fettle.cutNetwork();
    const third = await connect("auto");
    await fettle.joinNetwork();

    expect([first, second, third].map((one) => one.getNegotiatedProtocolVersion())).toEqual([
      ...["2025-11-25", modern, modern],
    ]);
  });
});
