import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { allScopes } from "fettle-shared";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { hashSecret } from "../../server/src/domain/shared/secrets.js";
import { useApp, useSecondNode } from "../support/app.js";
import { createBrowser, findForms, type TestBrowser } from "../support/browser.js";
import { aMember, type Member } from "../support/builders.js";
import * as oauth from "../support/oauth.js";
import { aToken } from "../support/tokens.js";
import { isLong, runs } from "./settings.js";

/** The actors' actions with their relative frequency. */
const weights = {
  ...{ batch: 4, "slow call": 4, authorize: 2, exchange: 3, refresh: 4, replay: 2 },
  ...{ revoke: 2, disconnect: 1, demote: 1, remove: 1 },
};
type Action = keyof typeof weights;

interface Step {
  do: Action;
  person: number;
  node: number;
  pick: number;
}

interface Connection {
  id: string;
  granted: string[];
  access: string[];
  /** In the order of the responses. */
  refresh: string[];
}

interface Person {
  member: Member;
  client: oauth.TestClient;
  /** One for each node, with shared cookies. */
  browsers: [TestBrowser, TestBrowser];
  csrf: string;
  codes: (oauth.Approved & { granted: string[]; isUsed: boolean })[];
  connections: Connection[];
}

const names = Object.entries(weights).flatMap(([name, times]) =>
  Array<Action>(times).fill(name as Action),
);
const step = fc.record({
  do: fc.constantFrom(...names),
  person: fc.nat(1),
  node: fc.nat(1),
  pick: fc.nat(99),
});
const fourActors = fc.tuple(step, step, step, step);
const sequence = fc.tuple(fourActors, fourActors, fourActors, fourActors);

/*
 * The database logs a line for each change and each end of access, as the transaction's last step.
 * Ending access waits for changes that were confirmed before, so the lines are in commit order.
 */
const commitLog = `
CREATE TABLE fuzz_log (line bigint GENERATED ALWAYS AS IDENTITY, kind text, key text);
CREATE FUNCTION fuzz_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO fuzz_log (kind, key) VALUES (TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[1]);
  RETURN NULL;
END $$;
${Object.entries({
  "INSERT ON assets": "EXECUTE FUNCTION fuzz_log('write', 'name')",
  "INSERT ON workspaces": "EXECUTE FUNCTION fuzz_log('write', 'name')",
  "UPDATE ON oauth_connections": `WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
    EXECUTE FUNCTION fuzz_log('end', 'id')`,
  "UPDATE ON organization_members": `WHEN ((OLD.removed_at, OLD.role) IS DISTINCT FROM
    (NEW.removed_at, NEW.role)) EXECUTE FUNCTION fuzz_log('end', 'user_id')`,
})
  .map(
    ([event, work]) => `CREATE CONSTRAINT TRIGGER fuzz_log AFTER ${event}
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW ${work};`,
  )
  .join("")}`;

/** Names of created records end with the person and the connection that created them. */
const problems = `
SELECT 'written after the end of access: ' || w.key AS problem
FROM fuzz_log w JOIN fuzz_log e ON e.line < w.line AND e.kind = 'end'
  AND e.key IN (split_part(w.key, ' ', 2), split_part(w.key, ' ', 3))
WHERE w.kind = 'write'
UNION ALL SELECT 'several live refresh tokens: ' || connection_id FROM oauth_refresh_tokens
WHERE rotated_at IS NULL GROUP BY connection_id HAVING count(*) > 1`;

