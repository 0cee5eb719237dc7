import { beforeAll, describe, expect, test } from "vitest";
import { useAudit } from "../../support/audit.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { connect } from "../../support/oauth.js";

interface Exported {
  table: string;
  row: Record<string, unknown>;
}

describe("data export for operators", () => {
  const audit = useAudit();
  let [person, colleague, stranger]: Member[] = [];
  const of = (member: Member | undefined): Member => {
    if (member === undefined) throw new Error("There is nobody.");
    return member;
  };
  let token = "";

  beforeAll(async () => {
    const { app, db } = audit.current();
    person = await aMember(db, { name: "Ana Keller", workspace: "Hall" });
    colleague = await aMember(db, { organization: person.organization, name: "Ben Colleague" });
    stranger = await aMember(db, { name: "Sam Stranger", workspace: "Elsewhere" });
    for (const member of [person, colleague, stranger]) {
      const { workspaceId = null } = person;
      const workspace = member === stranger ? (stranger.workspaceId ?? null) : workspaceId;
      await aTask(db, member, { title: `Task of ${member.name}`, workspace_id: workspace });
      token = (await connect(app, member)).tokens.access_token;
    }
    await db.query(
      `INSERT INTO assets (id, organization_id, inventory_number, name, qr_token, created_by)
       VALUES ('ast_1', $1, 'A-1', 'Pump of Ana', 'code-of-a-label', $2)`,
      [person.organizationId, person.userId],
    );
    await aMember(db, { organization: stranger.organization, email: person.email });
    await db.query(
      `INSERT INTO mail_outbox (kind, recipient, body_encrypted, status, next_attempt_at)
       VALUES ('account_exists', $1, 'secret words', 'failed', now())`,
      [person.email.toUpperCase()],
    );
  });

  async function run(...args: string[]): Promise<{ text: string; rows: Exported[] }> {
    const { code, lines, errors } = await audit.command(args);
    expect(code, errors.join()).toBe(0);
    return { text: lines.join("\n"), rows: lines.map((line) => JSON.parse(line) as Exported) };
  }
  const tablesOf = (rows: Exported[]) => [...new Set(rows.map(({ table }) => table))];

  test("exports a person's data from every organization and nothing about others", async () => {
    const { rows, text } = await run("person", "export", "--email", of(person).email);

    expect(tablesOf(rows)).toEqual(
      expect.arrayContaining([
        "users",
        "organization_members",
        "workspaces",
        "maintenance_tasks",
        "activity_log",
        "oauth_connections",
        "sessions",
        "mail_outbox",
      ]),
    );
    const memberships = rows.filter(({ table }) => table === "organization_members");
    expect(memberships.map(({ row }) => row["organization_id"]).sort()).toEqual(
      [of(person).organizationId, of(stranger).organizationId].sort(),
    );
    expect(text).toContain("Task of Ana Keller");
    for (const other of [of(colleague), of(stranger)]) {
      expect(text).not.toContain(`Task of ${other.name}`);
      expect(text).not.toContain(other.email);
    }
  });

  test("exports an organization's own rows and people and nothing from another", async () => {
    const { db } = audit.current();
    const former = await aMember(db, { organization: of(person).organization });
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      former.userId,
    ]);

    const { rows, text } = await run("organization", "export", of(person).organizationId);

    const people = rows.filter(({ table }) => table === "users").map(({ row }) => row);
    const shown = [of(person), of(colleague), { ...former, email: null }];
    expect(people).toEqual(
      expect.arrayContaining(shown.map(({ userId: id, name, email }) => ({ id, name, email }))),
    );
    expect(people).toHaveLength(3);
    expect(text).toContain("Task of Ana Keller");
    expect(text).toContain("Task of Ben Colleague");
    expect(text).not.toContain(of(stranger).organizationId);
    expect(text).not.toContain("Elsewhere");
  });

  test("contains no secrets, plain or hashed, and no label codes", async () => {
    const { db } = audit.current();
    const secrets = await db.query<{
      secret: string;
    }>(`SELECT password_hash AS secret FROM user_passwords
       UNION ALL SELECT encode(token_hash, 'hex') FROM oauth_access_tokens
       UNION ALL SELECT encode(id_hash, 'hex') FROM sessions
       UNION ALL SELECT qr_token FROM assets
       UNION ALL SELECT data ->> '_csrf' FROM sessions WHERE data ? '_csrf'`);
    expect(secrets.length).toBeGreaterThan(6);

    for (const { text } of [
      await run("person", "export", "--email", of(person).email),
      await run("organization", "export", of(person).organization),
    ]) {
      expect(text).toContain("Pump of Ana");
      for (const { secret } of [...secrets, { secret: token }]) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/"(\w*_(hash|encrypted)|qr_token|search|data)":/);
    }
  });

  test("reports an unknown person or organization", async () => {
    const [nobody, nowhere] = [
      await audit.command(["person", "export", "--email", "no@example.com"]),
      await audit.command(["organization", "export", "Nowhere"]),
    ];

    expect([nobody.code, nowhere.code]).toEqual([1, 1]);
    expect(nobody.errors.join()).toContain("No account with the email no@example.com");
    expect(nowhere.errors.join()).toContain("No organization Nowhere");
  });
});
