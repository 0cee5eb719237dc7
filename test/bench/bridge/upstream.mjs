// An MCP server that only answers, so the bridges dominate the measurement.
import { createServer } from "node:http";

const tool = {
  name: "echo",
  description: "Gives its text back",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

function answer({ method, params }) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "upstream", version: "1" },
      };
    case "tools/list":
      return { tools: [tool] };
    case "tools/call":
      return { content: [{ type: "text", text: params.arguments.text }] };
    default:
      return {};
  }
}

const server = createServer((request, response) => {
  if (request.method !== "POST") {
    response.writeHead(405, { allow: "POST" }).end();
    return;
  }
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const message = JSON.parse(Buffer.concat(parts).toString());
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) }));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
