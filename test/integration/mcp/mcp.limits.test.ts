import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { countWaiting } from "../../support/database.js";
import { connect, type Json } from "../../support/mcp.js";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const call = (name: string, params: Json = {}) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name, arguments: {}, ...params },
});

describe("endpoint with strict headers and limits", () => {
  const server = useApp({ strictHeaders: true, rateLimit: true });

  test("rejects an older revision's header", async () => {
    const { token } = await connect(server());

    const answer = await server().app.inject({
      method: "POST",
      url: "/mcp",
      headers: { authorization: `Bearer ${token}`, "mcp-protocol-version": "2025-11-25" },
      payload: call("get_current_user", { _meta: meta }),
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: -32_020 } });
  });

  test("rejects calls past 100 at once in-band, and a flood with 429", async () => {
    const { token } = await connect(server());
    const other = await connect(server());
    // Freezes the clock: on a slow machine the limit would refill meanwhile.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const statuses: string[] = [];

    for (let count = 0; count < 240; count += 1) {
      const answer = await server().app.inject({
        method: "POST",
        url: "/mcp",
        headers: { authorization: `Bearer ${token}` },
        payload: call("update_asset"),
      });
      const { result } = answer.json<{ result?: { structuredContent: { error: Json } } }>();
      const code = result?.structuredContent.error["code"];
      statuses.push(`${answer.statusCode} ${String(code)}`);
      if (answer.statusCode === 429) {
        expect(answer.headers["retry-after"]).toBe("1");
        expect(answer.body).toContain("Too many requests: try again in 1 second.");
      }
    }

    expect(statuses.slice(0, 100)).toEqual(Array(100).fill("200 validation_failed"));
    expect(statuses).toContain("200 rate_limited");
    expect(statuses.at(-1)).toBe("429 undefined");
    await other.ok("get_current_user");
  });

  // The embedded database runs one transaction at a time.
  test.runIf(inject("databaseUrl") !== null)(
    "LIM-34: queues changes of several records outside the database",
    async () => {
      const { db } = server();
      const owner = await connect(server());
      const { organization, organizationId } = owner.member;
      const colleague = await connect(server(), { organization, role: "admin" });
      const reader = await connect(server(), { organization, role: "member" });
      const assets = [{ name: "Pump" }, { name: "Fan" }];
      const there = await owner.ok<{ assets: { id: string }[] }>("create_asset", { assets });
      const [asset_id, merged_into] = there.assets.map(({ id }) => id);
      const merge = { asset_id, merged_into, state: "retired", reason: "duplicate" };

      const { first, others } = await db.transaction(async (tx) => {
        await tx.query("SELECT 1 FROM organizations WHERE id = $1 FOR UPDATE", [organizationId]);
        const made = owner.ok("create_asset", { assets });
        await vi.waitFor(async () => {
          expect(await countWaiting(db)).toBe(1);
        }, 60_000);
        const waits = [
          colleague.call("create_asset", { assets }),
          colleague.call("update_asset_state", merge),
        ];
        // Later requests are answered, so these calls wait outside the database.
        for (let look = 0; look < 10; look += 1) {
          await reader.ok("list_assets", {});
          expect(await countWaiting(db)).toBe(1);
        }
        return { first: made, others: waits };
      });

      expect((await first)["assets"]).toHaveLength(2);
      // Done or rejected with a retry hint. The waiting time is tested without a database.
      for (const { structuredContent } of await Promise.all(others)) {
        const { error } = structuredContent as { error?: { code: string } };
        expect([undefined, "rate_limited"]).toContain(error?.code);
      }
    },
  );
});
