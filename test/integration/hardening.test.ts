import { describe, expect, test, vi } from "vitest";
import { useApp } from "../support/app.js";
import { aMember } from "../support/builders.js";
import { signIn } from "../support/oauth.js";

describe("what a stranger or a wrong form could do", () => {
  const current = useApp();

  test("OPS-20: however many ask whether the server is ready, the database is asked once a second", async () => {
    const { app, db } = current();
    const query = vi.spyOn(db, "query");

    const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject("/readyz")));

    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(query.mock.calls.length).toBeLessThanOrEqual(2);
  });

  test("FRM-01: a field that has one value and comes twice is refused, and nothing is changed", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const other = await aMember(db, { organization: owner.organization, role: "admin" });
    const browser = await signIn(app, owner);
    const form = await browser.get(`/settings/members/${other.userId}/role?role=owner`);

    const doubled = await browser.submitForm(form, { organization_role: ["owner", "member"] });
    const missing = await browser.submitForm(form, { organization_role: "" });

    expect(doubled.statusCode).toBe(400);
    expect(doubled.body).toContain("was sent more than once");
    expect(missing.statusCode).toBe(400);
    expect(
      await db.query("SELECT role FROM organization_members WHERE user_id = $1", [other.userId]),
    ).toEqual([{ role: "admin" }]);
  });
});
