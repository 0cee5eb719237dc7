import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export async function startRefusingProxy(
  status: number,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer();
  server.on("connect", (_request, socket) => {
    socket.end(`HTTP/1.1 ${status} Refused\r\nProxy-Authenticate: Basic realm="proxy"\r\n\r\n`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
