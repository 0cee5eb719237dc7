import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openDatabase } from "../../server/src/db/open-database.js";
import { findFreePort, testConfig } from "../support/app.js";
import { aMember } from "../support/builders.js";
import { createDatabase, prepareDataDir, type TestDatabase } from "../support/database.js";
import { useMailServer } from "../support/mail-server.js";
import { startServer } from "../support/server-process.js";
import { aToken } from "../support/tokens.js";

const folder = prepareDataDir();
const mailServer = useMailServer();
let database: TestDatabase | undefined;

beforeAll(async () => {
  database = inject("databaseUrl") === null ? undefined : await createDatabase();
});
afterAll(async () => {
  await database?.drop();
  folder.remove();
});

test("a server with SMTP_URL delivers an invitation automatically, then stops cleanly", async () => {
  const port = await findFreePort();
  const server = await startServer({
    DATA_DIR: folder.path,
    PORT: String(port),
    SMTP_URL: mailServer().url,
    MAIL_FROM: "Fettle <fettle@example.org>",
    ...(database?.url !== undefined && {
      DATABASE_URL: database.url,
      SECRET_KEYS: "k".repeat(40),
    }),
  });

  const response = await fetch(server.mcp, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await makeToken(server.url)}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "create_invite", arguments: { email: "bob@example.com" } },
    }),
  });
  const answer = await response.text();
  await expect.poll(() => mailServer().received.length).toBe(1);
  const exitCode = await server.stop();

  const link = /\/invites\/([\w-]{43})/.exec(mailServer().received[0]?.text ?? "");
  expect(link?.[0]).toBeDefined();
  expect(answer).toContain("queued");
  expect(exitCode).toBe(0);
  expect(answer + server.output()).not.toContain(link?.[1]);
  expect(server.output()).not.toContain("bob@example.com");
});

/** Creates an owner's token through a second connection to the running server's data. */
async function makeToken(baseUrl: string): Promise<string> {
  const { db, close } = await openDatabase({
    databaseUrl: database?.url,
    dataDir: folder.path,
    embedded: "join",
    onFailure: (error) => {
      throw error;
    },
  });
  const member = await aMember(db);
  const { token } = await aToken(db, testConfig({ baseUrl }), {
    ...member,
    scopes: ["mcp_write"],
  });
  await close();
  return token;
}