describe("four actors on two nodes", () => {
  const current = useApp();
  const secondNode = useSecondNode(current);
  let owner: Person & { token: string };
  const people: Person[] = [];
  /** True if the write was answered as done, by the name of the record. */
  const written = new Map<string, boolean>();
  const done = new Set<Action>();
  let writes = 0;

  const nodeOf = ({ node }: Step) => (node === 0 ? current().app : secondNode());
  const pick = <Item>(list: readonly Item[], index: number) => list[index % list.length];

  beforeAll(async () => {
    const { db, config } = current();
    await db.query(commitLog);
    const member = await aMember(db);
    const { token } = await aToken(db, config, { ...member, scopes: [...allScopes] });
    owner = { ...(await enter(member)), token };
    const { organization } = member;
    for (const role of ["admin", "admin"] as const) {
      people.push(await enter(await aMember(db, { organization, role })));
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test(
    "FUZ-01, OPS-10: write nothing after an end commits, keep one live refresh token, gain no scope",
    { timeout: isLong ? 0 : 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(sequence, fc.infiniteStream(fc.nat(19)), async (rounds, pauses) => {
          await begin();
          spaceOut(pauses);
          for (const steps of rounds) {
            await Promise.all(steps.map((next) => take(next)));
            await checkDatabase();
          }
          vi.restoreAllMocks();
          await checkTokens();
        }),
        // Four interleavings per run.
        runs({ short: 25, long: 2500 }),
      );
      const often: Action[] = ["batch", "slow call", "exchange", "refresh"];
      expect([...done]).toEqual(expect.arrayContaining(often));
    },
  );

  async function enter(member: Member): Promise<Person> {
    const browser = await oauth.signIn(current().app, member);
    const other = createBrowser(secondNode());
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    const csrf = findForms((await browser.get("/settings")).body)[0]?.hidden["_csrf"] ?? "";
    const client = await oauth.aClient(current().app);
    return { member, client, browsers: [browser, other], csrf, codes: [], connections: [] };
  }

  /** Resets the state: every person is an admin with one connection. */
  async function begin(): Promise<void> {
    const { db } = current();
    await db.query("DELETE FROM oauth_connections WHERE user_id <> $1", [owner.member.userId]);
    await db.query(
      "UPDATE organization_members SET removed_at = NULL, role = 'admin' WHERE role <> 'owner'",
    );
    await db.query("TRUNCATE fuzz_log");
    written.clear();
    for (const [index, person] of people.entries()) {
      Object.assign(person, { codes: [], connections: [] });
      const next = { person: index, node: 0, pick: 1 };
      await take({ do: "authorize", ...next });
      await take({ do: "exchange", ...next });
      expect(person.connections).toHaveLength(1);
    }
  }

  /**
   * Delays one in four statements, so requests can interleave between any two. Each connection
   * keeps the order of its statements: the start of a transaction is sent right before another.
   */
  function spaceOut(pauses: fc.Stream<number>): void {
    const client = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
    const send = client.query;
    const delayed = new WeakMap<object, Promise<void>>();
    vi.spyOn(client, "query").mockImplementation(function (this: object, ...args) {
      const { value } = pauses.next() as { value: number };
      const before = delayed.get(this);
      const isDelayed = value <= 4 && typeof args.at(-1) !== "function";
      if (before === undefined && !isDelayed) return send.apply(this, args);
      const turn = Promise.all([before, isDelayed && pause(value)]).then(() => {
        if (delayed.get(this) === turn) delayed.delete(this);
      });
      delayed.set(this, turn);
      return turn.then(() => send.apply(this, args));
    });
  }

  async function take(next: Step): Promise<void> {
    const person = people[next.person];
    if (person !== undefined && (await actions[next.do](next, person))) done.add(next.do);
  }

  /** Each action returns true if it was done. */
  const actions: Record<Action, (next: Step, person: Person) => Promise<boolean>> = {
    batch: (next, person) => write(next, person, 3),
    "slow call": (next, person) => write(next, person, 1),
    async authorize(next, { browsers, client, codes }) {
      const granted = next.pick % 4 === 0 ? ["mcp_read"] : ["mcp_read", "mcp_write"];
      const browser = next.node === 0 ? browsers[0] : browsers[1];
      // Removed people don't see the consent page.
      const approved = await oauth.approve(browser, client, { scope: granted }).catch(() => null);
      if (approved !== null) codes.push({ ...approved, granted, isUsed: false });
      return approved !== null;
    },
    async exchange(next, { codes, connections }) {
      // Using a code twice ends its connection, so it is rare.
      const fresh = codes.findLast(({ isUsed }) => !isUsed);
      const code = next.pick % 8 === 0 ? pick(codes, next.pick) : fresh;
      if (code === undefined) return false;
      const answer = await oauth.exchange(nodeOf(next), code);
      code.isUsed = true;
      const { granted } = code;
      const connection: Connection = { id: "", granted, access: [], refresh: [] };
      if (!keep(connection, answer)) return false;
      const row = await current().db.maybe<{ connection_id: string }>(
        "SELECT connection_id FROM oauth_access_tokens WHERE token_hash = $1",
        [hashSecret(connection.access[0] ?? "")],
      );
      connection.id = row?.connection_id ?? "";
      connections.push(connection);
      return true;
    },
    async refresh(next, { client, connections }) {
      const connection = pick(connections, next.pick);
      const scope = ["", "mcp_read", allScopes.join(" "), ""][next.pick % 4] ?? "";
      const token = connection?.refresh.at(-1);
      if (connection === undefined || token === undefined) return false;
      return keep(connection, await oauth.refresh(nodeOf(next), client, token, { scope }));
    },
    async replay(next, { client, connections }) {
      const connection = pick(connections, next.pick);
      const token = connection && pick(connection.refresh.slice(0, -1), next.pick);
      if (connection === undefined || token === undefined) return false;
      if (next.pick % 2 === 0) await oauth.ageRotation(current().db, 11);
      return keep(connection, await oauth.refresh(nodeOf(next), client, token));
    },
    async revoke(next, { client, connections }) {
      const { access = [], refresh = [] } = pick(connections, next.pick) ?? {};
      const token = (next.pick % 3 === 0 ? access : refresh).at(-1) ?? "";
      const form = { token, client_id: client.id };
      return (await oauth.postForm(nodeOf(next), "/oauth/revoke", form)).statusCode === 200;
    },
    async disconnect({ node, pick: index }, { browsers, connections, csrf }) {
      const path = `/settings/apps/${pick(connections, index)?.id ?? ""}/disconnect`;
      return (await browsers[node]?.post(path, { _csrf: csrf }))?.statusCode === 303;
    },
    async demote({ node }, { member }) {
      const fields = { _csrf: owner.csrf, organization_role: "member" };
      const path = `/settings/members/${member.userId}/role`;
      return (await owner.browsers[node]?.post(path, fields))?.statusCode === 303;
    },
    async remove(next, { member }) {
      const args = { user_id: member.userId, from_organization: true };
      return (await call(next, owner.token, [["remove_user", args]]))[0] === true;
    },
  };

  async function write(next: Step, { member, connections }: Person, count: number) {
    const { id = "", access = [] } = pick(connections, next.pick) ?? {};
    const made = Array.from({ length: count }, () => `${(writes += 1)} ${member.userId} ${id}`);
    const tools = ["create_workspace", "create_asset"];
    const answers = await call(
      next,
      pick(access, next.pick) ?? "",
      made.map((name, index) => [tools[index % 2] ?? "", { name }]),
    );
    for (const [index, name] of made.entries()) written.set(name, answers[index] === true);
    return answers.every((isDone) => isDone);
  }

  /** Sends a batch, or a call with a slow body. Returns which calls were done. */
  async function call(next: Step, token: string, calls: [string, object][]): Promise<boolean[]> {
    const messages = calls.map(([name, args], id) => ({
      ...{ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } },
    }));
    const body = JSON.stringify(next.do === "batch" ? messages : messages[0]);
    const { body: text, statusCode } = await nodeOf(next).inject({
      method: "POST",
      url: "/mcp",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      payload: Readable.from(slowly(body, next.do === "slow call" ? next.pick / 5 : 0)),
    });
    expect([200, 401], text).toContain(statusCode);
    expect(text).not.toContain("internal_error");
    const answers = [JSON.parse(text) as Answer | Answer[]].flat();
    return calls.map((_, id) => answers[id]?.result !== undefined && !answers[id].result.isError);
  }

  /** Overlapping requests get the same pair of tokens. */
  function keep(
    connection: Connection,
    { statusCode, body }: { statusCode: number; body: string },
  ) {
    expect([200, 400], body).toContain(statusCode);
    if (statusCode !== 200) return false;
    const tokens = JSON.parse(body) as oauth.Tokens;
    expect(connection.granted).toEqual(expect.arrayContaining(tokens.scope.split(" ")));
    if (connection.refresh.includes(tokens.refresh_token)) return true;
    connection.refresh.push(tokens.refresh_token);
    connection.access.push(tokens.access_token);
    return true;
  }

  async function checkDatabase(): Promise<void> {
    const { db } = current();
    expect(await db.query(problems)).toEqual([]);
    const log = await db.query<{ key: string }>("SELECT key FROM fuzz_log WHERE kind = 'write'");
    const answered = [...written].filter(([, isDone]) => isDone).map(([name]) => name);
    expect(log.map(({ key }) => key).toSorted()).toEqual(answered.toSorted());
  }

  /** Uses every token ever issued, the latest first. */
  async function checkTokens(): Promise<void> {
    const { app, db } = current();
    const rows = await db.query<{
      id: string;
    }>(`SELECT c.id FROM oauth_connections c JOIN organization_members m USING (organization_id, user_id)
       WHERE c.revoked_at IS NOT NULL OR m.removed_at IS NOT NULL`);
    for (const { client, connections } of people) {
      for (const { id, access, refresh } of connections) {
        const isEnded = rows.some((row) => row.id === id);
        for (const token of isEnded ? access : []) {
          expect(await oauth.callWith(app, token)).toBe(401);
          expect(await oauth.callWith(secondNode(), token)).toBe(401);
        }
        let live = 0;
        for (const token of refresh.toReversed()) {
          const { statusCode } = await oauth.refresh(secondNode(), client, token);
          if (statusCode === 200) live += 1;
        }
        expect(live).toBeLessThanOrEqual(isEnded ? 0 : 1);
      }
    }
  }
});

interface Answer {
  result?: { isError?: boolean };
}

async function* slowly(body: string, milliseconds: number) {
  yield body.slice(0, 9);
  await pause(milliseconds);
  yield body.slice(9);
}
