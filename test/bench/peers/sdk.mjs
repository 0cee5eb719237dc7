import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { announce, answer, authenticate, description, input, name, output } from "./tool.mjs";

/* The official SDK's stateless mode, as in its samples: a server for each request. */

function createServer(person) {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  const tool = { description, inputSchema: input.shape, outputSchema: output.shape };
  server.registerTool(name, tool, (args) => answer(person, args));
  return server;
}

const app = createMcpExpressApp();
app.post("/mcp", async (request, response) => {
  const person = await authenticate(request.headers.authorization);
  if (person === undefined) return response.status(401).json({ error: "invalid_token" });
  const server = createServer(person);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
const listener = app.listen(0, "127.0.0.1", () => announce(listener.address().port));
