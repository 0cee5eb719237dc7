import { beforeEach, describe, expect, test } from "vitest";
import {
  createInvite,
  resendInvite,
  withdrawInvite,
} from "../../../server/src/domain/people/invites.js";
import { createWorkspace } from "../../../server/src/domain/organizations/workspaces.js";
import { AppError } from "../../../server/src/errors.js";
import { describeRefusalForAssistants } from "../../../server/src/mcp/refusals-for-assistants.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { createReplay, type Replay } from "../../support/replay.js";

const hour = 3600;
const start = Date.parse("2026-03-02T08:00:00Z");

describe("invitation emails from one organization to one address", () => {
  const testApp = useApp();
  let replay: Replay;

  beforeEach(async () => {
    replay = createReplay(testApp().db, await aMember(testApp().db));
  });

  const at = (seconds: number) => new Date(start + seconds * 1000);
  const invite = async (seconds: number, email = "bob@example.com", workspace?: string) => {
    const roles = { workspace_role: "member", organization_role: "member" } as const;
    const given = { email, ...roles, ...(workspace !== undefined && { workspace_id: workspace }) };
    const answer = await replay(at(seconds), (tx, caller) =>
      createInvite(tx, caller, given, testApp().app.services.mails),
    );
    return answer.invite.id;
  };
  const resend = (seconds: number, id: string) =>
    replay(at(seconds), (tx, caller) => resendInvite(tx, caller, id, testApp().app.services.mails));
  const withdraw = (seconds: number, id: string) =>
    replay(at(seconds), (tx, caller) => withdrawInvite(tx, caller, id));
  const refusal = async (call: Promise<unknown>) => {
    const error: unknown = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof AppError)) throw new Error("the call was not refused");
    return { code: error.code, message: describeRefusalForAssistants(error), field: error.field };
  };
  const waiting = (seconds: number, field: string) => ({
    code: "rate_limited",
    field,
    message: `Too many requests: an address can get at most 6 invitation emails a day; try again in ${seconds} seconds.`,
  });

  test("are limited to six a day, even after withdrawing and inviting again", async () => {
    for (let round = 0; round < 6; round += 1) {
      await withdraw(round * hour + 60, await invite(round * hour));
    }

    const seventh = await refusal(invite(6 * hour, "BOB@example.com"));
    const early = await refusal(invite(24 * hour - 1));
    await invite(6 * hour, "eve@example.com");
    const id = await invite(24 * hour);
    const again = await refusal(resend(24 * hour + 60, id));

    expect(seventh).toEqual(waiting(18 * hour, "email"));
    expect(early).toEqual(waiting(1, "email"));
    expect(again).toEqual(waiting(hour - 60, "invite_id"));
  });

  test("count across workspaces, with resent ones included", async () => {
    await replay(at(0), (tx, caller) => createWorkspace(tx, caller, { name: "Lab" }));
    const first = await invite(0);
    const second = await invite(10, "bob@example.com", "Lab");
    await resend(20, first);
    await resend(30, second);
    await resend(90, first);
    await resend(91, second);

    const resent = await refusal(resend(200, second));
    await withdraw(200, second);
    const made = await refusal(invite(200, "bob@example.com", "Lab"));

    expect(resent).toEqual(waiting(24 * hour - 200, "invite_id"));
    expect(made).toEqual(waiting(24 * hour - 200, "email"));
  });

  test("ignore invitations of other organizations", async () => {
    for (let round = 0; round < 6; round += 1) await withdraw(round, await invite(round));
    replay = createReplay(testApp().db, await aMember(testApp().db));

    await expect(invite(10)).resolves.toMatch(/^inv_/);
  });

  test("are limited to five hundred a day over all addresses", async () => {
    const first = await invite(0);
    await testApp().db.query(
      `INSERT INTO invites (id, organization_id, email, organization_role, token_hash, expires_at,
         last_sent_at, invited_by, created_at)
       SELECT i.id || n, i.organization_id, n || '@example.com', 'member', sha256((i.id || n)::bytea),
         i.expires_at, i.last_sent_at + n * interval '1 second', i.invited_by,
         i.created_at + n * interval '1 second'
       FROM invites i CROSS JOIN generate_series(1, 498) n WHERE i.id = $1`,
      [first],
    );
    const last = await invite(1000, "last@example.com");

    const made = await refusal(invite(1001, "more@example.com"));
    const resent = await refusal(resend(1001, last));

    const why = "an organization can send at most 500 invitation emails a day";
    expect(made).toEqual({
      code: "rate_limited",
      field: "email",
      message: `Too many requests: ${why}; try again in ${24 * hour - 1001} seconds.`,
    });
    expect(resent).toMatchObject({ code: "rate_limited", field: "invite_id" });
    await expect(invite(24 * hour, "more@example.com")).resolves.toMatch(/^inv_/);
  });
});
