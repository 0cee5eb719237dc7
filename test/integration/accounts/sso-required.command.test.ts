import { describe, expect, test } from "vitest";
import { useAudit } from "../../support/audit.js";
import { aMember } from "../../support/builders.js";
import { noticesTo } from "../../support/mails.js";

const mail = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "f@example.com" };

describe("command for an organization that lost its identity provider", () => {
  const audit = useAudit();

  test("SSO-45 ends required SSO in the named organization only, with audit entry and email", async () => {
    const { db } = audit.current();
    const [owner, other] = [await aMember(db), await aMember(db)];
    for (const { organizationId, userId } of [owner, other]) {
      await db.query(
        `INSERT INTO identity_providers
           (organization_id, issuer, client_id, client_secret_encrypted, sso_required, break_glass_owner_id)
         VALUES ($1, 'https://login.example', 'fettle', '', true, $2)`,
        [organizationId, userId],
      );
    }
    const allow = (reference: string) =>
      audit.command(["organization", "allow-passwords", reference], mail);

    const ended = await allow(owner.organization.toUpperCase());

    const named = { organization_id: owner.organizationId, name: owner.organization };
    const told = ({ lines }: { lines: string[] }) =>
      lines.map((line) => JSON.parse(line) as object);
    expect(ended.code, ended.errors.join()).toBe(0);
    expect(told(ended)).toEqual([{ ...named, sso_required: "ended" }]);
    expect(told(await allow(owner.organizationId))).toEqual([{ ...named, sso_required: "none" }]);
    expect(
      await db.query(
        "SELECT organization_id, break_glass_owner_id FROM identity_providers WHERE sso_required",
      ),
    ).toEqual([{ organization_id: other.organizationId, break_glass_owner_id: other.userId }]);
    expect(
      await db.query(
        `SELECT actor_name, details FROM activity_log
         WHERE organization_id = $1 AND type = 'sso_required_ended' AND sequence IS NOT NULL`,
        [owner.organizationId],
      ),
    ).toEqual([
      {
        actor_name: "The server's administrator",
        details: { issuer: "https://login.example" },
      },
    ]);
    expect(await audit.problemsOf(owner.organizationId)).toEqual([]);
    expect(await noticesTo(audit.current(), owner.email)).toMatchObject([
      { kind: "sso_required_ended", by: "The server's administrator" },
    ]);
  });

  test("SSO-45 exits with 1 for an unknown or ambiguous name", async () => {
    const { db } = audit.current();
    const [owner, other] = [await aMember(db), await aMember(db)];
    await db.query("UPDATE organizations SET name = lower($1), slug = 'other' WHERE id = $2", [
      owner.organization,
      other.organizationId,
    ]);
    const allow = (reference: string) =>
      audit.command(["organization", "allow-passwords", reference]);

    const [unknown, several] = [await allow("Nowhere"), await allow(owner.organization)];

    expect([unknown.code, several.code, (await allow("other")).code]).toEqual([1, 1, 0]);
    expect(unknown.errors.join()).toContain("No organization Nowhere");
    expect(several.errors.join()).toContain(`${owner.organizationId}, ${other.organizationId}`);
  });
});
