import { expect, test } from "vitest";
import { useApp, startApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";
import { runsUnclaimedName } from "../../support/unclaimed-name.js";

const testApp = useApp();

/** Opens `/connect` of a server with these settings. Returns the commands and settings to copy. */
async function readConnectPage(baseUrl: string, bridgePackage?: string, locale = "en") {
  const { config, db } = testApp();
  const app = await startApp({ ...config, baseUrl, bridgePackage }, db);
  const member = await aMember(db);
  await db.query("UPDATE users SET locale = $2 WHERE id = $1", [member.userId, locale]);
  const { body } = await (await signIn(app, member)).get("/connect");
  await app.close();
  const copied = [...body.matchAll(/<pre><code>(.*?)<\/code>|value="(npx[^"]*)"/gs)].map(
    ([, settings, command]) => (settings ?? command ?? "").replaceAll("&quot;", '"'),
  );
  return { body, copied };
}

const variants = ["http://localhost:3000", "https://fettle.example.com"].flatMap((baseUrl) =>
  ["en", "de"].map((locale) => [baseUrl, locale] as const),
);

test.each(variants)("offers the bridge from the server: %s in %s", async (baseUrl, locale) => {
  const { body, copied } = await readConnectPage(baseUrl, undefined, locale);

  const bridge = `npx --yes --allow-remote=root ${baseUrl}/downloads/fettle-bridge.tgz`;
  expect(copied).toContain(`${bridge} ${baseUrl}/mcp`);
  expect(copied).toContain(`${bridge} install ${baseUrl}/mcp`);
  const started = copied.filter((text) => text.includes('"npx"'));
  expect(started).toHaveLength(2);
  for (const settings of started) {
    const [, ...args] = `${bridge} ${baseUrl}/mcp`.split(" ");
    expect(JSON.parse(settings)).toEqual({ mcpServers: { fettle: { command: "npx", args } } });
  }
  expect(runsUnclaimedName(body.replace(/\s+/g, " "))).toEqual([]);
});

test.each(variants)(
  "BRIDGE_PACKAGE offers the published package: %s in %s",
  async (baseUrl, locale) => {
    const { body, copied } = await readConnectPage(baseUrl, "@acme/fettle-bridge", locale);

    expect(copied).toContain(`npx --yes @acme/fettle-bridge install ${baseUrl}/mcp`);
    expect(body).not.toContain("/downloads/");
    expect(runsUnclaimedName(body.replace(/\s+/g, " "))).toEqual([]);
  },
);
