import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

export interface DatabaseProxy {
  /** The database's address through the proxy. */
  url: string;
  /**
   * "away": connections end at once. "frozen": they are accepted but get no response. "stopping":
   * they end as soon as they are ready.
   */
  state: "serving" | "away" | "frozen" | "stopping";
  /** The database for new connections. */
  database: { host: string; port: number };
  taken: number;
  close: () => void;
}

const readyForQuery = Buffer.from("Z\0\0\0\x05I", "latin1");
const ended = toErrorResponse(
  "SFATAL",
  "C57P01",
  "Mterminating connection due to administrator command",
);

/** Each field and the message end with a zero byte. */
function toErrorResponse(...fields: string[]): Buffer {
  const body = Buffer.from([...fields, "", ""].join("\0"));
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/** A proxy between a server and PostgreSQL that simulates failures. */
export async function startDatabaseProxy(
  databaseUrl: string,
  state: DatabaseProxy["state"] = "serving",
): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl);
  const database = { host: url.hostname, port: Number(url.port || 5432) };
  const server = createServer((client) => {
    proxy.taken += 1;
    client.on("error", () => client.destroy());
    if (proxy.state === "away") {
      client.destroy();
      return;
    }
    if (proxy.state === "frozen") return;
    const database = connect(proxy.database);
    // Frozen statements are lost permanently.
    client.on("data", (data) => proxy.state === "frozen" || database.write(data));
    database.on("data", (data) => {
      if (proxy.state === "stopping" && data.includes(readyForQuery)) {
        client.end(Buffer.concat([data, ended]));
      } else if (proxy.state !== "frozen") client.write(data);
    });
    client.on("close", () => database.destroy());
    database.on("close", () => client.destroy());
    database.on("error", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: DatabaseProxy = {
    ...{ url: url.href, state, database, taken: 0 },
    close: () => server.close(),
  };
  return proxy;
}
