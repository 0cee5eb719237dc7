import { describe, expect, test, vi } from "vitest";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { erasePerson } from "../../../server/src/domain/people/person-erasure.js";
import { defaultRetention } from "../../../server/src/domain/shared/retention.js";
import { cleanUp } from "../../../server/src/housekeeping.js";
import { useApp } from "../../support/app.js";
import { anAsset, readAsset } from "../../support/asset-pages.js";
import { createBrowser } from "../../support/browser.js";
import { aTask, type Member } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";
import { reportsIn, type Answer } from "../../support/reports.js";
import { dayFromToday } from "../../support/replay.js";
import { before } from "../../support/statements.js";

const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@example.com" });
const { aScene, reportsOf, report, decide, stateOf } = reportsIn(current);

describe("report decisions", () => {
  test("accepting creates a task with the photo, clears the list and notifies the reporter", async () => {
    const scene = await aScene();
    const stranger = createBrowser(current().app);
    const sent = await report(stranger, scene, { email: "rita@example.com" }, await aPhoto());
    const [{ id } = { id: "" }] = await reportsOf(scene);
    const member = await signIn(current().app, scene.team.member);
    const list = (await member.get("/reports")).body;
    const one = (await member.get(`/reports/${id}`)).body;

    const answer = await decide(scene.team.member, id, {
      ...{ decision: "accept", title: "Seal the pump", priority: "urgent" },
      ...{ assigned_to_user_id: scene.team.member.userId, due_date: "2030-01-31" },
    });
    const [accepted] = await reportsOf(scene);
    const task = (await member.get(`/tasks/${accepted?.task_id ?? ""}`)).body;
    const outcome = (await stranger.get(String(sent.headers.location))).body;
    const after = (await member.get("/reports")).body;
    const mails = await current().db.query<{ recipient: string }>(
      "SELECT recipient::text FROM mail_outbox WHERE kind = 'report_closed'",
    );

    expect(list).toContain("1 open report");
    expect(list).toContain('<span class="count">1</span>');
    expect(list).toMatch(/<img class="picture" src="\/files\/\w+\/thumbnail"/);
    expect(list).toContain(`<a class="button" href="/reports/${id}">Create task…`);
    expect(list).toContain(`href="/reports/${id}#answer"`);
    expect(list).not.toContain("<textarea");
    expect(one).toContain('<h1 dir="auto">Report on Air compressor</h1>');
    expect(one).toContain("leak.jpg");
    expect(one).toContain('value="It leaks oil"');
    expect(answer.statusCode).toBe(303);
    expect(accepted?.status).toBe("accepted");
    expect(task).toContain("Seal the pump");
    expect(task).toContain("Much of it.");
    expect(task).toContain("Urgent");
    expect(task).toContain("31 Jan 2030");
    expect(task).toContain("leak.jpg");
    expect(outcome).toContain("Your report was accepted, and work is planned.");
    expect(after).toContain("No reports to review");
    expect(after).not.toContain('class="count"');
    expect(mails).toEqual([{ recipient: "rita@example.com" }]);
  });

  test("undoing an accepted report cancels the task and puts the report back to open", async () => {
    const scene = await aScene();
    const { app, db } = current();
    const stranger = createBrowser(app);
    const sent = await report(stranger, scene, {}, await aPhoto());
    const [{ id } = { id: "" }] = await reportsOf(scene);
    const member = await signIn(app, scene.team.member);
    await member.submitForm(
      await member.get(`/reports/${id}`),
      { decision: "accept", title: "Seal the pump" },
      { action: `/reports/${id}` },
    );
    const [accepted] = await reportsOf(scene);

    const after = await member.get("/reports");
    const [undo = ""] = /\/changes\/[^"/]+\/undo/.exec(after.body) ?? [];
    await member.submitForm(after, { from: "message" }, { action: undo });

    const tasks = await db.query<object>("SELECT id, state FROM maintenance_tasks WHERE id = $1", [
      accepted?.task_id,
    ]);
    const list = (await member.get("/reports")).body;
    expect(after.body).toContain("Task created from the report on Air compressor.");
    expect(tasks).toMatchObject([{ state: "cancelled" }]);
    expect(await reportsOf(scene)).toMatchObject([{ id, status: "open", task_id: null }]);
    expect(list).toContain("1 open report");
    expect(list).toMatch(/<img class="picture" src="\/files\/\w+\/thumbnail"/);
    expect((await stranger.get(String(sent.headers.location))).body).toContain(
      "Waiting for review.",
    );
    const again = await decide(scene.team.member, id, { decision: "answer", answer: "Thanks." });
    expect(again.statusCode).toBe(303);
  });

  test("keeps an accepted report whose task others have worked on", async () => {
    const scene = await aScene();
    await report(createBrowser(current().app), scene);
    await report(createBrowser(current().app), scene, { description: "It rattles." });
    const [first, second] = await reportsOf(scene);
    const member = await signIn(current().app, scene.team.member);
    await member.submitForm(
      await member.get(`/reports/${first?.id ?? ""}`),
      { decision: "accept", title: "Seal the pump" },
      { action: `/reports/${first?.id ?? ""}` },
    );
    const notice = await member.get("/reports");
    const [accepted] = await reportsOf(scene);
    const into = accepted?.task_id ?? "";
    await decide(scene.team.lead, second?.id ?? "", { decision: "merge", into });

    const [undo = ""] = /\/changes\/[^"/]+\/undo/.exec(notice.body) ?? [];
    await member.submitForm(notice, { from: "message" }, { action: undo });

    expect(await reportsOf(scene)).toMatchObject([
      { status: "accepted", task_id: into },
      { status: "merged", task_id: into },
    ]);
  });

  test("lists reviewed reports with the person and the task, for people who may decide", async () => {
    const scene = await aScene();
    for (const description of ["It leaks.", "It is blue.", "It is open."]) {
      await report(createBrowser(current().app), scene, { description });
    }
    const [first, second] = await reportsOf(scene);
    await decide(scene.team.member, first?.id ?? "", { decision: "accept", title: "Seal it" });
    await decide(scene.team.lead, second?.id ?? "", { decision: "refuse", reason: "It's paint." });
    const [accepted] = await reportsOf(scene);
    const read = async (who: Member) =>
      (await (await signIn(current().app, who)).get("/reports/reviewed")).body;
    const member = await signIn(current().app, scene.team.member);

    const list = await read(scene.team.member);

    expect((await member.get("/reports")).body).toContain('href="/reports/reviewed"');
    expect(list).toMatch(
      /It is blue\.[^]*Declined[^]*Lena Lead[^]*It leaks\.[^]*Accepted[^]*Mo Member/,
    );
    expect(list).toContain(`href="/tasks/${accepted?.task_id ?? ""}"`);
    expect(list).not.toContain("It is open.");
    for (const who of [scene.team.viewer, scene.team.elsewhere, scene.team.stranger]) {
      expect(await read(who)).not.toContain("It leaks.");
    }
    const one = (await member.get(`/reports/${second?.id ?? ""}`)).body;
    expect(one).toContain("Declined");
    expect(one).toContain("It's paint.");
  });

  test("filters reviewed reports by decision and by words, on every page", async () => {
    const scene = await aScene();
    for (const description of ["It leaks.", "It is blue."]) {
      await report(createBrowser(current().app), scene, { description });
    }
    const [first, second] = await reportsOf(scene);
    await decide(scene.team.member, first?.id ?? "", { decision: "accept", title: "Seal it" });
    await decide(scene.team.member, second?.id ?? "", {
      decision: "refuse",
      reason: "It's paint.",
    });
    const member = await signIn(current().app, scene.team.member);
    const found = async (query: string) => {
      const { body } = await member.get(`/reports/reviewed?${query}`);
      return ["It leaks.", "It is blue."].filter((one) => body.includes(one));
    };

    expect(await found("status=accepted")).toEqual(["It leaks."]);
    expect(await found("status=refused")).toEqual(["It is blue."]);
    expect(await found("q=LEAKS")).toEqual(["It leaks."]);
    const { name } = await current().db.one<{ name: string }>(
      `SELECT a.name FROM assets a JOIN problem_reports r ON r.organization_id = a.organization_id
         AND r.asset_id = a.id WHERE r.id = $1`,
      [first?.id],
    );
    const words = encodeURIComponent(`${name} blue`);
    expect(await found(`q=${words}`)).toEqual(["It is blue."]);
    expect(await found("q=%25")).toEqual([]);
    const none = (await member.get("/reports/reviewed?q=blue&status=accepted")).body;
    expect(none).toContain("No reports match");
    expect(none).toMatch(/href="\/reports\/reviewed"[^>]*>Clear filters/);
    expect(none).toMatch(/name="q" value="blue"/);
    const rest = await member.get(`/reports/reviewed?q=it&before=${second?.id ?? ""}`);
    expect(rest.body).toContain("It leaks.");
    expect(rest.body).not.toContain("It is blue.");
    expect(rest.body).toContain('href="/reports/reviewed?q=it"');
  });

  test("offers only assignees who can see the asset's workspace", async () => {
    const scene = await aScene();
    await report(createBrowser(current().app), scene);
    const [{ id } = { id: "" }] = await reportsOf(scene);
    const read = async (who: Member) =>
      (await (await signIn(current().app, who)).get(`/reports/${id}`)).body;

    const list = await read(scene.team.member);

    for (const name of ["Mo Member (you)", "Lena Lead", "Olga Owner"]) {
      expect(list).toContain(`>${name}</option>`);
    }
    const owned = await read(scene.team.owner);
    expect(owned).toContain(">Mo Member</option>");
    expect(owned).not.toContain("Eli Elsewhere");
  });

  test("shows each person's work of the week, and links to the reports beside it", async () => {
    const scene = await aScene();
    const { member, lead } = scene.team;
    for (const description of ["It leaks.", "It rattles.", "It howls."]) {
      await report(createBrowser(current().app), scene, { description });
    }
    const work = { asset_id: scene.asset.id, assigned_to_user_id: lead.userId };
    for (const due_date of [dayFromToday(-1), dayFromToday(6), dayFromToday(7)]) {
      await aTask(current().db, scene.team.owner, { ...work, due_date });
    }
    const [first, second, third] = await reportsOf(scene);

    const page = (await (await signIn(current().app, member)).get(`/reports/${second?.id ?? ""}`))
      .body;

    expect(page).toContain(">Lena Lead · 2 tasks this week</option>");
    expect(page).toContain(`href="/reports/${first?.id ?? ""}">Previous report<`);
    expect(page).toContain(`href="/reports/${third?.id ?? ""}">Next report<`);
  });

  test.each([
    ["The door sticks. We had to carry a pram.", "The door sticks"],
    ["Lift, e.g. the left one, rattles!", "Lift, e.g. the left one, rattles"],
    [
      "Somebodyelse has put a very long list of unrelated words in here which has no clause at all",
      "Somebodyelse has put a very long list of unrelated words in",
    ],
  ])("suggests the title of %j", async (description, title) => {
    const scene = await aScene();
    await report(createBrowser(current().app), scene, { description });
    const [{ id } = { id: "" }] = await reportsOf(scene);

    const list = (await (await signIn(current().app, scene.team.member)).get(`/reports/${id}`))
      .body;

    expect(list).toContain(`value="${title}"`);
  });

  test("ends the suggested title at a whole clause; the task keeps all text", async () => {
    const scene = await aScene();
    const browser = createBrowser(current().app);
    const line =
      "The door of the goods entrance hits the frame on the left, and does not close by itself";
    await report(browser, scene, { description: line });
    const member = await signIn(current().app, scene.team.member);

    const [{ id } = { id: "" }] = await reportsOf(scene);
    const list = (await member.get(`/reports/${id}`)).body;

    expect(list).toContain('value="The door of the goods entrance hits the frame on the left"');
    expect(list).not.toMatch(/name="title"[^>]*…/);
    await decide(scene.team.member, id, { decision: "accept", title: "Mend the door" });
    const [accepted] = await reportsOf(scene);
    expect((await member.get(`/tasks/${accepted?.task_id ?? ""}`)).body).toContain(line);
  });

  test("TEN-19 hides possible duplicates after the asset moves to a hidden workspace", async () => {
    const scene = await aScene();
    await report(createBrowser(current().app), scene);
    await report(createBrowser(current().app), scene, { description: "It rattles." });
    await aTask(current().db, scene.team.owner, { asset_id: scene.asset.id, title: "Seal it" });
    const [{ id } = { id: "" }] = await reportsOf(scene);
    const member = await signIn(current().app, scene.team.member);
    before(/SELECT t\.id, .*t\.title FROM maintenance_tasks t/, 1, async () => {
      vi.restoreAllMocks();
      await current().db.query("UPDATE assets SET workspace_id = $1 WHERE id = $2", [
        scene.team.elsewhere.workspaceId,
        scene.asset.id,
      ]);
    });

    const { body } = await member.get(`/reports/${id}`);

    expect(body).toContain("It leaks oil.");
    expect(body).not.toMatch(/Seal it|It rattles/);
  });

  test("refusing gives the reason and restores the asset's earlier state", async () => {
    const scene = await aScene();
    const stranger = createBrowser(current().app);
    const sent = await report(stranger, scene);
    const [{ id } = { id: "" }] = await reportsOf(scene);

    const empty = await decide(scene.team.member, id, { decision: "refuse", reason: " " });
    const done = await decide(scene.team.member, id, {
      ...{ decision: "refuse", reason: "It is condensation.", restore: "yes" },
    });
    const again = await signIn(current().app, scene.team.lead);
    const late = await again.submitForm(
      { ...(await again.get("/reports")), body: empty.body },
      { ...tokenOf(await again.get("/settings")), decision: "answer", answer: "Late." },
      { action: `/reports/${id}` },
    );
    const outcome = (await stranger.get(String(sent.headers.location))).body;

    expect(empty.statusCode).toBe(400);
    expect(empty.body).toContain("Explain why no work is needed.");
    expect(done.statusCode).toBe(303);
    expect(outcome).toContain("Your report was closed. No work is planned.");
    expect(outcome).toContain("It is condensation.");
    expect(await stateOf(scene)).toBe("available");
    expect(late.statusCode).toBe(400);
    expect(late.body).toContain("has already reviewed this report");
  });

  test("answering shows the answer to the reporter and keeps the asset's state by default", async () => {
    const scene = await aScene();
    const stranger = createBrowser(current().app);
    const sent = await report(stranger, scene);
    const [{ id } = { id: "" }] = await reportsOf(scene);

    await decide(scene.team.member, id, { decision: "answer", answer: "Turn the valve." });
    const outcome = (await stranger.get(String(sent.headers.location))).body;

    expect(outcome).toContain("Turn the valve.");
    expect(await stateOf(scene)).toBe("out_of_service");
  });

  test("merges into an open task, or into another report and shares its outcome", async () => {
    const scene = await aScene();
    const task = await aTask(current().db, scene.team.owner, {
      ...{ asset_id: scene.asset.id, title: "Seal it" },
    });
    const stranger = createBrowser(current().app);
    await report(stranger, scene, { description: "First" });
    const second = await report(stranger, scene, { description: "Second" });
    const [first, other] = await reportsOf(scene);
    const member = await signIn(current().app, scene.team.member);
    const page = await member.get(`/reports/${other?.id ?? ""}`);

    await member.submitForm(
      page,
      { decision: "merge", into: first?.id ?? "" },
      { action: `/reports/${other?.id ?? ""}` },
    );
    const wrong = await decide(scene.team.member, first?.id ?? "", {
      ...{ decision: "merge", into: "tsk_000000000000" },
    });
    await decide(scene.team.member, first?.id ?? "", { decision: "merge", into: task.id });
    const outcome = (await stranger.get(String(second.headers.location))).body;
    const history = (await member.get(`/tasks/${task.id}`)).body;

    expect(page.body).toContain("T-");
    expect(wrong.statusCode).toBe(400);
    expect(await reportsOf(scene)).toMatchObject([
      { status: "merged", task_id: task.id },
      { status: "merged", task_id: null },
    ]);
    expect(outcome).toContain("The problem was already known, and work is planned.");
    expect(history).toContain("Also reported: First");
  });

  test("refusing the later report of a merge can still restore the asset's state", async () => {
    const scene = await aScene();
    const stranger = createBrowser(current().app);
    await report(stranger, scene, { description: "First" });
    await report(stranger, scene, { description: "Second" });
    const [first, second] = await reportsOf(scene);

    await decide(scene.team.member, first?.id ?? "", {
      ...{ decision: "merge", into: second?.id ?? "" },
    });
    await decide(scene.team.member, second?.id ?? "", {
      ...{ decision: "refuse", reason: "It is condensation.", restore: "yes" },
    });

    expect(await stateOf(scene)).toBe("available");
  });

  test.each(["the asset of the work", "the asset that was reported"])(
    "TEN-14 keeps the report and photo of a moved task when %s is permanently deleted",
    async (which) => {
      const scene = await aScene();
      const { team, asset } = scene;
      await report(createBrowser(current().app), scene, {}, await aPhoto());
      const [{ id } = { id: "" }] = await reportsOf(scene);
      await decide(team.member, id, { decision: "accept", title: "Seal the pump" });
      const [accepted] = await reportsOf(scene);
      const taskId = accepted?.task_id ?? "";
      const other = await anAsset(current(), team, {
        ...{ name: "Spare", workspace_id: team.elsewhere.workspaceId },
      });
      const move = { task_id: taskId, asset_id: other.id };
      await (await connect(current(), { member: team.owner })).ok("update_maintenance_task", move);
      const isOfWork = which === "the asset of the work";
      const gone = isOfWork ? other : asset;
      const admin = await connect(current(), { member: isOfWork ? team.elsewhere : team.lead });
      const number = String((await readAsset(current(), gone.id))?.["inventory_number"]);

      const answer = await admin.ok("force_delete_asset", {
        ...{ asset_id: gone.id, confirm_inventory_number: number },
      });

      const files = await current().db.query<object>(
        "SELECT name, asset_id, task_id, report_id FROM files WHERE organization_id = $1",
        [team.owner.organizationId],
      );
      const photo = { name: "leak.jpg", asset_id: null, task_id: null, report_id: null };
      const left = isOfWork ? { asset_id: asset.id, report_id: id } : { task_id: taskId };
      expect(answer).toMatchObject({ files_removed: 0 });
      expect(files).toEqual([{ ...photo, ...left }]);
      expect(await reportsOf(scene)).toMatchObject(
        isOfWork ? [{ id, status: "accepted", task_id: null }] : [],
      );
    },
  );

  test("photos of merged reports count toward the task's limit, and extra ones stay behind", async () => {
    const scene = await aScene();
    const { db, app } = current();
    const { owner } = scene.team;
    const task = await aTask(db, owner, { asset_id: scene.asset.id, title: "Seal it" });
    await report(createBrowser(app), scene, {}, await aPhoto());
    const [{ id } = { id: "" }] = await reportsOf(scene);
    await db.query(
      `INSERT INTO files (organization_id, id, asset_id, report_id, name, type, size, storage)
       SELECT organization_id, 'fil_' || lpad(n::text, 12, '0'), asset_id, report_id, name, type, 1,
         storage FROM files, generate_series(1, 104) n WHERE organization_id = $1`,
      [owner.organizationId],
    );
    await decide(owner, id, { decision: "merge", into: task.id });
    const passed = await db.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM files WHERE organization_id = $1 AND task_id = $2",
      [owner.organizationId, task.id],
    );
    const browser = await signIn(app, owner);
    const content = await aPhoto();
    const added = await browser.sendFiles(
      await browser.get(`/tasks/${task.id}`),
      `/tasks/${task.id}/files`,
      [{ name: "one-more.jpg", content }],
    );

    expect(passed).toEqual([{ count: 100 }]);
    expect(added.statusCode).toBe(400);
    expect(added.body).toContain("100");
  });

  test("LIM-60 queues report emails per organization, at most 500 a day", async () => {
    const { db, app } = current();
    const scene = await aScene();
    const queue = (count: number) =>
      db.query(
        `INSERT INTO mail_outbox (kind, organization_id, recipient, status, next_attempt_at, sent_at)
         SELECT 'report_closed', $1, 'r' || n || '@example.com', 'sent', app_now(), app_now()
         FROM generate_series(1, $2) n`,
        [scene.team.owner.organizationId, count],
      );
    const answerOne = async (email: string) => {
      await report(createBrowser(app), scene, { email });
      const open = (await reportsOf(scene)).find(({ status }) => status === "open");
      await decide(scene.team.member, open?.id ?? "", { decision: "answer", answer: "Thanks." });
      const mails = await db.query<{ organization_id: string }>(
        "SELECT organization_id FROM mail_outbox WHERE recipient = $1",
        [email],
      );
      return mails;
    };
    const { organizationId: organization_id } = scene.team.owner;

    await queue(499);
    expect(await answerOne("last@example.org")).toEqual([{ organization_id }]);
    expect(await answerOne("late@example.org")).toEqual([]);
  });

  test("only people who may change the asset decide; viewers and others find nothing", async () => {
    const scene = await aScene();
    await report(createBrowser(current().app), scene);
    const [{ id } = { id: "" }] = await reportsOf(scene);
    const { viewer, elsewhere, stranger, lead, owner } = scene.team;
    const seen = async (who: Member) => {
      const browser = await signIn(current().app, who);
      const list = await browser.get("/reports");
      const one = await browser.get(`/reports/${id}`);
      return [
        list.body.includes("It leaks oil."),
        one.statusCode,
        list.body.includes('href="/reports"'),
      ];
    };

    expect(await seen(viewer)).toEqual([false, 404, false]);
    expect(await seen(elsewhere)).toEqual([false, 404, true]);
    expect(await seen(stranger)).toEqual([false, 404, true]);
    expect(await seen(lead)).toEqual([true, 200, true]);
    expect(await seen(owner)).toEqual([true, 200, true]);
  });

  test("an invalid report link is not found", async () => {
    const scene = await aScene();
    const sent = await report(createBrowser(current().app), scene);
    const address = String(sent.headers.location);
    const browser = createBrowser(current().app);

    expect((await browser.get(address)).statusCode).toBe(200);
    for (const wrong of [`${address.slice(0, -3)}AAA`, `/q/${scene.code}/report/x`]) {
      expect((await browser.get(wrong)).statusCode).toBe(404);
    }
  });

  test("erases an anonymous reporter after 90 days, and at once on request", async () => {
    const scene = await aScene();
    for (const email of ["old@example.com", "gone@example.com"]) {
      await report(createBrowser(current().app), scene, { name: "Rita", email });
    }
    await current().db.query(
      `UPDATE problem_reports SET status = 'refused', closed_at = app_now() - interval '91 days'
       WHERE email = 'old@example.com'`,
    );

    const erased = await commit({ db: current().db, caller: null }, (tx) =>
      erasePerson(tx, "gone@example.com", undefined),
    );
    const failed = vi.fn();
    await cleanUp(current().db, defaultRetention, current().app.services.auditSigner, {
      error: failed,
    });

    expect(erased?.removed).toBe(1);
    expect(failed).not.toHaveBeenCalled();
    expect(await reportsOf(scene)).toMatchObject([
      { name: null, email: null },
      { name: null, email: null },
    ]);
  });
});

function tokenOf({ body }: Answer): Record<string, string> {
  return { _csrf: /name="_csrf" value="([^"]*)"/.exec(body)?.[1] ?? "" };
}
