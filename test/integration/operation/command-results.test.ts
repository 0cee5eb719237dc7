import { beforeAll, describe, expect, test } from "vitest";
import { useAudit } from "../../support/audit.js";
import { aMember, type Member } from "../../support/builders.js";
import { terminal } from "../../support/command-line.js";
import { connect, signIn } from "../../support/oauth.js";

const audit = useAudit();
let owner: Member;
let organization: string;

beforeAll(async () => {
  const { app, db } = audit.current();
  owner = await aMember(db, { role: "owner", workspace: "Hall" });
  ({ organization } = owner);
  await aMember(db, { organization });
  await connect(app, owner, {}, { client_name: "Helper with a name that is too long for a table" });
  await signIn(app, owner);
  await db.query(
    `INSERT INTO mail_outbox (kind, recipient, body_encrypted, status, attempts, last_error,
       next_attempt_at) VALUES ('account_exists', 'ana@example.com', '', 'failed', 6,
       'refused for a reason that takes many words\nand more than one line to explain', now())`,
  );
});

/** Each with a column of its table, and the key of its JSON that has the value. */
const listings = [
  [["account", "list"], "EMAIL", "email"],
  [["organization", "list"], "ID", "organization_id"],
  [["member", "list", "--organization"], "EMAIL", "email"],
  [["connection", "list"], "ID", "connection_id"],
  [["session", "list", "--email"], "ADDRESS", "ip_address"],
  [["email", "list"], "ID", "mail_id"],
] as const;

const complete = (args: readonly string[]) => {
  if (args.at(-1) === "--organization") return [...args, organization];
  return args.at(-1) === "--email" ? [...args, owner.email] : [...args];
};

const run = async (args: string[], isTerminal: boolean) => {
  const streams = isTerminal ? { output: terminal() } : {};
  const { code, lines, errors } = await audit.command(args, {}, streams);
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return lines;
};

describe.each(listings)("fettle %j", (words, title, key) => {
  test("prints JSON Lines with --json and when not in a terminal", async () => {
    const args = complete(words);

    const [asked, piped] = [await run([...args, "--json"], true), await run(args, false)];

    expect(asked).not.toEqual([]);
    expect(piped).toEqual(asked);
    for (const line of asked) {
      expect(JSON.parse(line)).toHaveProperty(key);
    }
  });

  test("prints a table of at most 80 columns in a terminal", async () => {
    const args = complete(words);

    const [heading = "", ...rows] = await run(args, true);
    const values = (await run([...args, "--json"], true)).map(
      (line) => (JSON.parse(line) as Record<string, unknown>)[key],
    );

    expect(heading.split(/ {2,}/)).toContain(title);
    expect(rows).toHaveLength(values.length);
    rows.forEach((row, index) => {
      expect(row).toContain(String(values[index]));
      expect(row.length).toBeLessThanOrEqual(80);
    });
  });
});

test("lists members by role, without former members", async () => {
  const { db } = audit.current();
  const gone = await aMember(db, { organization });
  await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
    gone.userId,
  ]);
  const [first, ...others] = (
    await run(["member", "list", "--organization", organization], false)
  ).map((line) => JSON.parse(line) as Record<string, unknown>);

  expect(first).toMatchObject({ email: owner.email, role: "owner", active: true });
  expect(others).toMatchObject([{ role: "member" }]);
});

test.each([
  [
    ["connections", "list"],
    ["connection", "list"],
  ],
  [
    ["mail", "list"],
    ["email", "list"],
  ],
  [
    ["members", "set-role", "--role", "owner", "--email"],
    ["member", "set-role", "--role", "owner", "--email"],
  ],
  [
    ["sessions", "end", "--email"],
    ["session", "end", "--email"],
  ],
])("%j gives the same output as %j", async (former, present) => {
  const toArgs = (words: string[]) =>
    words[1] === "set-role"
      ? [...words, owner.email, "--organization", organization]
      : complete(words);
  await run(toArgs(present), false);

  const lines = await run(toArgs(former), false);

  expect(lines).not.toEqual([]);
  expect(lines).toEqual(await run(toArgs(present), false));
});

test.each([
  [() => ["account", "deactivate", "--email", owner.email], /deactivated\. All sessions/],
  [() => ["account", "activate", "--email", owner.email], /is active\.$/],
  [() => ["session", "end", "--email", owner.email], /^Ended \d+ sessions of /],
  [() => ["connection", "revoke", "--email", owner.email], /^Ended 1 connection\.$/],
  [() => ["organization", "allow-passwords", organization], /already allows passwords/],
  [() => ["purge", "--yes"], /^Removed expired data\.$/],
])("prints a change as one sentence in a terminal, and as JSON on request", async (args, words) => {
  const [sentence = "", ...more] = await run(args(), true);
  const lines = await run([...args(), "--json"], true);

  expect(sentence).toMatch(words);
  expect(more).toEqual([]);
  for (const line of lines) expect(JSON.parse(line)).toBeTypeOf("object");
});

test("migrate, check and audit verify print text, and JSON with --json", async () => {
  for (const args of [["migrate"], ["check"], ["audit", "verify"]]) {
    const [words = ""] = await run(args, false);
    const lines = await run([...args, "--json"], true);

    expect(words).not.toMatch(/^\{/);
    for (const line of lines) expect(JSON.parse(line)).toBeTypeOf("object");
  }
});
