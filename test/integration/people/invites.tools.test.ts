// @module-tag embedded

import { describe, expect, test } from "vitest";
import { hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { mailsOf, tokenOf } from "../../support/mails.js";

interface Answer {
  invite: { id: string; email: string; expires_at: string } & Json;
  delivery_status: string;
}

interface Listed {
  invites: ({ id: string; email: string; status: string } & Json)[];
  total_count: number;
  next_cursor?: string;
}

const week = 7 * 24 * 60 * 60_000;
const anId = expect.stringMatching(/^inv_[0-9a-z]{12}$/) as string;
const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;

const testApp = useApp();

const invite = (person: Connected, email: string, more: Json = {}) =>
  person.ok<Answer>("create_invite", { email, ...more });

async function age(id: string, interval: string): Promise<void> {
  await testApp().db.query(
    `UPDATE invites SET created_at = created_at - $2::interval,
       expires_at = expires_at - $2::interval,
       last_sent_at = last_sent_at - $2::interval,
       recent_resends = ARRAY(SELECT at - $2::interval FROM unnest(recent_resends) AS at)
     WHERE id = $1`,
    [id, interval],
  );
}

async function accept(id: string): Promise<void> {
  await testApp().db.query(
    "UPDATE invites SET accepted_at = now(), accepted_by = invited_by WHERE id = $1",
    [id],
  );
}

async function isValid(token: string): Promise<boolean> {
  const rows = await testApp().db.query("SELECT 1 FROM invites WHERE token_hash = $1", [
    hashSecret(token),
  ]);
  return rows.length > 0;
}

describe("create_invite", () => {
  test("returns a short result, and includes the link only in the email", async () => {
    const owner = await connect(testApp());

    const result = await owner.call("create_invite", { email: " Bob@Example.com " });
    const answer = result.structuredContent as unknown as Answer;

    expect(answer).toEqual({
      invite: {
        id: anId,
        email: "Bob@Example.com",
        status: "pending",
        expires_at: aTime,
        organization_role: "member",
      },
      delivery_status: "queued",
      warnings: [
        "Invitation for Bob@Example.com created. Email isn't set up, so send the link yourself. An organization admin can find the link under Settings > Mail.",
      ],
    });
    expect(Math.abs(Date.parse(answer.invite.expires_at) - Date.now() - week)).toBeLessThan(60_000);
    const token = await tokenOf(testApp(), answer.invite.id);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await isValid(token)).toBe(true);
    expect(JSON.stringify(result)).not.toContain(token);
  });

  test("the email names inviter, organization and workspace, with links removed from the message", async () => {
    const owner = await connect(testApp(), { name: "Ana Keller" });
    await owner.ok("create_workspace", { name: "Lab" });

    const answer = await invite(owner, "kim@example.com", {
      workspace_id: "lab",
      workspace_role: "viewer",
      message:
        "Hi Kim,\nsee https://evil.example/x or www.evil.example, evil.example and a@b.cd. Bye",
    });

    expect(answer.invite).toMatchObject({ workspace_name: "Lab", workspace_role: "viewer" });
    const [mail] = await mailsOf(testApp(), answer.invite.id);
    expect(mail).toMatchObject({
      status: "kept",
      recipient: "kim@example.com",
      letter: {
        inviter: "Ana Keller",
        organization: owner.member.organization,
        workspace: "Lab",
        message: "Hi Kim,\nsee […] or […], […] and […]. Bye",
        timeZone: "UTC",
      },
    });
    expect(mail?.letter?.link).toContain(`${testApp().config.baseUrl}/invites/`);
  });

  test("the organization's activity log records inviting, resending and withdrawing", async () => {
    const owner = await connect(testApp());
    const { id } = (await invite(owner, "log@example.com")).invite;
    await owner.ok("resend_invite", { invite_id: id });
    await owner.ok("delete_invite", { invite_id: id });

    const log = await testApp().db.query<Json>(
      `SELECT type, details FROM activity_log WHERE organization_id = $1 AND type LIKE 'invite%'
       ORDER BY id`,
      [owner.member.organizationId],
    );

    const details = { invite_id: id, email: "log@example.com", organization_role: "member" };
    expect(log).toEqual([
      { type: "invite_sent", details },
      { type: "invite_resent", details },
      { type: "invite_withdrawn", details },
    ]);
  });

  test.each([
    "bob",
    "bob@",
    "a b@example.com",
    "bob@example.com, eve@example.com",
    "b@ex\nample.com",
  ])("rejects %j as an address", async (email) => {
    const owner = await connect(testApp());

    const refusal = await owner.refused("create_invite", { email });

    expect(refusal).toMatchObject({ code: "validation_failed", field: "email" });
  });

  test("rejects an address with a pending invitation, ignoring case, and names the invitation", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab" });
    const first = await invite(owner, "bob@example.com");
    await invite(owner, "bob@example.com", { workspace_id: "Lab" });

    const refusal = await owner.refused("create_invite", { email: "BOB@example.com" });

    expect(refusal).toMatchObject({
      code: "pending_invite",
      message: `Conflict: BOB@example.com already has a pending invitation ${first.invite.id}. Use resend_invite.`,
      details: { invite_id: first.invite.id },
    });
  });

  test.each([
    [{ workspace_role: "viewer" }, ", or delete_invite first to change the role"],
    [{ organization_role: "admin" }, ", or delete_invite first to change the role"],
    [{ message: "Come in" }, ", or delete_invite first to change the message"],
    [{ message: "Welcome" }, ""],
    [{}, ""],
  ])("rejects %j for an address with a pending invitation, with advice", async (asked, advice) => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab" });
    const place = { workspace_id: "Lab" };
    const { id } = (await invite(owner, "bob@example.com", { ...place, message: "Welcome" }))
      .invite;

    const refusal = await owner.refused("create_invite", {
      email: "bob@example.com",
      ...place,
      ...asked,
    });

    expect(refusal.message).toBe(
      `Conflict: bob@example.com already has a pending invitation ${id}. Use resend_invite${advice}.`,
    );
  });

  test('a workspace role requires the workspace, and "none" isn\'t a workspace', async () => {
    const owner = await connect(testApp());
    const email = "bob@example.com";

    const role = await owner.refused("create_invite", { email, workspace_role: "viewer" });
    const none = await owner.refused("create_invite", { email, workspace_id: "none" });
    const usual = await invite(owner, email, { workspace_role: "member" });

    expect(role).toMatchObject({
      code: "validation_failed",
      field: "workspace_role",
      message:
        'Validation failed: workspace_role "viewer" only works with workspace_id. Give the workspace they join, or leave workspace_role out.',
    });
    expect(none.message).toBe(
      'Validation failed: workspace_id "none" is not a workspace. For none, leave workspace_id out.',
    );
    expect(usual.invite).not.toHaveProperty("workspace_role");
  });

  test("creates one of ten simultaneous invitations for one address", async () => {
    const owner = await connect(testApp());

    const results = await Promise.all(
      Array.from({ length: 10 }, () => owner.call("create_invite", { email: "ten@example.com" })),
    );

    const refusals = results.filter(({ isError }) => isError === true);
    expect(refusals).toHaveLength(9);
    for (const { content } of refusals) {
      expect(content[0]?.text).toMatch(
        /^Conflict: ten@example\.com already has a pending invitation inv_/,
      );
    }
    const { total_count } = await owner.ok<Listed>("list_invites");
    expect(total_count).toBe(1);
  });

  test("rejects existing members, but allows inviting them to another workspace", async () => {
    const owner = await connect(testApp());
    const { organization, email: ownerEmail } = owner.member;
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    const join = { organization, role: "member", workspace: "Lab" } as const;
    const { email } = (await connect(testApp(), join)).member;

    const inside = await owner.refused("create_invite", { email, workspace_id: "Lab" });
    const again = await owner.refused("create_invite", { email });
    const everywhere = await owner.refused("create_invite", {
      email: ownerEmail,
      workspace_id: "Yard",
    });
    const promoted = await owner.refused("create_invite", {
      email,
      workspace_id: "Yard",
      organization_role: "admin",
    });
    const elsewhere = await invite(owner, email, { workspace_id: "Yard" });

    expect(inside.code).toBe("already_member");
    expect(inside.message).toBe(
      `Conflict: ${email} is already a member of "Lab". Change their role under Settings > Members.`,
    );
    expect(again.message).toContain(`Conflict: ${email} is already a member of the organization.`);
    expect(everywhere.message).toBe(
      `Conflict: ${ownerEmail} is already an owner of the organization and sees every workspace.`,
    );
    expect(promoted.code).toBe("already_member");
    expect(elsewhere.invite).toMatchObject({ status: "pending", workspace_name: "Yard" });
  });

  test("allows inviting an address again after its invitation was withdrawn or expired", async () => {
    const owner = await connect(testApp());
    const first = await invite(owner, "bob@example.com");
    await owner.ok("delete_invite", { invite_id: first.invite.id });
    const second = await invite(owner, "bob@example.com");
    for (const { id } of [first.invite, second.invite]) await age(id, "8 days");

    const third = await invite(owner, "bob@example.com");

    const { invites } = await owner.ok<Listed>("list_invites", { status: "all" });
    expect(invites.map(({ id, status }) => [id, status])).toEqual([
      [third.invite.id, "pending"],
      [second.invite.id, "expired"],
      [first.invite.id, "revoked"],
    ]);
    const replaced = await owner.refused("resend_invite", { invite_id: second.invite.id });
    expect(replaced).toMatchObject({ code: "conflict" });
    expect(replaced.message).toContain("a newer invitation");
  });
});

