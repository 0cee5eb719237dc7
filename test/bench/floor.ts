import { createHash } from "node:crypto";
import { fastify } from "fastify";
import pg from "pg";
import { findPerson, getAsset, listAssets, type Person } from "./floor-answers.js";
import { createAsset, getOrganizationStats, searchHistory } from "./floor-borrowed.js";

/*
 * The baseline: bare Fastify and pg, hand-written JSON-RPC, the bearer looked up by hash on every
 * call, no MCP library. The bench tells it the answer to tools/list.
 */

interface Message {
  id: number;
  method: string;
  params: { name: string; arguments: Record<string, unknown> };
}

type Answer = (person: Person, given: Record<string, unknown>) => Promise<object>;

let toolList: unknown;
process.on("message", (message: { toolList?: unknown } | string) => {
  if (typeof message === "object" && message.toolList !== undefined) toolList = message.toolList;
});

pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 16 });
const baseUrl = process.env["BASE_URL"] ?? "";

const answers: Record<string, Answer> = {
  list_assets: (person, { limit }) => listAssets(pool, person, Number(limit)),
  get_asset: (person, { asset_id }) => getAsset(pool, person, String(asset_id), baseUrl),
  search_asset_history: (person, { query, limit }) =>
    searchHistory(pool, person, { query: String(query), limit: Number(limit) }),
  get_organization_stats: (person, { period_days }) =>
    getOrganizationStats(pool, person, Number(period_days)),
  create_asset: (person, { name }) => createAsset(pool, person, String(name), baseUrl),
};

const app = fastify();
app.post("/mcp", async (request, reply) => {
  const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
  const person = await findPerson(pool, createHash("sha256").update(token).digest());
  if (person === undefined) return reply.code(401).send({ error: "invalid_token" });
  const { id, method, params } = request.body as Message;
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: toolList };
  const structuredContent = await answers[params.name]?.(person, params.arguments);
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }];
  return { jsonrpc: "2.0", id, result: { content, structuredContent } };
});

const url = await app.listen({ host: "127.0.0.1", port: 0 });
console.log(JSON.stringify({ msg: "ready", url }));
process.once("SIGTERM", () => {
  void app
    .close()
    .then(() => pool.end())
    .then(() => process.exit(0));
});
