// @module-tag embedded

import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";
import { reportsIn, type Answer, type Scene } from "../../support/reports.js";
import { before } from "../../support/statements.js";

const current = useApp();
const { aScene, reportsOf, report, decide, stateOf } = reportsIn(current);

describe("a problem report at a label", () => {
  test("without an account, shows only the label's data and accepts a photo report", async () => {
    const scene = await aScene();
    const browser = createBrowser(current().app);

    const label = await browser.get(`/Q/${scene.code.toUpperCase()}`);
    const form = await browser.get(`/q/${scene.code}/report`);
    const sent = await report(
      browser,
      scene,
      { name: "Rita", email: "rita@example.com" },
      await aPhoto(),
    );
    const outcome = await browser.get(String(sent.headers.location));
    const events = await current().db.query<{
      type: string;
      source: string;
      actor_name: string;
      note: string | null;
    }>(
      `SELECT type, source, actor_name, note FROM history_events
         WHERE asset_id = $1 AND type <> 'asset_created' ORDER BY sequence`,
      [scene.asset.id],
    );

    expect(label.statusCode).toBe(200);
    for (const { body } of [label, form]) {
      expect(body).toContain("Air compressor");
      expect(body).not.toContain("Plant");
      expect(body).not.toContain("Olga Owner");
      expect(body).not.toContain(scene.asset.id);
    }
    expect(sent.statusCode).toBe(303);
    expect(outcome.body).toContain("Waiting for review.");
    expect(outcome.body).toContain("It leaks oil.");
    expect(outcome.body).toMatch(/Can it still be used\?.*No.*Photos<\/dt><dd>1</s);
    expect(outcome.body).not.toMatch(/rita@example\.com|\/files\/|\/assets\//);
    expect(await reportsOf(scene)).toMatchObject([
      { status: "open", state_before: "available", name: "Rita", email: "rita@example.com" },
    ]);
    expect(await stateOf(scene)).toBe("out_of_service");
    expect(events).toEqual([
      {
        ...{ type: "note_added", source: "public_scan" },
        actor_name: "Someone without an account",
        note: "Problem reported: It leaks oil.\nMuch of it.",
      },
      {
        ...{ type: "asset_state_changed", source: "public_scan" },
        ...{ actor_name: "Someone without an account", note: null },
      },
    ]);
    const gallery = (
      await (await signIn(current().app, scene.team.owner)).get(`/assets/${scene.asset.id}`)
    ).body;
    expect(gallery).not.toContain("leak.jpg");
  });

  test("the history shows the report text as typed, without links", async () => {
    const scene = await aScene();
    const description = "[Sign in again](https://other.example/signin) or https://other.example";
    await report(createBrowser(current().app), scene, { description });

    const member = await signIn(current().app, scene.team.member);
    for (const page of ["", "/history"]) {
      const { body } = await member.get(`/assets/${scene.asset.id}${page}`);

      expect(body).toContain(`Problem reported: ${description}`);
      expect(body).not.toContain('href="https://other.example');
    }
  });

  test("a member reports at a label of an organization that isn't their current one", async () => {
    const { app, db } = current();
    const scene = await aScene({ isPublic: false });
    const { member, workspaceId } = scene.team;
    // Changes the role. The check at commit uses the new one.
    await db.query(
      "UPDATE workspace_members SET role = 'admin' WHERE workspace_id = $1 AND user_id = $2",
      [workspaceId, member.userId],
    );
    await aMember(db, { organization: "A first one", email: member.email, role: "owner" });
    const browser = await signIn(app, member);
    expect((await browser.get("/")).body).toContain("A first one");

    const answer = await report(browser, scene);

    expect(answer.statusCode).toBe(303);
    expect(await reportsOf(scene)).toMatchObject([{ status: "open", name: null }]);
  });

  test("shows only the sign-in for unknown codes and organizations without public reports", async () => {
    const scene = await aScene({ isPublic: false });
    const browser = createBrowser(current().app);

    for (const code of [scene.code, "000000000000"]) {
      const label = await browser.get(`/q/${code}`);
      const form = await browser.get(`/q/${code}/report`);

      expect(label.statusCode).toBe(303);
      expect(label.headers.location).toMatch(/^\/signin\?next=/);
      expect(form.headers.location).toBe(`/q/${code}`);
    }
    const sent = await browser.post(`/q/${scene.code}/report`, { description: "x" });
    expect(sent.statusCode).toBe(403);
    expect(await reportsOf(scene)).toEqual([]);
  });

  test("members see their photo and the way back to the asset after reporting", async () => {
    const scene = await aScene();
    const member = await signIn(current().app, scene.team.member);
    const { headers } = await report(member, scene, { still_usable: "yes" }, await aPhoto());

    const { body } = await member.get(String(headers.location));

    expect(body).toMatch(/Can it still be used\?.*Yes.*Photos/s);
    const [, photo = ""] = /<img src="(\/files\/[^"]*)" alt="leak.jpg"/.exec(body) ?? [];
    expect((await member.get(photo)).statusCode).toBe(200);
    expect(body).toContain(`href="/assets/${scene.asset.id}">View asset`);
    const elsewhere = await signIn(current().app, scene.team.stranger);
    expect((await elsewhere.get(String(headers.location))).body).not.toMatch(
      /\/files\/|\/assets\/ast/,
    );
  });

  test("a viewer may always report, but not on a hidden asset", async () => {
    const scene = await aScene({ isPublic: false });
    const viewer = await signIn(current().app, scene.team.viewer);
    const stranger = await signIn(current().app, scene.team.stranger);

    const asset = (await viewer.get(`/assets/${scene.asset.id}`)).body;
    const sent = await report(viewer, scene, { still_usable: "yes" });
    const own = (await viewer.get("/reports")).body;
    const hidden = await stranger.get(`/q/${scene.code}/report`);

    expect(asset).toContain(`href="/q/${scene.code}/report"`);
    expect(sent.statusCode).toBe(303);
    expect(own).toContain("Your reports");
    expect(own).toContain("Waiting for review.");
    expect(own).not.toContain(">Create task<");
    expect(await stateOf(scene)).toBe("available");
    expect(hidden.statusCode).toBe(404);
    const [{ reported_by } = { reported_by: "" }] = await current().db.query<{
      reported_by: string;
    }>("SELECT reported_by FROM problem_reports WHERE organization_id = $1", [
      scene.team.owner.organizationId,
    ]);
    expect(reported_by).toBe(scene.team.viewer.userId);
  });

  test("a member reports from the asset's page, and the asset and the task show it", async () => {
    const scene = await aScene({ isPublic: false });
    const { member, viewer } = scene.team;
    const browser = await signIn(current().app, member);
    const asset = await browser.get(`/assets/${scene.asset.id}`);
    const scanned = await browser.get(`/assets/${scene.asset.id}?scanned=1`);
    const form = await browser.get(`/q/${scene.code}/report`);

    const sent = await report(browser, scene);
    const [{ id } = { id: "" }] = await reportsOf(scene);
    const open = (await browser.get(`/assets/${scene.asset.id}`)).body;
    const seen = (await (await signIn(current().app, viewer)).get(`/assets/${scene.asset.id}`))
      .body;
    await decide(scene.team.lead, id, { decision: "accept", title: "Seal the pump" });
    const [accepted] = await reportsOf(scene);
    const task = (await browser.get(`/tasks/${accepted?.task_id ?? ""}`)).body;
    const own = (await browser.get("/reports")).body;

    for (const { body } of [asset, scanned]) {
      expect(body).toContain(`href="/q/${scene.code}/report"`);
    }
    expect(form.body).not.toContain("Your name");
    expect(form.body).not.toContain('type="email"');
    expect((await browser.get(String(sent.headers.location))).body).toContain('href="/reports"');
    expect(open).toMatch(/Open reports[^]*It leaks oil\.[^]*Can't be used[^]*Mo Member/);
    expect(open).toContain(`href="/reports/${id}"`);
    expect(seen).toContain("Open reports");
    expect(seen).not.toContain(`href="/reports/${id}"`);
    expect(task).toMatch(/>Reported<[^]*Mo Member/);
    expect(task).toContain(`href="/reports/${id}"`);
    expect(own).toContain("Your report was accepted, and work is planned.");
    expect(own).toContain(`href="/tasks/${accepted?.task_id ?? ""}"`);
  });

  test("shows the name of a person without an account only to people who decide", async () => {
    const scene = await aScene();
    await report(createBrowser(current().app), scene, { name: "Rita" });
    const read = async (who: Member) =>
      (await (await signIn(current().app, who)).get(`/assets/${scene.asset.id}`)).body;

    expect(await read(scene.team.member)).toContain("Rita");
    expect(await read(scene.team.viewer)).not.toContain("Rita");
  });

  test("shows missing values at their field and keeps all typed text", async () => {
    const scene = await aScene();
    const browser = createBrowser(current().app);

    const empty = await report(browser, scene, {
      description: " ",
      still_usable: "",
      name: "Rita",
    });
    const badMail = await report(browser, scene, { email: "rita" });
    const badPhoto = await report(browser, scene, {}, Buffer.from("%PDF-1.7 x"));
    const program = await report(browser, scene, {}, Buffer.from("MZ\x90\0\x03\0\0\0"));

    expect(empty.statusCode).toBe(400);
    expect(empty.body).toContain("Describe the problem.");
    expect(empty.body).toContain("Choose whether it can still be used.");
    expect(empty.body).toContain('value="Rita"');
    expect(badMail.body).toContain("must be an address like name@example.com.");
    for (const { body } of [badPhoto, program]) {
      expect(body).toContain("isn't a photo. Nothing was saved. Send JPEG, PNG or WebP here.");
      expect(body).toContain('id="photo-error"');
    }
    expect(await reportsOf(scene)).toEqual([]);
    expect(await stateOf(scene)).toBe("available");
  });

  test("rejects bots that fill every field or submit without a valid form", async () => {
    const scene = await aScene();
    const browser = createBrowser(current().app);

    const trapped = await report(browser, scene, { website: "https://spam.example" });
    const unstamped = await report(browser, scene, { stamp: "x".repeat(60) });
    const otherScene = await aScene();
    const page = (await browser.get(`/q/${otherScene.code}/report`)).body;
    const stamp = /name="stamp" value="([^"]*)"/.exec(page)?.[1] ?? "";
    const ofOther = await report(browser, scene, { stamp });

    for (const answer of [trapped, unstamped, ofOther]) expect(answer.statusCode).toBe(400);
    expect(await reportsOf(scene)).toEqual([]);
  });

  const fill = ({ team, asset }: Scene, count: number) =>
    current().db.query(
      `INSERT INTO problem_reports (organization_id, id, asset_id, request_key, description, still_usable)
       SELECT $1, 'rep_' || lpad(n::text, 12, '0'), $2, n::text, 'x', true FROM generate_series(1, $3) n`,
      [team.owner.organizationId, asset.id, count],
    );

  test("OUT-09 a form submitted twice reports once, even for the last free slot", async () => {
    const scene = await aScene();
    await fill(scene, 19);
    const browser = createBrowser(current().app);
    const path = `/q/${scene.code}/report`;
    const page = await browser.get(path);
    const values = { description: "Twice", still_usable: "yes" };

    await browser.sendFiles(page, path, [], values);
    const again = await browser.sendFiles(page, path, [], values);

    expect(again.statusCode).toBe(303);
    expect(await reportsOf(scene)).toHaveLength(20);
  });

  test("OUT-10 a form submitted again with other content creates another report", async () => {
    const scene = await aScene();
    const browser = createBrowser(current().app);
    const path = `/q/${scene.code}/report`;
    const page = await browser.get(path);
    const values = { description: "It leaks.", still_usable: "yes" };
    const photo = { name: "image.jpg", content: await aPhoto() };

    const leak = await browser.sendFiles(page, path, [], values);
    const noise = await browser.sendFiles(page, path, [], { ...values, description: "It howls." });
    const shown = await browser.sendFiles(page, path, [photo], values);

    const outcomes = [leak, noise, shown].map(({ headers }) => headers.location);
    expect((await browser.get(String(outcomes[1]))).body).toContain("It howls.");
    expect(new Set(outcomes).size).toBe(3);
    expect(await reportsOf(scene)).toHaveLength(3);
  });

  test("limits open anonymous reports to twenty per asset", async () => {
    const scene = await aScene();
    await fill(scene, 20);

    const stranger = await report(createBrowser(current().app), scene);
    const member = await report(await signIn(current().app, scene.team.viewer), scene);

    expect(stranger.statusCode).toBe(400);
    expect(stranger.body).toContain("are waiting for review");
    expect(member.statusCode).toBe(303);
  });

  test("shows members only their reports on assets they can still see", async () => {
    const scene = await aScene();
    const { viewer, owner } = scene.team;
    const browser = await signIn(current().app, viewer);
    await report(browser, scene);

    const before = await browser.get("/reports");
    await current().db.query(
      "DELETE FROM workspace_members WHERE organization_id = $1 AND user_id = $2",
      [owner.organizationId, viewer.userId],
    );
    const after = await browser.get("/reports");

    expect(before.body).toContain("Air compressor");
    expect(after.body).not.toContain("Air compressor");
  });

  test("TEN-11 a member's link shows the outcome only while they can see the asset", async () => {
    const scene = await aScene();
    const { viewer, owner } = scene.team;
    const open = (sent: Answer) => createBrowser(current().app).get(String(sent.headers.location));
    const own = await report(await signIn(current().app, viewer), scene);
    const other = await report(createBrowser(current().app), scene);
    expect((await open(own)).body).toContain("Air compressor");

    await current().db.query(
      "DELETE FROM workspace_members WHERE organization_id = $1 AND user_id = $2",
      [owner.organizationId, viewer.userId],
    );
    const hidden = await open(own);

    expect([hidden.statusCode, (await open(other)).statusCode]).toEqual([404, 200]);
    expect(hidden.body).not.toContain("Air compressor");
  });

  // The embedded database runs one transaction at a time, so nothing is moved during one.
  test.runIf(inject("databaseUrl") !== null)(
    "rejects a member's report when the asset has just moved to a hidden workspace",
    async () => {
      const scene = await aScene({ isPublic: false });
      const { member, elsewhere } = scene.team;
      const browser = await signIn(current().app, member);
      onTestFinished(() => void vi.restoreAllMocks());
      before(/FROM assets[^"]* FOR NO KEY UPDATE/, 1, () =>
        current().db.query("UPDATE assets SET workspace_id = $2 WHERE id = $1", [
          scene.asset.id,
          elsewhere.workspaceId,
        ]),
      );

      const answer = await report(browser, scene);

      expect(answer.statusCode).toBe(404);
      expect(await reportsOf(scene)).toEqual([]);
      expect(await stateOf(scene)).toBe("available");
    },
  );

  test("rejects more photos than the form allows", async () => {
    const scene = await aScene();
    const photo = { name: "leak.jpg", content: await aPhoto() };
    const path = `/q/${scene.code}/report`;
    const browser = createBrowser(current().app);
    const fields = { description: "It leaks.", still_usable: "yes" };
    const send = async (photos: number) =>
      browser.sendFiles(
        await browser.get(path),
        path,
        Array.from({ length: photos }, () => photo),
        fields,
      );

    expect((await send(4)).statusCode).toBe(400);
    expect(await reportsOf(scene)).toEqual([]);
    expect((await send(3)).statusCode).toBe(303);
  });

  test("GRO-05 limits anonymous photos to a tenth of the organization's storage", async () => {
    const scene = await aScene();
    const asked = [scene.team.owner.organizationId, scene.asset.id];
    await current().db.query(
      `INSERT INTO files (organization_id, id, asset_id, name, type, size, storage)
       VALUES ($1, 'fil_000000000001', $2, 'a.jpg', 'image/jpeg', 600000000, 's3')`,
      asked,
    );

    const stranger = await report(createBrowser(current().app), scene, {}, await aPhoto());

    expect(stranger.statusCode).toBe(400);
    expect(stranger.body).toContain("are waiting for review");
  });
});

