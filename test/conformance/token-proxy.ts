import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";

export interface TokenProxy {
  port: number;
  close: () => Promise<void>;
}

/**
 * The suite can't send a token, so this proxy adds one. Everything else passes unchanged, including
 * Host and Origin: scenarios send wrong ones on purpose.
 */
export async function startTokenProxy(serverPort: number, token: string): Promise<TokenProxy> {
  const proxy = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, { serverPort, token });
  });
  await new Promise<void>((ready) => proxy.listen(0, "localhost", ready));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    port: address.port,
    close: () =>
      new Promise((closed) => {
        proxy.closeAllConnections();
        proxy.close(() => {
          closed();
        });
      }),
  };
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { serverPort, token }: { serverPort: number; token: string },
): void {
  const onward = request(
    {
      host: "localhost",
      port: serverPort,
      method: incoming.method,
      path: incoming.url,
      setHost: false,
      headers: [...incoming.rawHeaders, "Authorization", `Bearer ${token}`],
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    },
  );
  onward.once("error", () => outgoing.destroy());
  outgoing.once("close", () => onward.destroy());
  incoming.pipe(onward);
}
