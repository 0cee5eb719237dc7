import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Database } from "../../../server/src/db/database.js";
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { useServer } from "../../support/app.js";
import { countWaiting } from "../../support/database.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Told {
  progress: number;
  total?: number | undefined;
}

interface CallOptions {
  onprogress?: (told: Told) => void;
  signal?: AbortSignal;
}

/** An official client over a network, calling tools like its person. */
type CallTool = (name: string, args: Json, options?: CallOptions) => Promise<Json>;

const info = { name: "test", version: "1" };
const eras = ["2025-11-25", "2026-07-28"] as const;
type Era = (typeof eras)[number];

describe("long-running calls", () => {
  const current = useServer();
  let owner: Connected;
  let ids: string[];

  beforeAll(async () => {
    owner = await connect(current(), { role: "owner" });
  });
  beforeEach(async () => {
    const assets = Array.from({ length: 12 }, (_, index) => ({ name: `Pump ${index}` }));
    const made = await owner.ok<{ assets: { id: string }[] }>("create_asset", { assets });
    ids = made.assets.map(({ id }) => id);
  });

  async function open(era: Era): Promise<CallTool> {
    const address = new URL(`${current().config.baseUrl}/mcp`);
    const options = { requestInit: { headers: { authorization: `Bearer ${owner.token}` } } };
    if (era === "2026-07-28") {
      const client = new ModernClient(info, { versionNegotiation: { mode: { pin: era } } });
      await client.connect(new ModernTransport(address, options));
      return (name, args, more) => client.callTool({ name, arguments: args }, more);
    }
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(address, options));
    return (name, args, more) => client.callTool({ name, arguments: args }, undefined, more);
  }

  /** Sends a raw message of revision 2025-11-25. */
  const post = (
    message: Json,
    {
      accept = "application/json, text/event-stream",
      signal,
    }: { accept?: string; signal?: AbortSignal } = {},
  ) =>
    fetch(`${current().config.baseUrl}/mcp`, {
      method: "POST",
      headers: {
        accept,
        authorization: `Bearer ${owner.token}`,
        "content-type": "application/json",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      ...(signal !== undefined && { signal }),
    });
  const toUpdate = (id: number, location: string, more: Json = {}) => ({
    id,
    method: "tools/call",
    params: { name: "update_asset", arguments: { asset_ids: ids, location }, ...more },
  });
  const cancel = (requestId: unknown) =>
    post({ method: "notifications/cancelled", params: { requestId, reason: "test" } });
  const locations = async () => {
    const rows = await current().db.query<{ location: string | null }>(
      "SELECT DISTINCT location FROM assets WHERE id = ANY ($1)",
      [ids],
    );
    return rows.map(({ location }) => location);
  };

  test.each(eras)("reports progress to a client of %s that requests it", async (era) => {
    const callTool = await open(era);
    const told: Told[] = [];

    const { structuredContent } = await callTool(
      "update_asset",
      { asset_ids: ids, location: "Roof" },
      { onprogress: (one) => told.push(one) },
    );

    expect(structuredContent).toMatchObject({ changed: [{ field: "location", to: "Roof" }] });
    expect(told).toEqual([
      { progress: 5, total: 12 },
      { progress: 10, total: 12 },
      { progress: 12, total: 12 },
    ]);
  });

  test("sends the answer as the last event, or alone without a progress request", async () => {
    const asked = await post(toUpdate(7, "Cellar", { _meta: { progressToken: "t" } }));
    const events = (await asked.text()).split("\n\n").filter((event) => event !== "");
    const messages = events.map(
      (event) => JSON.parse(event.replace("event: message\ndata: ", "")) as Json,
    );

    expect(asked.headers.get("content-type")).toBe("text/event-stream");
    expect(messages.map(({ method, id }) => method ?? id)).toEqual([
      ...Array<string>(3).fill("notifications/progress"),
      7,
    ]);
    expect(messages[0]).toEqual({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "t", progress: 5, total: 12 },
    });
    const plain = [
      await post(toUpdate(8, "Yard")),
      await post(toUpdate(8, "Yard", { _meta: { progressToken: { no: "token" } } })),
      await post(toUpdate(9, "Shed", { _meta: { progressToken: 1 } }), {
        accept: "application/json",
      }),
    ];
    expect(plain.map(({ headers }) => headers.get("content-type"))).toEqual(
      Array(3).fill("application/json; charset=utf-8"),
    );
  });

  test("LIM-41: repeats a progress token only up to a length limit", async () => {
    const types: (string | null)[] = [];
    for (const length of [256, 257]) {
      const _meta = { progressToken: "t".repeat(length) };
      types.push((await post(toUpdate(7, "Loft", { _meta }))).headers.get("content-type"));
    }

    expect(types).toEqual(["text/event-stream", "application/json; charset=utf-8"]);
  });

  test("reports progress only once for a change that asks for confirmation first", async () => {
    const assets = Array.from({ length: 25 }, (_, index) => ({ name: `Fan ${index}` }));
    const client = new ModernClient(info, {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    });
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { typed: "25" },
    }));
    await client.connect(
      new ModernTransport(new URL(`${current().config.baseUrl}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${owner.token}` } },
      }),
    );
    const told: number[] = [];

    await client.callTool(
      { name: "create_asset", arguments: { assets } },
      { onprogress: ({ progress }) => told.push(progress) },
    );

    // Before the first count the numbers are smaller, and the client itself reports its question.
    expect(told.filter((progress) => progress > 1)).toEqual([5, 10, 15, 20, 25]);
  });

  // On the embedded database a notification waits behind the change, because its token is looked up
  // first.
  const cancelling = inject("databaseUrl") === null ? (["2026-07-28"] as const) : eras;
  test.each(cancelling)("a client of %s that cancels halfway changes nothing", async (era) => {
    const callTool = await open(era);
    const stop = new AbortController();
    const assets = Array.from({ length: 100 }, (_, index) => ({ name: `Lamp ${index}` }));

    const call = callTool(
      "create_asset",
      { assets },
      {
        signal: stop.signal,
        onprogress: () => {
          stop.abort("enough");
        },
      },
    );

    await expect(call).rejects.toThrow("enough");
    // The cancelled work ends before the next change to the organization.
    await owner.ok("create_asset", { name: "Last" });
    expect(
      await current().db.query("SELECT 1 FROM assets WHERE name LIKE 'Lamp %' LIMIT 1"),
    ).toEqual([]);
  });

  // The embedded database runs one statement at a time, so none waits for another.
  describe.runIf(inject("databaseUrl") !== null)("in PostgreSQL", () => {
    /** Holds a statement's locks until the test releases them. */
    async function hold(
      statement: string,
      parameters: unknown[] = [],
    ): Promise<() => Promise<void>> {
      const runner = current().db.source.createQueryRunner();
      await runner.startTransaction();
      await runner.query(statement, parameters);
      const release = async () => {
        if (runner.isTransactionActive) await runner.rollbackTransaction();
        await runner.release();
      };
      onTestFinished(release);
      return release;
    }
    const waitUntilWaiting = (count: number) =>
      vi.waitFor(async () => {
        expect(await countWaiting(current().db)).toBe(count);
      }, 60_000);
    const lastAsset = "SELECT 1 FROM assets WHERE id = $1 FOR UPDATE";

    test.each(eras)(
      "cancelling a change from a client of %s ends it in the database",
      async (era) => {
        const callTool = await open(era);
        await hold(lastAsset, [ids[8]]);
        const stop = new AbortController();
        const told: number[] = [];
        const call = callTool(
          "update_asset",
          { asset_ids: ids, location: "Attic" },
          {
            signal: stop.signal,
            onprogress: ({ progress }) => told.push(progress),
          },
        );
        const outcome = expect(call).rejects.toThrow();
        await waitUntilWaiting(1);

        stop.abort();

        await outcome;
        await waitUntilWaiting(0);
        expect(await locations()).toEqual([null]);
        expect(told[0]).toBe(5);
      },
    );

    test.each(eras)("cancelling a search ends it in the database", async (era) => {
      const callTool = await open(era);
      await hold("LOCK TABLE assets IN ACCESS EXCLUSIVE MODE");
      const stop = new AbortController();
      const told: number[] = [];
      const call = callTool(
        "list_assets",
        { query: "pump" },
        {
          signal: stop.signal,
          onprogress: ({ progress }) => told.push(progress),
        },
      );
      const outcome = expect(call).rejects.toThrow();
      await waitUntilWaiting(1);
      await vi.waitUntil(() => told.length > 1, 60_000);

      stop.abort();

      await outcome;
      await waitUntilWaiting(0);
      expect(told.slice(0, 2)).toEqual([0.5, 2 / 3]);
    });

    test("answers a cancelled call as cancelled, and only its connection can cancel it", async () => {
      const release = await hold(lastAsset, [ids[8]]);
      const answering = post(toUpdate(70, "Dock"));
      await waitUntilWaiting(1);
      const another = await connect(current(), { member: owner.member });
      const { token } = owner;
      owner = { ...owner, token: another.token };
      await cancel(70);
      owner = { ...owner, token };
      for (const id of ["70", 71, null, undefined]) await cancel(id);
      expect(await countWaiting(current().db)).toBe(1);

      expect((await cancel(70)).status).toBe(202);

      const { result } = (await (await answering).json()) as { result: Json };
      expect(result).toMatchObject({
        isError: true,
        structuredContent: {
          error: {
            code: "conflict",
            message: expect.stringContaining("Nothing was changed") as string,
          },
        },
      });
      await release();
      expect(await locations()).toEqual([null]);
    });

    test("cancels neither of two requests with equal ids", async () => {
      const release = await hold(lastAsset, [ids[8]]);
      const answering = [post(toUpdate(80, "Dock")), post(toUpdate(80, "Dock"))];
      await waitUntilWaiting(2);

      await cancel(80);
      await release();

      for (const answer of await Promise.all(answering)) {
        expect(((await answer.json()) as { result: Json }).result["isError"]).toBeUndefined();
      }
      expect(await locations()).toEqual(["Dock"]);
    });

    test("before 2026-07-28 a broken connection cancels no change", async () => {
      const release = await hold(lastAsset, [ids[8]]);
      const stop = new AbortController();
      const answering = post(toUpdate(90, "Gate"), { signal: stop.signal });
      const outcome = expect(answering).rejects.toThrow();
      await waitUntilWaiting(1);

      stop.abort();
      await outcome;
      await release();

      await vi.waitFor(async () => {
        expect(await locations()).toEqual(["Gate"]);
      }, 60_000);
    });

    test("completes and reports a change whose commit has begun", async () => {
      const { db } = current();
      await slowCommits(db);
      onTestFinished(async () => {
        await db.query("DROP TRIGGER slow_commit ON assets");
      });
      const release = await hold("SELECT pg_advisory_xact_lock(4711)");
      const answering = post(toUpdate(100, "Hall"));
      await waitUntilWaiting(1);

      await cancel(100);
      await release();

      const { result } = (await (await answering).json()) as { result: Json };
      expect(result["isError"]).toBeUndefined();
      expect(await locations()).toEqual(["Hall"]);
    });
  });
});

/** Makes each commit of a change to an asset wait for a lock. */
async function slowCommits(db: Database): Promise<void> {
  await db.query(`
    CREATE OR REPLACE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER slow_commit AFTER UPDATE ON assets
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_commit();`);
}