describe("resend_invite", () => {
  test("creates a new link and invalidates the old one", async () => {
    const owner = await connect(testApp());
    const { id } = (await invite(owner, "bob@example.com")).invite;
    const oldToken = await tokenOf(testApp(), id);
    await age(id, "8 days");

    const answer = await owner.ok<Answer>("resend_invite", { invite_id: id });

    expect(answer).toMatchObject({
      invite: { id, status: "pending" },
      delivery_status: "queued",
      warnings: [expect.stringContaining("Email isn't set up")],
    });
    expect(Math.abs(Date.parse(answer.invite.expires_at) - Date.now() - week)).toBeLessThan(60_000);
    const token = await tokenOf(testApp(), id);
    expect([await isValid(oldToken), await isValid(token)]).toEqual([false, true]);
    const { invites } = await owner.ok<Listed>("list_invites");
    expect(invites).toEqual([expect.objectContaining({ id, status: "pending" })]);
  });

  test("allows the first immediately, then one a minute, five a day, even without limits", async () => {
    const owner = await connect(testApp());
    const { id } = (await invite(owner, "bob@example.com")).invite;
    const resend = { invite_id: id };
    const secondsOf = (message: string) =>
      Number(/^Too many requests: .*try again in (\d+) seconds\.$/.exec(message)?.[1]);

    await owner.ok("resend_invite", resend);
    const tooSoon = await owner.refused("resend_invite", resend);
    for (let count = 2; count <= 5; count += 1) {
      await age(id, "2 minutes");
      await owner.ok("resend_invite", resend);
    }
    await age(id, "2 minutes");
    const tooOften = await owner.refused("resend_invite", resend);
    await age(id, "23 hours 53 minutes");
    const afterADay = await owner.call("resend_invite", resend);

    expect(tooSoon.code).toBe("rate_limited");
    expect(secondsOf(tooSoon.message)).toBeGreaterThan(0);
    expect(secondsOf(tooSoon.message)).toBeLessThanOrEqual(60);
    expect(tooOften.code).toBe("rate_limited");
    expect(secondsOf(tooOften.message)).toBeGreaterThan(80_000);
    expect(afterADay.isError).toBeUndefined();
  });

  test("sends one of several simultaneous requests", async () => {
    const owner = await connect(testApp());
    const { id } = (await invite(owner, "bob@example.com")).invite;

    const results = await Promise.all(
      [1, 2, 3, 4].map(() => owner.call("resend_invite", { invite_id: id })),
    );

    expect(results.filter(({ isError }) => isError === undefined)).toHaveLength(1);
    expect(await mailsOf(testApp(), id)).toHaveLength(1);
  });

  test("rejects withdrawn and accepted invitations, in favor of a new one", async () => {
    const owner = await connect(testApp());
    const withdrawn = await invite(owner, "one@example.com");
    const accepted = await invite(owner, "two@example.com");
    await owner.ok("delete_invite", { invite_id: withdrawn.invite.id });
    await accept(accepted.invite.id);

    for (const { id } of [withdrawn.invite, accepted.invite]) {
      const refusal = await owner.refused("resend_invite", { invite_id: id });

      expect(refusal).toMatchObject({ code: "conflict", field: "invite_id" });
      expect(refusal.message).toMatch(/^Conflict: .+ Use create_invite /);
    }
  });

  test("is rejected if the person has become a member", async () => {
    const owner = await connect(testApp());
    const { id } = (await invite(owner, "late@example.com")).invite;
    const { organization } = owner.member;
    await connect(testApp(), { organization, role: "member", email: "late@example.com" });

    const refusal = await owner.refused("resend_invite", { invite_id: id });

    expect(refusal.code).toBe("already_member");
  });
});

