import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Settings } from "../../bridge/src/common/settings.js";
import type { Authorization } from "../../bridge/src/profile/profile.js";
import { createFileStore } from "../../bridge/src/storage/open-store.js";
import { rotationSteps } from "../../bridge/src/tokens/rotation.js";
import { storeSignIn } from "../../bridge/src/tokens/stored-sign-in.js";
import { openDatabase } from "../../server/src/db/open-database.js";
import { createRefreshToken } from "../../server/src/domain/oauth/tokens.js";
import { hashSecret } from "../../server/src/domain/shared/secrets.js";
import { findFreePort, testConfig } from "../support/app.js";
import { aContext, makeHome, testSettings } from "../support/bridge-context.js";
import { signInAt, startTokenServer } from "../support/bridge-oauth.js";
import { startTokenProcess } from "../support/bridge-token-process.js";
import { aMember } from "../support/builders.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { makeDataDir, type ServerProcess, startServer } from "../support/server-process.js";
import { aToken } from "../support/tokens.js";

/** How the process ended, and the responses to its calls until then. */
interface End {
  killed: boolean;
  lines: string[];
  stderr: string;
}

/** Starts a process and kills it after one step of a rotation. */
async function endAfter(settings: Settings, killAfter: string): Promise<End> {
  const { ended, lines } = await startTokenProcess({ settings, killAfter, replaces: "at-once" });
  const { signal, stderr } = await ended;
  return { killed: signal === "SIGKILL", lines, stderr };
}

/**
 * Starts a process and kills it at any moment, from before it reads its token to later refreshes.
 */
async function endAnywhere(settings: Settings): Promise<End> {
  const child = await startTokenProcess({ settings, replaces: "at-once" });
  if (Math.random() < 0.8) await child.nextLine();
  setTimeout(child.kill, Math.random() * 120);
  const { signal, stderr } = await child.ended;
  return { killed: signal === "SIGKILL", lines: child.lines, stderr };
}

/** Starts a process that lives long enough to use its token. */
async function start(settings: Settings): Promise<string | undefined> {
  const child = await startTokenProcess({ settings, replaces: "when-told" });
  const line = await child.nextLine();
  child.kill();
  await child.ended;
  return line;
}

/** Output lines other than a successful response to a call. */
const complaintsOf = ({ lines, stderr }: End) => [
  ...lines.filter((line) => !line.startsWith("200 ")),
  ...stderr.split("\n").filter((line) => line !== ""),
];

describe("kill -9 while Fettle renews a token", () => {
  const families = 4;
  const rounds = 7;
  const homes = Array.from({ length: families }, makeHome);
  const data = makeDataDir();
  let database: TestDatabase | undefined;
  let server: ServerProcess;

  beforeAll(async () => {
    database = inject("databaseUrl") === null ? undefined : await createDatabase();
    const port = await findFreePort();
    server = await startServer({
      DATA_DIR: data.path,
      PORT: String(port),
      LOG_LEVEL: "warn",
      RATE_LIMIT: "off",
      ...(database?.url !== undefined && {
        DATABASE_URL: database.url,
        SECRET_KEYS: "k".repeat(40),
      }),
    });
    await signInEach(port);
  });
  afterAll(async () => {
    await server.stop("SIGKILL");
    await database?.drop();
    data.remove();
    for (const home of homes) home.remove();
  });

  const settingsOf = (home: string) => testSettings({ home, server: server.mcp });

  /** Creates a connection for each home with its first tokens, without the browser flow. */
  async function signInEach(port: number): Promise<void> {
    const { db, close } = await openDatabase({
      databaseUrl: database?.url,
      dataDir: data.path,
      embedded: "join",
      onFailure: (error) => {
        throw error;
      },
    });
    const config = testConfig({ baseUrl: `http://localhost:${port}` });
    const member = await aMember(db, { role: "owner" });
    for (const home of homes) {
      const context = aContext(settingsOf(home.path));
      const scopes = ["mcp_read" as const];
      const { token, connectionId } = await aToken(db, config, { ...member, scopes });
      const refreshToken = createRefreshToken();
      await db.query(
        `INSERT INTO oauth_refresh_tokens (token_hash, organization_id, connection_id)
         VALUES ($1, $2, $3)`,
        [hashSecret(refreshToken), member.organizationId, connectionId],
      );
      const store = createFileStore(context.profile, context.log);
      const authorization = fettle(config.baseUrl, server.mcp);
      const tokens = { accessToken: token, expiresIn: 7200, refreshToken, clientSecret: undefined };
      await storeSignIn(context, store, { authorization, ...tokens });
    }
    await close();
  }

  test("none of 200 kills loses the sign-in", async () => {
    const kills = new Map<string, number>();
    const complaints: string[] = [];
    const note = (where: string, end: End) => {
      if (end.killed) kills.set(where, (kills.get(where) ?? 0) + 1);
      complaints.push(...complaintsOf(end));
    };

    await Promise.all(
      homes.map(async ({ path }) => {
        for (let round = 0; round < rounds; round += 1) {
          for (const step of rotationSteps) note(step, await endAfter(settingsOf(path), step));
        }
        for (let round = 0; round < 4; round += 1) {
          note("anywhere", await endAnywhere(settingsOf(path)));
        }
      }),
    );

    const last = await Promise.all(homes.map(({ path }) => start(settingsOf(path))));
    expect(complaints).toEqual([]);
    expect(last.map((line) => line?.slice(0, 4))).toEqual(homes.map(() => "200 "));
    expect([...kills.keys()].sort()).toEqual(["anywhere", ...rotationSteps].sort());
    expect([...kills.values()].reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(200);
  });
});

function fettle(issuer: string, resource: string): Authorization {
  return {
    issuer,
    tokenEndpoint: `${issuer}/oauth/token`,
    revocationEndpoint: `${issuer}/oauth/revoke`,
    resource,
    client: { id: "fettle-bridge", authMethod: "none", registered: false },
    scope: "mcp_read",
  };
}

describe("kill -9 while a server with strict rotation renews a token", () => {
  test("loses the sign-in only between the answer and the first written line", async () => {
    const server = await startTokenServer();
    server.rules.knowsRotationId = false;
    const lost: string[] = [];

    await Promise.all(
      rotationSteps.map(async (step) => {
        const home = makeHome();
        const context = aContext(testSettings({ home: home.path, server: `${server.origin}/mcp` }));
        await signInAt(server, context, createFileStore(context.profile, context.log));

        const { killed } = await endAfter(context.settings, step);
        const line = await start(context.settings).then((first) => {
          return first?.startsWith("200 ") ? renewOnce(context.settings) : first;
        });
        if (!killed || !line?.startsWith("200 ")) lost.push(step);
        home.remove();
      }),
    );
    server.close();
    process.stdout.write(
      `Without rotation_id ${lost.length} of ${rotationSteps.length} kills, one after each step, ` +
        `cost the sign-in: ${lost.join(", ")}.\n`,
    );

    expect(lost).toEqual(["answered"]);
  });
});

/**
 * The first sign-in's token may still be valid, so only the next one proves that the rotation was
 * stored.
 */
async function renewOnce(settings: Settings): Promise<string | undefined> {
  const child = await startTokenProcess({ settings, replaces: "when-told" });
  await child.nextLine();
  child.tell();
  const line = await child.nextLine();
  child.kill();
  await child.ended;
  return line;
}
