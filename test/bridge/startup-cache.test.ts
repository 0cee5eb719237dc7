import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundledInitialize } from "../../bridge/src/proxy/local/fallbacks.js";
import {
  StartupCache,
  discoverKey,
  initializeKey,
  toolsListKey,
} from "../../bridge/src/proxy/local/startup-cache.js";

const client = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "host" } };
const answer = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, instructions: "Ask." };
const meta = (name: string) => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name },
  },
});

let folder: string;
const open = () => new StartupCache({ folder });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fettle-first-answers-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("keeps answers across restarts, for their own client only", async () => {
  const answers = open();

  answers.set(initializeKey(client), answer);
  answers.set(discoverKey(meta("host")), { supportedVersions: ["2026-07-28"] });
  answers.set(toolsListKey("2025-11-25"), { tools: [{ name: "ä\u2028" }] });
  await answers.flush();

  const later = open();
  const newer = { ...client, clientInfo: { name: "host", version: "9" } };
  expect(later.get(initializeKey(newer))).toEqual(answer);
  expect(later.get(discoverKey(meta("host")))).toEqual({ supportedVersions: ["2026-07-28"] });
  expect(later.get(toolsListKey("2025-11-25"))).toEqual({ tools: [{ name: "ä\u2028" }] });
  const others = [
    later.get(initializeKey({ ...client, protocolVersion: "2025-06-18" })),
    later.get(initializeKey({ ...client, capabilities: { roots: {} } })),
    later.get(initializeKey({ ...client, clientInfo: { name: "other" } })),
    later.get(initializeKey(undefined)),
    later.get(discoverKey(meta("other"))),
    later.get(toolsListKey("2026-07-28")),
  ];
  expect(others).toEqual(others.map(() => undefined));
});

test("a deleted answer stays deleted, and the others are kept", async () => {
  const answers = open();
  answers.set(initializeKey(client), answer);
  answers.set(toolsListKey("2025-11-25"), { tools: [] });

  answers.delete(initializeKey(client));
  await answers.flush();

  const later = open();
  const found = [answers, later].map((cache) => cache.get(initializeKey(client)));
  expect(found).toEqual([undefined, undefined]);
  expect(later.get(toolsListKey("2025-11-25"))).toEqual({ tools: [] });
});

test("keeps the file private and does not rewrite unchanged content", async () => {
  const answers = open();
  answers.set(initializeKey(client), answer);
  await answers.flush();
  const { ino, mode } = statSync(join(folder, "cache.json"));

  answers.set(initializeKey(client), { ...answer });
  const later = open();
  later.set(initializeKey(client), { ...answer });
  await Promise.all([answers.flush(), later.flush()]);

  expect(statSync(join(folder, "cache.json")).ino).toBe(ino);
  expect(mode & 0o777).toBe(process.platform === "win32" ? mode & 0o777 : 0o600);
  expect(readdirSync(folder)).toEqual(["cache.json"]);
});

test("bridges of one profile add to each other's answers", async () => {
  const [one, two] = [open(), open()];
  expect([one.get(toolsListKey("a")), two.get(toolsListKey("a"))]).toEqual([undefined, undefined]);

  one.set(toolsListKey("a"), { tools: [] });
  await one.flush();
  two.set(toolsListKey("b"), { tools: [] });
  await two.flush();

  expect([open().get(toolsListKey("a")), open().get(toolsListKey("b"))]).toEqual([
    { tools: [] },
    { tools: [] },
  ]);
});

test.each(["", "{", "[]", '{"version":2,"answers":[]}', '{"version":1,"answers":{"a":1}}'])(
  "ignores and replaces a damaged cache: %s",
  async (content) => {
    writeFileSync(join(folder, "cache.json"), content);
    const answers = open();

    const found = answers.get(initializeKey(client));
    answers.set(initializeKey(client), answer);
    await answers.flush();

    expect(found).toBeUndefined();
    expect(open().get(initializeKey(client))).toEqual(answer);
  },
);

test("drops huge and invalid answers, and the oldest of many", async () => {
  const answers = open();

  answers.set(toolsListKey("huge"), { tools: ["x".repeat(1024 * 1024)] });
  answers.set(toolsListKey("senseless"), null);
  for (let count = 1; count <= 33; count += 1) answers.set(toolsListKey(`v${count}`), { count });
  await answers.flush();

  const later = open();
  expect(
    ["huge", "senseless", "v1", "v2", "v33"].map((name) => later.get(toolsListKey(name))),
  ).toEqual([...[undefined, undefined, undefined], ...[{ count: 2 }, { count: 33 }]]);
});

test("keeps answers in memory when the folder is missing", async () => {
  const answers = new StartupCache({ folder: join(folder, "gone") });

  answers.set(initializeKey(client), answer);
  await answers.flush();

  expect(answers.get(initializeKey(client))).toEqual(answer);
});

test("the bundled answers use the requested version if it is supported", () => {
  const versions = ["2025-03-26", "1999-01-01", undefined].map(
    (protocolVersion) => bundledInitialize({ protocolVersion })["protocolVersion"],
  );

  expect(versions).toEqual(["2025-03-26", "2025-11-25", "2025-11-25"]);
  expect(bundledInitialize(undefined)).toMatchObject({
    capabilities: {
      ...{ tools: { listChanged: true }, prompts: { listChanged: true } },
      ...{ resources: { listChanged: true }, completions: {} },
    },
    instructions: expect.stringContaining("restart this connection") as string,
  });
});
