import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { useApp, useSecondNode } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { callWith, connect, refresh, type Tokens } from "../../support/oauth.js";

const twenty = Array.from({ length: 20 }, (_, index) => index);
const granted = { scope: ["mcp_read", "mcp_write"] };

describe("repeated refresh with fewer scopes", () => {
  const current = useApp();
  const secondNode = useSecondNode(current);

  /** A connection for reading and writing with its first refresh. The response may be lost. */
  async function aRefresh(form: Record<string, string> = {}) {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db), granted);
    const rotation_id = randomBytes(16).toString("base64url");
    const repeat = (changes: Record<string, string> = {}, node = app) =>
      refresh(node, client, tokens.refresh_token, { rotation_id, ...form, ...changes });
    return { client, next: (await repeat()).json<Tokens>(), repeat };
  }

  const scopesOf = async (token: string) => {
    const row = await current().db.maybe<{ scopes: string[] }>(
      "SELECT scopes FROM oauth_access_tokens WHERE token_hash = $1",
      [hashSecret(token)],
    );
    return row?.scopes;
  };

  test("SCO-01: gets an access token with only those scopes, and the same refresh token", async () => {
    const { app } = current();
    const { client, next, repeat } = await aRefresh();

    const narrower = (await repeat({ scope: "mcp_read" }, secondNode())).json<Tokens>();

    expect(next.scope).toBe("mcp_read mcp_write");
    expect(narrower).toMatchObject({ scope: "mcp_read", refresh_token: next.refresh_token });
    expect(narrower.access_token).not.toBe(next.access_token);
    expect(await scopesOf(narrower.access_token)).toEqual(["mcp_read"]);
    expect((await repeat({ scope: "mcp_write mcp_read" })).json()).toMatchObject(tokensOf(next));
    expect((await repeat()).json()).toMatchObject(tokensOf(next));
    expect(await callWith(app, narrower.access_token)).toBe(200);
    expect(await callWith(app, next.access_token)).toBe(200);
    expect((await refresh(app, client, narrower.refresh_token)).statusCode).toBe(200);
  });

  test("SCO-01: the first call with that access token prevents further repeats", async () => {
    const { app } = current();
    const { next, repeat } = await aRefresh();
    const narrower = (await repeat({ scope: "mcp_write" })).json<Tokens>();

    expect(await callWith(app, narrower.access_token)).toBe(200);

    for (const answer of [await repeat(), await repeat({ scope: "mcp_write" })]) {
      expect(answer.json()).toMatchObject({ error: "invalid_grant" });
    }
    expect(await callWith(app, next.access_token)).toBe(200);
  });

  test("SCO-01: rejects scopes beyond the refresh, even within the grant, and stays repeatable", async () => {
    const { next, repeat } = await aRefresh({ scope: "mcp_read" });

    const wider = await repeat({ scope: "mcp_read mcp_write" });
    const other = await repeat({ scope: "mcp_write" });

    for (const answer of [wider, other]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: "invalid_scope" });
    }
    expect((await repeat()).json()).toMatchObject(tokensOf(next));
  });

  test("SCO-01: overlapping uses on two nodes each get at most their requested scopes", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db), granted);

    const answers = await Promise.all(
      twenty.map((index) =>
        refresh(index % 2 === 0 ? app : secondNode(), client, tokens.refresh_token, {
          scope: index % 4 < 2 ? "mcp_read" : "mcp_read mcp_write",
        }),
      ),
    );

    const given = answers.filter(({ statusCode }) => statusCode === 200);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(given.length).toBeGreaterThan(0);
    for (const answer of refused) {
      // On a slow machine, some arrive after the first use has ended and overlap with nothing.
      expect(["invalid_scope", "invalid_grant"]).toContain(answer.json<{ error: string }>().error);
    }
    answers.forEach((answer, index) => {
      if (index % 4 < 2) expect(answer.json()).toMatchObject({ scope: "mcp_read" });
    });
    const pairs = given.map((answer) => answer.json<Tokens>());
    expect(new Set(pairs.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    for (const { access_token, scope } of pairs) {
      expect(await scopesOf(access_token)).toEqual(scope.split(" "));
    }
  });
});

function tokensOf({ access_token, refresh_token, scope }: Tokens): Partial<Tokens> {
  return { access_token, refresh_token, scope };
}
