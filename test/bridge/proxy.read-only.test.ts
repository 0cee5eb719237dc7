import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { modernMeta, type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { echoTools, startUpstream, type Upstream } from "../support/bridge-upstream.js";

describe("--read-only", () => {
  let upstream: Upstream;
  let host: RunningProxy;

  beforeEach(async () => {
    upstream = await startUpstream();
    host = startProxy(upstream.url, { settings: { readOnly: true, timeoutMs: 2000 } });
  });
  afterEach(async () => {
    await host.stop();
    await upstream.stop();
  });

  test("lists only tools that are marked as read-only", async () => {
    const { result } = await host.request("tools/list");

    expect(result?.["tools"]).toMatchObject([{ name: "read_thing" }]);
  });

  test("rejects other tools without sending them, and read-only tools work", async () => {
    const write = await host.call("add_thing");
    const unlisted = await host.call("hidden_thing");
    const read = await host.call("read_thing");

    expect(write.error?.data).toMatchObject({ code: "read_only" });
    expect(unlisted.error?.data).toMatchObject({ code: "read_only" });
    expect(read).toHaveProperty("result");
    expect(upstream.executed).toEqual(["read_thing"]);
  });

  test("rejects a whole batch that contains one such call", async () => {
    host.send([
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "add_thing" } },
    ]);

    await host.frame(({ id }) => id === 2);

    expect(host.frames.map(({ error }) => error?.data?.["code"])).toEqual([
      "read_only",
      "read_only",
    ]);
    expect(upstream.of("batch")).toEqual([]);
  });

  test("does not send calls that can't be answered, alone or in a batch", async () => {
    const silent = { jsonrpc: "2.0", method: "tools/call", params: { name: "add_thing" } };
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

    host.send(silent);
    host.send([silent, ping]);
    host.send([
      { ...silent, id: null },
      { ...ping, id: 2 },
    ]);
    host.send({ ...silent, id: null });
    await host.frame(({ id }) => id === null);
    await host.request("ping");

    expect(upstream.exchanges.map(({ message }) => message.method)).toEqual(["ping"]);
    expect(host.frames.slice(0, 2).map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('"add_thing"'),
      expect.stringContaining('"add_thing"'),
    ]);
  });

  test("removes writing tools from a list in a batch", async () => {
    upstream.on("batch", ({ status }) => {
      const answers = [
        { jsonrpc: "2.0", id: 1, result: { tools: echoTools } },
        { jsonrpc: "2.0", id: 2, result: {} },
      ];
      status(200, { "content-type": "application/json" }, JSON.stringify(answers));
    });

    host.send([
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", id: 2, method: "ping" },
    ]);
    const { result } = await host.frame(({ id }) => id === 1);

    expect(result?.["tools"]).toMatchObject([{ name: "read_thing" }]);
  });

  test("does not trust a tool's annotations from an earlier run", async () => {
    const home = mkdtempSync(join(tmpdir(), "fettle-bridge-read-only-"));
    const options = { home, settings: { readOnly: true } };
    const earlier = startProxy(upstream.url, options);
    await earlier.initialize();
    await earlier.request("tools/list");
    await earlier.stop();
    upstream.on("tools/list", ({ message, result }) => {
      if (String(message.id).startsWith("fettle-bridge/"))
        result({ tools: [{ name: "read_thing", annotations: { readOnlyHint: false } }] });
    });

    const later = startProxy(upstream.url, { ...options, timeouts: { listMs: 10 } });
    await later.initialize();
    const { result } = await later.request("tools/list");
    const { error } = await later.call("read_thing");
    await later.stop();
    rmSync(home, { recursive: true });

    expect(result?.["tools"]).toMatchObject([{ name: "read_thing" }]);
    expect(error?.data).toMatchObject({ code: "read_only" });
    expect(upstream.executed).toEqual([]);
  });

  test("looks up an unknown tool on every page, in the call's era", async () => {
    upstream.on("tools/list", ({ result, message }) => {
      const isFirst = message.params?.["cursor"] === undefined;
      const page = isFirst
        ? { tools: [], nextCursor: "p2" }
        : { tools: [{ name: "far_thing", annotations: { readOnlyHint: true } }] };
      result({ resultType: "complete", ...page });
    });

    const answer = await host.request("tools/call", { _meta: modernMeta, name: "far_thing" });

    expect(answer).toHaveProperty("result");
    expect(upstream.of("tools/list").map(({ message }) => message.params)).toEqual([
      { _meta: modernMeta },
      { _meta: modernMeta, cursor: "p2" },
    ]);
  });

  test("does not call a tool that can't be looked up", async () => {
    upstream.on("tools/list", ({ fail }) => {
      fail(-32603, "No list today");
    });

    const { error } = await host.call("read_thing");

    expect(error?.message).toContain('"No list today"');
    expect(upstream.executed).toEqual([]);
  });
});
