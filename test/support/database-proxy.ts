import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

export interface DatabaseProxy {
  /** The database's address, by way of the proxy. */
  url: string;
  /**
   * "away": connections end at once. "frozen": they are taken, and nothing is answered. "stopping": they
   * are ended in the moment in which they are ready.
   */
  state: "serving" | "away" | "frozen" | "stopping";
  /** Which database new connections lead to. */
  database: { host: string; port: number };
  /** How many connections it has taken. */
  taken: number;
  close: () => void;
}

const readyForQuery = Buffer.from("Z\0\0\0\x05I", "latin1");
const ended = toErrorResponse(
  "SFATAL",
  "C57P01",
  "Mterminating connection due to administrator command",
);

/** Each field ends with a zero, and so does the message. */
function toErrorResponse(...fields: string[]): Buffer {
  const body = Buffer.from([...fields, "", ""].join("\0"));
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/** Stands between a server and PostgreSQL, and can be what is wrong there. */
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
    // Statements that are frozen are lost for good.
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
