import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startBridgedFettle, type BridgedFettle } from "../support/bridge-fettle.js";
import {
  makeBridgeHome,
  removeBridgeHome,
  startBridge,
  type BridgeProcess,
  type Frame,
} from "../support/bridge-process.js";

const home = makeBridgeHome();
const running: BridgeProcess[] = [];
let fettle: BridgedFettle;

beforeAll(async () => {
  fettle = await startBridgedFettle();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((bridge) => bridge.stop()));
});
afterAll(async () => {
  await fettle.stop();
  removeBridgeHome(home);
});

function bridge(): BridgeProcess {
  const started = startBridge({
    server: fettle.mcp,
    args: ["--storage", "file"],
    variables: fettle.variables,
    home,
  });
  running.push(started);
  return started;
}

function call(one: BridgeProcess, name: string, args: object = {}): Promise<Frame> {
  return one.request("tools/call", { name, arguments: args });
}

async function namesOfWorkspaces(one: BridgeProcess): Promise<unknown[]> {
  const { result } = await call(one, "list_workspaces");
  const { workspaces } = result?.["structuredContent"] as { workspaces: { name: string }[] };
  return workspaces.map(({ name }) => name);
}

test("30 s without a network: calls wait, writes run once, starts are answered immediately", async () => {
  const one = bridge();
  await one.initialize();
  // On a slow machine, the first response lacks the tools and the bridge doesn't know which tools
  // only read.
  await vi.waitFor(async () => {
    expect((await one.request("tools/list")).result?.["tools"]).toHaveLength(24);
  }, 120_000);
  await call(one, "get_current_user");
  const windows = fettle.windows();

  await fettle.cutNetwork();
  const read = call(one, "list_assets");
  const late = bridge();
  // Nothing is cached for this revision, so no earlier response can help.
  const first = await late.initialize({ protocolVersion: "2025-06-18" });
  const written = call(late, "create_workspace", { name: "Made in an outage" });
  const list = await late.request("tools/list");
  await sleep(30_000);
  await fettle.joinNetwork();
  await late.frame(({ method }) => method === "notifications/tools/list_changed");
  const again = await late.request("tools/list");
  const answers = await Promise.all([read, written, call(late, "get_current_user")]);

  expect(first.result?.["serverInfo"]).toBeDefined();
  expect(list.result?.["tools"]).toMatchObject([{ name: "connection_problem" }]);
  expect(again.result?.["tools"]).toHaveLength(24);
  expect(
    answers.map(
      ({ error, result }) => error ?? (result?.["isError"] === true ? result["content"] : false),
    ),
  ).toEqual([false, false, false]);
  expect((await namesOfWorkspaces(one)).filter((name) => name === "Made in an outage")).toEqual([
    "Made in an outage",
  ]);
  expect(fettle.windows()).toBe(windows);
}, 240_000);