describe("delete_invite", () => {
  test("returns the same result twice, and removes the email", async () => {
    const owner = await connect(testApp());
    const { id, email } = (await invite(owner, "bob@example.com")).invite;

    const first = await owner.ok("delete_invite", { invite_id: id });
    const second = await owner.ok("delete_invite", { invite_id: id });

    expect(first).toEqual({ invite: { id, email, status: "revoked" } });
    expect(second).toEqual(first);
    expect(await mailsOf(testApp(), id)).toEqual([]);
  });

  test("accepts an address for its open invitation, and rejects an ambiguous one", async () => {
    const owner = await connect(testApp());
    const email = "anna@example.com";
    const ids: string[] = [];
    for (const name of ["Lab", "Yard"]) {
      await owner.ok("create_workspace", { name });
      ids.push((await invite(owner, email, { workspace_id: name })).invite.id);
    }
    const [lab = "", yard = ""] = ids;

    for (const tool of ["delete_invite", "resend_invite"]) {
      expect(await owner.refused(tool, { invite_id: email })).toMatchObject({
        code: "validation_failed",
        field: "invite_id",
        message: `Validation failed: "${email}" has 2 open invitations: ${yard} ("Yard"), ${lab} ("Lab"). Give one of these ids as invite_id.`,
      });
    }
    await owner.ok("delete_invite", { invite_id: yard });
    for (const id of [lab, yard]) {
      expect(await owner.ok("delete_invite", { invite_id: email })).toMatchObject({
        invite: { id, status: "revoked" },
      });
    }
  });

  test("doesn't change an accepted invitation", async () => {
    const owner = await connect(testApp());
    const { id } = (await invite(owner, "bob@example.com")).invite;
    await accept(id);

    const refusal = await owner.refused("delete_invite", { invite_id: id });

    expect(refusal.code).toBe("conflict");
    expect(refusal.message).toMatch(/^Conflict: .+ was already accepted\. Use remove_user /);
  });

  test.each(["inv_0123456789ab", "bob@example.com"])("reports %j as not found", async (id) => {
    const owner = await connect(testApp());

    const refusal = await owner.refused("delete_invite", { invite_id: id });

    expect(refusal).toMatchObject({ code: "not_found", field: "invite_id" });
    expect(refusal.message).toMatch(/^Invite not found for "/);
  });

  test("names the expected id for an id of another type", async () => {
    const owner = await connect(testApp());

    const refusal = await owner.refused("delete_invite", { invite_id: "wsp_0123456789ab" });

    expect(refusal.message).toBe(
      'Validation failed: "wsp_0123456789ab" is a workspace id; invite_id needs an id starting with inv_.',
    );
  });
});
