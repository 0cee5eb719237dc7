import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkClients, checkEntry } from "../../bridge/src/doctor/computer.js";
import type { Finding } from "../../bridge/src/doctor/finding.js";
import { clients } from "../../bridge/src/install/clients.js";
import { aContext, testSettings } from "../support/bridge-context.js";
import { makePerson, type Person } from "../support/bridge-install.js";
import { makeIo } from "../support/bridge-io.js";

describe("doctor checks of client settings", () => {
  const server = "https://fettle.example.com/mcp";
  const claude = ".config/Claude/claude_desktop_config.json";
  let person: Person;
  beforeEach(() => {
    person = makePerson();
  });
  afterEach(() => {
    person.remove();
  });

  const settingsOf = (entry: object) => JSON.stringify({ mcpServers: { fettle: entry } });

  async function look(platform: NodeJS.Platform = "linux"): Promise<Finding[]> {
    const io = { ...makeIo(person.environment), platform, userFolder: person.path() };
    const context = aContext(testSettings({ server, home: person.path("bridge-home") }));
    const findings = [];
    for await (const finding of checkClients(context, io)) findings.push(finding);
    return findings;
  }

  test("reports nothing when no client has the server", async () => {
    person.write(claude, "{}");
    person.write(".cursor/mcp.json", settingsOf({ url: "https://other.example.com/mcp" }));

    expect(await look()).toEqual([]);
  });

  test("lists the clients that have the server after install", async () => {
    person.write(claude, "{}");
    person.write(".cursor/mcp.json", "{}");
    await person.install([server]);

    expect(await look()).toEqual([
      { check: "Clients", result: "ok", detail: "Claude Desktop, Cursor know fettle.example.com" },
    ]);
  });

  test("reports a missing program or script and how to fix it", async () => {
    const script = "/gone/fettle-bridge/dist/main.js";
    person.write(claude, settingsOf({ command: "/gone/node", args: [script, server] }));

    const findings = await look();

    const advice = `fettle-bridge install claude-desktop ${server}`;
    expect(findings.slice(0, 2)).toEqual(
      ["/gone/node", script].map((path) => ({
        check: "Clients",
        result: "warning",
        detail: `"fettle" of Claude Desktop names ${path}, which is not there`,
        advice,
      })),
    );
  });

  test("reports a different server address", async () => {
    person.write(".cursor/mcp.json", settingsOf({ url: "https://fettle.example.com/sse" }));

    const [finding] = await look();

    expect(finding).toMatchObject({
      result: "warning",
      detail: expect.stringContaining("leads to https://fettle.example.com/sse") as string,
      advice: expect.stringContaining(`fettle-bridge install cursor ${server}`) as string,
    });
  });

  test("reports a settings file that can't be parsed", async () => {
    person.write(claude, "{ no settings");

    const [finding] = await look();

    expect(finding).toMatchObject({
      result: "warning",
      detail: expect.stringContaining("the settings of Claude Desktop are no use") as string,
      advice: expect.stringContaining(person.path(claude)) as string,
    });
  });

  test.each(["fettle-bridge", "npx"])("reports that Windows can't start %s directly", (command) => {
    const client = clients.find(({ id }) => id === "cursor");
    if (client === undefined) throw new Error("Cursor is not known.");
    const meaning = { kind: "program", server, profile: "" } as const;
    const entry = { name: "fettle", meaning, words: [command, server] };

    expect([...checkEntry(client, entry, server, "linux")]).toEqual([]);
    expect([...checkEntry(client, entry, server, "win32")]).toEqual([
      expect.objectContaining({ detail: `"fettle" of Cursor: Windows cannot start ${command}` }),
    ]);
  });
});
