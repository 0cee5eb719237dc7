// Runs in the browser: a minimal host of MCP Apps. It calls a tool of the server and shows the
// tool's view in a frame with the policy that the extension requires.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  AppBridge,
  getToolUiResourceUri,
  PostMessageTransport,
  type McpUiHostCapabilities,
  type McpUiHostContext,
  type McpUiResourceMeta,
} from "@modelcontextprotocol/ext-apps/app-bridge";

export interface ViewCall {
  address: string;
  token: string;
  /** The client's revision. */
  era: "2025-11-25" | "2026-07-28";
  tool: string;
  args: Record<string, unknown>;
  capabilities: McpUiHostCapabilities;
  context: McpUiHostContext;
}

interface HeardCall {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Heard {
  calls: HeardCall[];
  links: string[];
  told: string[];
  heights: number[];
}

declare global {
  interface Window {
    heard: Heard;
    showView: (call: ViewCall) => Promise<void>;
    changeContext: (context: McpUiHostContext) => void;
    endView: () => Promise<unknown>;
  }
}

const extensions = {
  "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] },
};

window.showView = async ({ address, token, era, tool, args, capabilities, context }) => {
  const heard: Heard = { calls: [], links: [], told: [], heights: [] };
  window.heard = heard;
  const client = new Client(
    { name: "host", version: "1" },
    {
      capabilities: { extensions },
      ...(era === "2026-07-28" && { versionNegotiation: { mode: "auto" } }),
    },
  );
  let isOfView = false;
  const fetchAndListen: typeof fetch = (input, init) => {
    const sent = typeof init?.body === "string" ? init.body : "{}";
    const { method, params } = JSON.parse(sent) as { method?: string; params: HeardCall };
    if (isOfView && method === "tools/call") {
      heard.calls.push({ name: params.name, arguments: params.arguments });
    }
    return fetch(input, init);
  };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address), {
      fetch: fetchAndListen,
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  if (client.getNegotiatedProtocolVersion() !== era) throw new Error("Another revision.");
  const { tools } = await client.listTools();
  const definition = tools.find(({ name }) => name === tool);
  const uri = definition && getToolUiResourceUri(definition);
  if (uri === undefined) throw new Error(`${tool} has no view.`);
  const [content] = (await client.readResource({ uri })).contents;
  if (content === undefined || !("text" in content)) throw new Error("No document.");

  const frame = document.createElement("iframe");
  frame.title = "View";
  frame.sandbox.add("allow-scripts");
  frame.style.cssText = "width: 100%; border: 0";
  document.body.replaceChildren(frame);
  const bridge = new AppBridge(client, { name: "host", version: "1" }, capabilities, {
    hostContext: context,
  });
  bridge.onopenlink = async ({ url }) => {
    heard.links.push(url);
    return url.includes("refused") ? { isError: true } : {};
  };
  bridge.onupdatemodelcontext = async ({ content: blocks = [] }) => {
    heard.told = blocks.map((block) => (block.type === "text" ? block.text : ""));
    return {};
  };
  bridge.addEventListener("sizechange", ({ height = 0 }) => {
    heard.heights.push(height);
    frame.style.height = `${height}px`;
  });
  const initialized = new Promise((resolve) => {
    bridge.addEventListener("initialized", resolve);
  });
  const target = frame.contentWindow;
  if (target === null) throw new Error("The frame has no window.");
  await bridge.connect(new PostMessageTransport(target, target));
  const meta = (content._meta?.["ui"] ?? {}) as McpUiResourceMeta;
  frame.srcdoc = withPolicy(content.text, meta);
  await initialized;
  await bridge.sendToolInput({ arguments: args });
  const result = await client.callTool({ name: tool, arguments: args });
  isOfView = true;
  await bridge.sendToolResult(result);
  window.changeContext = (changed) => {
    bridge.setHostContext({ ...context, ...changed });
  };
  window.endView = () => bridge.teardownResource({});
};

/** The extension's policy for a view without declared domains. Ours declare none. */
function withPolicy(html: string, { csp }: McpUiResourceMeta): string {
  if (csp !== undefined) throw new Error("Our views need no domain.");
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self' data:",
    "connect-src 'none'",
  ].join("; ");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return html.replace("<head>", `<head>${meta}`);
}
