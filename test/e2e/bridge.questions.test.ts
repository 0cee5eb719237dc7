import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startBridgedFettle, type BridgedFettle } from "../support/bridge-fettle.js";
import {
  makeBridgeHome,
  removeBridgeHome,
  startBridge,
  type BridgeProcess,
} from "../support/bridge-process.js";

let fettle: BridgedFettle;
let home: string;
let running: BridgeProcess[] = [];

beforeAll(async () => {
  fettle = await startBridgedFettle();
});
afterAll(() => fettle.stop());
beforeEach(() => {
  home = makeBridgeHome();
});
afterEach(async () => {
  await Promise.all(running.map((bridge) => bridge.stop()));
  running = [];
  removeBridgeHome(home);
});

/** All hosts share one sign-in, and therefore one connection. */
async function startHost(capabilities: object): Promise<BridgeProcess> {
  const host = startBridge({
    server: fettle.mcp,
    args: ["--storage", "file"],
    variables: fettle.variables,
    home,
  });
  running.push(host);
  await host.initialize({ capabilities });
  await call(host, "get_current_user");
  return host;
}

async function call(host: BridgeProcess, name: string, given: object = {}): Promise<string> {
  return JSON.stringify((await host.request("tools/call", { name, arguments: given })).result);
}

/** Tries to delete a workspace and declines each question. Returns the number of questions. */
async function tryDeletion(host: BridgeProcess, name: string) {
  const questions = () => host.frames.filter(({ method }) => method === "elicitation/create");
  const before = questions().length;
  const answering = call(host, "delete_workspace", { workspace_id: name });
  const isOver = () =>
    Promise.race([
      answering.then(() => true),
      new Promise<false>((done) => setTimeout(done, 20, false)),
    ]);
  for (let answered = before; !(await isOver());) {
    for (const { id } of questions().slice(answered)) {
      host.send({ jsonrpc: "2.0", id, result: { action: "decline" } });
      answered += 1;
    }
  }
  return { asked: questions().length - before, answer: await answering };
}

function refreshToken(): string {
  const texts = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  return texts.flatMap((text) => /mcp_rt_[\w-]+/.exec(text)?.[0] ?? [])[0] ?? "";
}

test("asks each host as it declared, also after restarts and a new sign-in", async () => {
  const [plain, first] = [await startHost({}), await startHost({ elicitation: {} })];
  const second = await startHost({ elicitation: {} });
  await startHost({});
  await call(plain, "create_workspace", { name: "Lab" });
  const declined = { asked: 1, answer: expect.stringContaining("The person declined.") as string };

  const together = [tryDeletion(first, "Lab"), tryDeletion(second, "Boiler house")];
  expect(await Promise.all(together)).toEqual([declined, declined]);

  await fettle.restart();
  expect(await tryDeletion(first, "Lab")).toEqual(declined);

  // The host's session belongs to the previous connection.
  await fettle.post("/oauth/revoke", { client_id: "fettle-bridge", token: refreshToken() });
  expect(await tryDeletion(first, "Lab")).toEqual(declined);

  // The bridge answers the handshake from its cache.
  await first.end();
  const warm = await startHost({ elicitation: {} });
  expect(await tryDeletion(warm, "Lab")).toEqual(declined);
  expect(await tryDeletion(plain, "Lab")).toMatchObject({ asked: 0 });
  expect(await call(plain, "list_workspaces")).not.toContain("Lab");
});
