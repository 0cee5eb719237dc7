import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { parseConfig } from "../../../server/src/config.js";
import { aMember } from "../../support/builders.js";
import { aToken } from "../../support/tokens.js";
import { seed } from "../seed.js";
import { startProduct } from "../servers.js";
import { machines, password, startCluster, until } from "./cluster.js";

/*
 * The set-up of docs/scaling.md on one computer: two nodes behind HAProxy, PostgreSQL by
 * Patroni, Redis. While clients call, the machine of the primary is killed, and started again when
 * writes work. Fails if a change that was answered is lost, or writes do not come back.
 */

const clients = 16;
const perSecondOfClient = 8;

interface Answer {
  name: string;
  tool: string;
  at: number;
  ms: number;
  failure: string | undefined;
}

const asUser = (user: string, secret: string, database: string, host: string, port = 5432) =>
  `postgres://${user}:${secret}@${host}:${port}/${database}`;
const through = (user: string, secret: string, database: string) =>
  asUser(user, secret, database, machines.proxy, 5000);

const cluster = await startCluster();
await until(cluster.findPrimary);
await until(makeDatabase);
const seeded = await seed(through("fettle", "fettle", "fettle"), 1000);
const baseUrl = `http://${machines.proxy}`;
const nodes = await Promise.all(
  machines.nodes.map((host) =>
    startProduct(
      through("fettle", "fettle", "fettle"),
      { profileFolder: undefined },
      {
        ...{ HOST: host, PORT: "3000", BASE_URL: baseUrl, TRUST_PROXY: "1", RATE_LIMIT: "on" },
        ...{ REDIS_URL: `redis://${machines.redis}:6379`, LOG_LEVEL: "fatal" },
        DATABASE_REPLICA_URLS: machines.databases
          .map((machine) => asUser("fettle", "fettle", "fettle", machine))
          .join(","),
      },
    ),
  ),
);
const tokens = await Promise.all(Array.from({ length: clients }, makeToken));
await seeded.close();
await until(areReplicasUsed);

const answers: Answer[] = [];
const load = { isOver: false };
const working = Promise.all(tokens.map(callUntilOver));
await pause(10_000);
const before = answers.length;
const primary = await until(cluster.findPrimary);
const killedAt = performance.now();
cluster.kill(primary);
const isBack = () =>
  Promise.resolve(
    answers.some(
      ({ tool, at, ms, failure }) =>
        tool === "create_asset" && failure === undefined && at + ms > killedAt + 3000,
    ) || undefined,
  );
await until(isBack);
await pause(10_000);
cluster.start(primary);
await until(areReplicasUsed);
await pause(3000);
load.isOver = true;
await working;
await report();
await Promise.all(nodes.map((node) => node.stop()));
await cluster.stop();
process.exit(process.exitCode ?? 0);

async function makeDatabase(): Promise<true | undefined> {
  const client = new pg.Client(through("postgres", password, "postgres"));
  try {
    await client.connect();
    await client.query("CREATE ROLE fettle LOGIN PASSWORD 'fettle'");
    await client.query("CREATE DATABASE fettle OWNER fettle");
    return true;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Each token belongs to a different organization because rate limits are on. */
async function makeToken(): Promise<string> {
  const member = await aMember(seeded.db, { role: "owner" });
  const scopes = ["mcp_read", "mcp_write"] as const;
  const config = parseConfig({ BASE_URL: baseUrl });
  return (await aToken(seeded.db, config, { ...member, scopes: [...scopes] })).token;
}

/** Each of the two machines is the replica in turn. */
async function areReplicasUsed(): Promise<true | undefined> {
  const texts = await readMetrics();
  return texts.every((text) => /^fettle_database_replica_used\{.*\} 1$/m.test(text)) || undefined;
}

function readMetrics(): Promise<string[]> {
  return Promise.all(
    machines.nodes.map(async (node) => (await fetch(`http://${node}:3000/metrics`)).text()),
  );
}

/** Counts the replica reads of both nodes by answer. */
async function countReads(): Promise<string> {
  const found = (await readMetrics()).flatMap((text) => [
    ...text.matchAll(/^fettle_database_replica_reads_total\{answer="(\w+)"\} (\d+)$/gm),
  ]);
  const counts = new Map<string, number>();
  for (const [, answer = "", count] of found) {
    counts.set(answer, (counts.get(answer) ?? 0) + Number(count));
  }
  return [...counts].map(([answer, count]) => `${answer} ${count}`).join(", ");
}

async function callUntilOver(token: string, client: number): Promise<void> {
  for (let number = 0; !load.isOver; number += 1) {
    const name = `Pump ${client}-${number}`;
    const tool = ["list_assets", "create_asset", "get_organization_stats"][number % 3] ?? "";
    const at = performance.now();
    const failure = await call(token, tool, tool === "create_asset" ? { name } : {});
    answers.push({ name, tool, at, ms: performance.now() - at, failure });
    await pause(1000 / perSecondOfClient);
  }
}

async function call(token: string, name: string, args: object): Promise<string | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name, arguments: args },
      }),
    });
    const body = await answer.text();
    if (answer.status !== 200) return `${answer.status} ${body.slice(0, 90)}`;
    return body.includes('"isError":true') ? body.slice(0, 160) : undefined;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code ?? String(error);
  }
}

async function report(): Promise<void> {
  const client = new pg.Client(through("fettle", "fettle", "fettle"));
  await client.connect();
  const { rows } = await client.query<{ name: string }>("SELECT name FROM assets");
  await client.end();
  const stored = new Set(rows.map((row) => row.name));
  const failed = answers.filter(({ failure }) => failure !== undefined);
  const created = answers.filter(({ tool }) => tool === "create_asset");
  const lost = created.filter(({ name, failure }) => failure === undefined && !stored.has(name));
  const untold = created.filter(({ name, failure }) => failure !== undefined && stored.has(name));
  const lastFailureAt = Math.max(killedAt, ...failed.map(({ at, ms }) => at + ms));
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.log(`requests       ${answers.length}, ${before} before the kill`);
  console.log(`failed         ${failed.length}; before the kill ${countBefore(failed)}`);
  for (const failure of new Set(failed.map((answer) => answer.failure))) {
    console.log(`  ${failed.filter((answer) => answer.failure === failure).length} × ${failure}`);
  }
  console.log(`replicas       ${await countReads()}`);
  console.log(`first write    ${seconds(firstWriteAfter() - killedAt)} after the kill`);
  console.log(`last failure   ${seconds(lastFailureAt - killedAt)} after the kill`);
  console.log(`longest wait   ${seconds(Math.max(...answers.map(({ ms }) => ms)))}`);
  console.log(`answered, lost ${lost.length} of ${created.length - untold.length}`);
  console.log(`not answered, but made ${untold.length}`);
  process.exitCode = lost.length === 0 ? 0 : 1;
}

function countBefore(failed: readonly Answer[]): number {
  return failed.filter(({ at, ms }) => at + ms < killedAt).length;
}

/** The time of the first response to a write sent after the kill. */
function firstWriteAfter(): number {
  return Math.min(
    ...answers
      .filter(({ tool, at, failure }) => tool === "create_asset" && !failure && at > killedAt)
      .map(({ at, ms }) => at + ms),
  );
}
