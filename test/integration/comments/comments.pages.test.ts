import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";

const current = useApp();
let owner: Connected;
let ana: TestBrowser;
let pavel: TestBrowser;
let viewer: TestBrowser;
let asset: string;
let task: string;

beforeAll(async () => {
  const { app, db } = current();
  owner = await connect(current(), { name: "Ana Keller", workspace: "Depot" });
  const { organization } = owner.member;
  const join = (more: object) =>
    aMember(db, { organization, role: "member", workspace: "Depot", ...more });
  const member: Member = await join({ name: "Pavel Dvorak" });
  ana = await signIn(app, owner.member);
  pavel = await signIn(app, member);
  viewer = await signIn(app, await join({ name: "Vic Viewer", workspaceRole: "viewer" }));
  const made = await owner.ok<{ asset: { id: string } }>("create_asset", {
    ...{ name: "Pump", workspace_id: "Depot" },
  });
  asset = made.asset.id;
  ({ id: task } = await aTask(db, owner.member, { asset_id: asset, title: "Grease" }));
});

async function say(by: TestBrowser, address: string, comment: string, photo?: Buffer) {
  const files = photo === undefined ? [] : [{ name: "leak.jpg", content: photo }];
  const path = `${address.split("?")[0] ?? ""}/comments`;
  return by.sendFiles(await by.get(address), path, files, { comment });
}

const linkIn = (body: string, comment: string, action: string) => {
  const item = body.split('<li id="cmt_').find((part) => part.includes(comment)) ?? "";
  return new RegExp(`/comments/cmt_\\w+/${action}`).exec(item)?.[0];
};

describe("comments on pages", () => {
  test("are added with a photo, which only the comment shows", async () => {
    const answer = await say(pavel, `/tasks/${task}`, "See the *leak*", await aPhoto());
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toMatch(new RegExp(`^/tasks/${task}#cmt_\\w{12}$`));

    const page = (await ana.get(`/tasks/${task}`)).body;
    expect(page).toMatch(/See the <em>leak<\/em>/);
    expect(page).toContain("leak.jpg");
    expect(page).toMatch(/Pavel Dvorak[^]*commented/);
    const told = await owner.ok<{ files?: unknown[]; comments: { files?: unknown[] }[] }>(
      "get_maintenance_task",
      { task_id: task },
    );
    expect(told.files ?? []).toEqual([]);
    expect(told.comments[0]?.files).toMatchObject([{ name: "leak.jpg", type: "image/jpeg" }]);
  });

  test("appear on the asset's work tab, to viewers without a form", async () => {
    const tab = `/assets/${asset}?tab=work`;
    expect((await say(pavel, tab, "It hums")).headers.location).toContain(`${tab}#cmt_`);
    const seen = (await viewer.get(tab)).body;
    expect(seen).toContain("It hums");
    expect(seen).not.toContain('name="comment"');
    const form = await ana.get(tab);
    const refused = await viewer.post(`/assets/${asset}/comments`, { comment: "No" });
    expect([refused.statusCode, form.statusCode]).toEqual([403, 200]);
  });

  test("show the latest on the asset's overview, with the way to the form", async () => {
    const address = `/assets/${asset}`;
    const add = `href="${address}/comments#comment"`;
    await owner.ok("update_asset", { asset_id: asset, comment: "Latest hum" });
    const page = (await ana.get(address)).body;
    const [comments = ""] = /<section class="comments"[^]*?<\/section>/.exec(page) ?? [];
    expect(comments).toContain("Latest hum");
    expect(comments).not.toContain("It hums");
    expect(comments).toContain("View all 2 comments");
    expect(comments).toContain(add);
    const seen = (await viewer.get(address)).body;
    expect(seen).toContain("View all 2 comments");
    expect(seen).not.toContain(add);
  });

  test("say which mention notified no one", async () => {
    await say(pavel, `/tasks/${task}`, "@Zed: see");
    expect((await pavel.get(`/tasks/${task}`)).body).toContain("No one here is named");
  });

  test("keep the input of a refused form", async () => {
    const empty = await say(pavel, `/tasks/${task}`, " ");
    expect([empty.statusCode, empty.body.includes("Write a comment.")]).toEqual([400, true]);
    const long = await say(pavel, `/tasks/${task}`, "y".repeat(4001));
    expect([long.statusCode, long.body.includes("y".repeat(4001))]).toEqual([400, true]);
  });

  test("are edited by the author and removed with a trace", async () => {
    await say(pavel, `/tasks/${task}`, "Tpyo here", await aPhoto());
    const page = (await pavel.get(`/tasks/${task}`)).body;
    const edit = linkIn(page, "Tpyo here", "edit") ?? "";
    await pavel.submitForm(await pavel.get(edit), { comment: "Typo here" });
    expect((await pavel.get(`/tasks/${task}`)).body).toMatch(/Typo here/);

    const seen = (await ana.get(`/tasks/${task}`)).body;
    expect(seen).toMatch(/edited <time/);
    expect(linkIn(seen, "Typo here", "edit")).toBeUndefined();
    const remove = linkIn(seen, "Typo here", "remove") ?? "";
    await ana.submitForm(await ana.get(remove), {});

    const after = (await pavel.get(`/tasks/${task}`)).body;
    expect(after).toMatch(/Comment removed by <bdi>Ana Keller<\/bdi>, <time/);
    expect(after).not.toMatch(/T(?:yp|py)o here/);
    expect(after).toContain("removed a comment");
    const [files] = await current().db.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM files WHERE organization_id = $1",
      [owner.member.organizationId],
    );
    expect(files?.count).toBe(1);
    expect((await pavel.get(remove)).statusCode).toBe(404);
  });

  test("are found by search, only where the person sees the subject", async () => {
    await say(ana, `/tasks/${task}`, "Ordered gasket 4711-B");
    const stranger = await signIn(
      current().app,
      await aMember(current().db, {
        ...{ organization: owner.member.organization, role: "member", workspace: "Other" },
      }),
    );
    expect((await viewer.get("/search?q=gasket")).body).toMatch(
      /id="found-comments"[^]*Ordered gasket 4711-B/,
    );
    expect((await stranger.get("/search?q=gasket")).body).not.toContain("4711-B");
    expect((await stranger.get(`/tasks/${task}/comments`)).statusCode).toBe(404);
  });

  test("are all on their own page", async () => {
    for (let n = 1; n <= 21; n += 1) {
      await owner.ok("update_asset", { asset_id: asset, comment: `Number ${n}.` });
    }
    const tab = (await ana.get(`/assets/${asset}?tab=work`)).body;
    expect(tab).not.toContain("Number 1.");
    expect(tab).toContain("View all 23 comments");
    const all = (await ana.get(`/assets/${asset}/comments`)).body;
    expect(all.indexOf("Number 1.")).toBeLessThan(all.indexOf("Number 21."));
  });
});

