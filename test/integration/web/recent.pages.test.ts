import { expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

const current = useApp();

const opened = (body: string) =>
  [...body.matchAll(/class="thing" href="([^"]*)"/g)].map(([, to]) => to);

test("Search lists what was opened last, once each and only while it is visible", async () => {
  const { organization } = (await connect(current(), { workspace: "Hall" })).member;
  const mia = await connect(current(), { organization, role: "member", workspace: "Hall" });
  const { asset } = await mia.ok<{ asset: { id: string } }>("create_asset", {
    ...{ name: "Pump", workspace_id: "Hall" },
  });
  const { task } = await mia.ok<{ task: { id: string } }>("create_maintenance_task", {
    ...{ title: "Grease", asset_id: asset.id },
  });
  const browser = await signIn(current().app, mia.member);
  expect((await browser.get("/search")).body).not.toContain("Recently opened");

  for (const address of [`/assets/${asset.id}`, `/tasks/${task.id}`, `/assets/${asset.id}`]) {
    await browser.get(address);
  }

  const { body } = await browser.get("/search");
  expect(body).toContain("Recently opened");
  expect(opened(body)).toEqual([`/assets/${asset.id}`, `/tasks/${task.id}`]);

  const leave = "DELETE FROM workspace_members WHERE user_id = $1";
  await current().db.query(leave, [mia.member.userId]);
  expect(opened((await browser.get("/search")).body)).toEqual([]);
});

test("Search keeps eight records, for one person in a browser", async () => {
  const owner = await connect(current());
  const assets = Array.from({ length: 9 }, (_, index) => ({ name: `Van ${index}` }));
  const made = await owner.ok<{ assets: { id: string }[] }>("create_asset", { assets });
  const browser = await signIn(current().app, owner.member);
  for (const { id } of made.assets) await browser.get(`/assets/${id}`);
  expect(opened((await browser.get("/search")).body)).toEqual(
    made.assets
      .slice(1)
      .map(({ id }) => `/assets/${id}`)
      .toReversed(),
  );

  const { organization } = owner.member;
  const colleague = await aMember(current().db, { organization, role: "admin" });
  const other = await signIn(current().app, colleague);
  const shared = browser.cookies.get("__Host-fettle-recent") ?? "";
  expect(shared).toContain(owner.member.userId);
  other.cookies.set("__Host-fettle-recent", shared);
  expect(opened((await other.get("/search")).body)).toEqual([]);
});
