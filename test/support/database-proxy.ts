import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

export interface DatabaseProxy {
  /** The database's address, by way of the proxy. */
  url: string;
  /** "away": connections end at once. "frozen": they are taken, and nothing is answered. */
  state: "serving" | "away" | "frozen";
  /** Which database new connections lead to. */
  database: { host: string; port: number };
  /** How many connections it has taken. */
  taken: number;
  close: () => void;
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
    database.on("data", (data) => proxy.state === "frozen" || client.write(data));
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