test("an undo of a call removes its comments", async () => {
  const { id: other } = await aTask(current().db, owner.member, { asset_id: asset, title: "Oil" });
  await owner.ok("update_maintenance_task", { task_ids: [task, other], comment: "Postponed" });
  const set = await current().db.maybe<{ id: string }>(
    "SELECT id FROM change_sets WHERE organization_id = $1 AND kind = 'call'",
    [owner.member.organizationId],
  );
  const plan = await ana.get(`/changes/${set?.id ?? ""}`);
  await press(ana, plan, "Undo");
  for (const id of [task, other]) {
    const page = (await ana.get(`/tasks/${id}`)).body;
    expect(page).not.toContain("Postponed");
    expect(page).toMatch(/Comment removed by <bdi>Ana Keller/);
  }
});

describe("putting a task on hold", () => {
  test("asks why, and undo takes the reason back", async () => {
    const page = await pavel.get(`/tasks/${task}`);
    expect(page.body).toContain(`href="/tasks/${task}/hold"`);
    const form = await pavel.get(`/tasks/${task}/hold`);
    await pavel.submitForm(form, { comment: "Waiting for @Ana" });

    const held = await pavel.get(`/tasks/${task}`);
    expect(held.body).toMatch(/put on hold/);
    expect(held.body).toContain("Waiting for @Ana Keller");
    await press(pavel, held, "Undo");
    const undone = (await pavel.get(`/tasks/${task}`)).body;
    expect(undone).not.toContain("Waiting for @Ana Keller");
    expect(undone).toMatch(/Comment removed by <bdi>Pavel Dvorak/);
  });
});
