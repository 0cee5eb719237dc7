import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/*
 * The client of one scenario: an official client that only speaks stdio, so everything the suite
 * sees is from the bridge. Its arguments are the bridge, a browser command and the address that the
 * suite adds. The rest is in the environment.
 */

interface Tool {
  name: string;
  inputSchema: { properties?: Record<string, unknown>; required?: string[] };
}

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

interface ScenarioClient {
  listTools: () => Promise<{ tools: Tool[] }>;
  callTool: (call: Call) => Promise<unknown>;
  close: () => Promise<void>;
}

const { env } = process;
const [bridgeMain = "", browser = "", address = ""] = process.argv.slice(2);
const revision = env["MCP_CONFORMANCE_PROTOCOL_VERSION"] ?? "2025-11-25";
const home = mkdtempSync(join(tmpdir(), "bridge-conformance-"));
const context = JSON.parse(env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as {
  client_id?: string;
  client_secret?: string;
  toolCalls?: Call[];
};

function bridge() {
  return {
    command: process.execPath,
    args: [bridgeMain, ...["--storage", "file"], ...["--timeout", "10"], address],
    env: {
      PATH: env["PATH"] ?? "",
      HOME: home,
      FETTLE_BRIDGE_HOME: home,
      FETTLE_BRIDGE_LOG: env["FETTLE_BRIDGE_LOG"] ?? "error",
      FETTLE_BRIDGE_CLIENT_METADATA_URL: "https://conformance-test.local/client-metadata.json",
      ...(context.client_id !== undefined && { FETTLE_BRIDGE_CLIENT_ID: context.client_id }),
      ...(context.client_secret !== undefined && {
        FETTLE_BRIDGE_CLIENT_SECRET: context.client_secret,
      }),
      BROWSER: browser,
    },
  };
}

const info = { name: "conformance-driver", version: "1.0.0" };

async function connectOlder(): Promise<ScenarioClient> {
  const client = new Client(info, {
    capabilities: { elicitation: { form: { applyDefaults: true } } },
  });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: {} }));
  await client.connect(new StdioClientTransport(bridge()));
  return client as unknown as ScenarioClient;
}

async function connectModern(): Promise<ScenarioClient> {
  const client = new ModernClient(info, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: revision } },
  });
  client.setRequestHandler("elicitation/create", async () => ({
    action: "accept",
    content: { confirmed: true },
  }));
  await client.connect(new ModernTransport(bridge()));
  return client as unknown as ScenarioClient;
}

/** Builds a call with a value of the right type for every required argument. */
function toCall({ name, inputSchema }: Tool): Call {
  const all = Object.entries(inputSchema.properties ?? {});
  return { name, arguments: Object.fromEntries(all.map(([key, type]) => [key, valueOf(type)])) };
}

function valueOf(schema: unknown): unknown {
  const { type } = schema as { type?: string };
  if (type === "number" || type === "integer") return 2;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type === "object") return {};
  return "text";
}

try {
  const client = await (revision === "2026-07-28" ? connectModern() : connectOlder());
  const { tools } = await client.listTools();
  for (const call of context.toolCalls ?? tools.map(toCall)) {
    // Some scenarios test a tool that keeps refusing. The suite judges the bridge.
    await client.callTool(call).catch((error: unknown) => {
      console.error(`${call.name}: ${String(error)}`);
    });
  }
  await client.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
