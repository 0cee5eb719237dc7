import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { modernMeta, type RunningProxy, startProxy } from "../support/bridge-proxy.js";
import { startUpstream, type Upstream } from "../support/bridge-upstream.js";

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

  test("only tools that are marked as reading are listed", async () => {
    const { result } = await host.request("tools/list");

    expect(result?.["tools"]).toMatchObject([{ name: "read_thing" }]);
  });

  test("other tools are refused without being sent, and reading ones work", async () => {
    const write = await host.call("add_thing");
    const unlisted = await host.call("hidden_thing");
    const read = await host.call("read_thing");

    expect(write.error?.data).toMatchObject({ code: "read_only" });
    expect(unlisted.error?.data).toMatchObject({ code: "read_only" });
    expect(read).toHaveProperty("result");
    expect(upstream.executed).toEqual(["read_thing"]);
  });

  test("a batch with one such call is refused whole", async () => {
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

  test("an unknown tool is looked up on every page, in the era of the call", async () => {
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

  test("a tool that cannot be looked up is not called", async () => {
    upstream.on("tools/list", ({ fail }) => {
      fail(-32603, "No list today");
    });

    const { error } = await host.call("read_thing");

    expect(error?.message).toContain('"No list today"');
    expect(upstream.executed).toEqual([]);
  });
});
