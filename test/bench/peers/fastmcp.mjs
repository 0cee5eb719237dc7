import { createServer } from "node:net";
import { FastMCP } from "fastmcp";
import { announce, answer, authenticate, description, input, name, output } from "./tool.mjs";

/* FastMCP without sessions, as in its guide. */

const server = new FastMCP({
  name: "peer",
  version: "1.0.0",
  authenticate: async ({ headers }) => {
    const person = await authenticate(headers.authorization);
    if (person === undefined) throw new Response(null, { status: 401 });
    return person;
  },
});
server.addTool({
  name,
  description,
  parameters: input,
  outputSchema: output,
  execute: (args, { session }) => answer(session, args),
});
const port = await findFreePort();
await server.start({
  transportType: "httpStream",
  httpStream: { host: "127.0.0.1", port, stateless: true, enableJsonResponse: true },
});
announce(port);

function findFreePort() {
  return new Promise((found) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });
}