describe("report with photos", () => {
  test("LIM-61 doesn't delay reports without photos while photos are read and stored", async () => {
    const { app } = current();
    const [slow, quick] = [await aScene(), await aScene()];
    let finish = () => {};
    const put = vi.fn(
      () =>
        new Promise<void>((done) => {
          finish = done;
        }),
    );
    Object.assign(app.services.files, { objects: { put } });
    onTestFinished(() => {
      Object.assign(app.services.files, { objects: undefined });
    });

    const waiting = report(createBrowser(app), slow, {}, await aPhoto());
    await vi.waitUntil(() => put.mock.calls.length > 0, 60_000);
    const other = await report(createBrowser(app), quick);
    finish();

    expect(other.statusCode).toBe(303);
    expect((await waiting).statusCode).toBe(303);
  });
});

describe("report submitted faster than a person types", () => {
  const limited = useApp({ rateLimit: true });
  const others = reportsIn(limited);

  test("waits without delaying other organizations", async () => {
    const { app } = limited();
    const [hasty, patient] = [await others.aScene(), await others.aScene()];
    const fields = { description: "It leaks.", still_usable: "yes" };
    const open = async ({ code }: typeof hasty) => {
      const browser = createBrowser(app);
      const path = `/q/${code}/report`;
      const page = await browser.get(path);
      return async () => browser.sendFiles(page, path, [], fields);
    };
    const sendPatiently = await open(patient);
    await new Promise((done) => setTimeout(done, 2100));
    const sendHastily = await open(hasty);
    const stored: string[] = [];

    await Promise.all([
      sendHastily().then(({ statusCode }) => stored.push(`hasty ${statusCode}`)),
      sendPatiently().then(({ statusCode }) => stored.push(`patient ${statusCode}`)),
    ]);

    expect(stored).toEqual(["patient 303", "hasty 303"]);
  });

  test("counts toward its label in any letter case of the code", async () => {
    const { code } = await others.aScene();
    const browser = createBrowser(limited().app);
    const page = await browser.get(`/q/${code}/report`);
    const spelled = Array.from(code.matchAll(/[a-z]/g), ({ index }) =>
      code.replace(/./g, (sign, at) => (at === index ? sign.toUpperCase() : sign)),
    );
    const fields = { description: "It leaks.", still_usable: "yes" };

    const answers = await Promise.all(
      [code, code, code, code, code, code, spelled[0] ?? code].map(async (spelling) =>
        browser.sendFiles(page, `/q/${spelling}/report`, [], fields),
      ),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      ...Array.from({ length: 6 }, () => 303),
      429,
    ]);
  });
});
