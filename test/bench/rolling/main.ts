import { setTimeout as pause } from "node:timers/promises";
import { parseConfig } from "../../../server/src/config.js";
import { findFreePort } from "../../support/free-port.js";
import { aMember } from "../../support/builders.js";
import { aToken } from "../../support/tokens.js";
import { createScratchDatabase, seed } from "../seed.js";
import { startProduct, type MeasuredServer } from "../servers.js";
import { startHaproxy } from "./haproxy.js";

/*
 * Restarts two nodes behind HAProxy in turn, repeatedly, while clients call and open pages. Fails
 * if a request gets no response or a status other than 200.
 */

const { env } = process;
const requests = Number(env["BENCH_REQUESTS"] ?? 5000);
const clients = 16;
const perSecondOfClient = 12;
const adminUrl =
  env["BENCH_DATABASE_URL"] ??
  env["TEST_DATABASE_URL"] ??
  "postgres://postgres@127.0.0.1:5432/postgres";

const calls = [
  { name: "list_assets", arguments: {} },
  { name: "create_asset", arguments: { name: "Made while nodes restart" } },
  { name: "get_organization_stats", arguments: {} },
];

async function send(url: string, token: string, number: number): Promise<string | undefined> {
  const isPage = number % 4 === 3;
  try {
    const answer = isPage
      ? await fetch(`${url}/signin`)
      : await fetch(`${url}/mcp`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
          },
          body: JSON.stringify({
            ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
            params: calls[number % 4],
          }),
        });
    const body = await answer.text();
    if (answer.status !== 200) return `${answer.status}: ${body.slice(0, 100)}`;
    return body.includes('"isError":true') ? body.slice(0, 100) : undefined;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code ?? String(error);
  }
}

const database = await createScratchDatabase(adminUrl);
const seeded = await seed(database.url, 1000);
const ports = [await findFreePort(), await findFreePort()];
const port = await findFreePort();
const baseUrl = `http://localhost:${port}`;
const startNode = (own: number) =>
  startProduct(
    database.url,
    { profileFolder: undefined },
    { PORT: String(own), BASE_URL: baseUrl, DRAIN_SECONDS: env["DRAIN_SECONDS"] ?? "3" },
  );
const nodes: MeasuredServer[] = await Promise.all(ports.map(startNode));
const stopHaproxy = await startHaproxy(port, ports);
const member = await aMember(seeded.db, { organization: "Rolling", role: "owner" });
const { token } = await aToken(seeded.db, parseConfig({ BASE_URL: baseUrl }), {
  ...member,
  scopes: ["mcp_read", "mcp_write"],
});
await pause(1500);

const lost: string[] = [];
let sent = 0;
const began = performance.now();
const working = Promise.all(
  Array.from({ length: clients }, async () => {
    while (sent < requests) {
      const number = sent++;
      const failure = await send(`http://127.0.0.1:${port}`, token, number);
      if (failure !== undefined) lost.push(failure);
      await pause(1000 / perSecondOfClient);
    }
  }),
);
let restarts = 0;
while (sent < requests) {
  const at = restarts % nodes.length;
  await nodes[at]?.stop();
  nodes[at] = await startNode(ports[at] ?? 0);
  restarts += 1;
  await pause(1500);
}
await working;
const seconds = (performance.now() - began) / 1000;
const made = await seeded.db.maybe<{ made: number }>(
  "SELECT count(*)::int AS made FROM assets WHERE organization_id = $1",
  [member.organizationId],
);

console.log(`requests  ${sent} in ${seconds.toFixed(0)} s, of ${clients} clients`);
console.log(`restarts  ${restarts}`);
console.log(`lost      ${lost.length}`);
for (const failure of new Set(lost)) {
  console.log(`  ${lost.filter((other) => other === failure).length} × ${failure}`);
}
const expected = Array.from({ length: sent }, (_, n) => n).filter((n) => n % 4 === 1).length;
console.log(`assets    ${made?.made ?? 0} of ${expected}`);

await Promise.all(nodes.map((node) => node.stop()));
stopHaproxy();
await seeded.close();
await database.drop();
process.exit(lost.length === 0 && made?.made === expected ? 0 : 1);
