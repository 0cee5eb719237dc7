import { beforeAll, describe, expect, test } from "vitest";
import { chooseNotifications } from "../../../server/src/domain/messaging/notification-choices.js";
import { queueNotedMails } from "../../../server/src/domain/messaging/notification-queue.js";
import { editComment, removeComment } from "../../../server/src/domain/comments/change-comments.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { unwrap } from "../../support/emails.js";
import { connect, type Connected } from "../../support/mcp.js";
import { notificationsIn } from "../../support/notifications.js";

interface Told {
  comments: { author: string; client?: string; text: string; edited_at?: string }[];
  comment_count?: number;
}

interface Event {
  type: string;
  note?: string;
  changes: { field: string; from?: string; to?: string }[];
}

const current = useApp();
const { mails, wait, send } = notificationsIn(current);

let owner: Connected;
let technician: Connected;
let viewer: Connected;
let asset: string;
let task: string;

const join = async (options: object): Promise<Connected> =>
  connect(current(), {
    member: await aMember(current().db, {
      organization: owner.member.organization,
      role: "member",
      workspace: "Depot",
      ...options,
    }),
  });

beforeAll(async () => {
  owner = await connect(current(), { name: "Ana Keller", workspace: "Depot" });
  technician = await join({ name: "Pavel Dvorak" });
  viewer = await join({ name: "Vic Viewer", workspaceRole: "viewer" });
  await join({ name: "Nora Elsewhere", workspace: "Other" });
  const made = await owner.ok<{ asset: { id: string } }>("create_asset", {
    ...{ name: "Pump", workspace_id: "Depot" },
  });
  asset = made.asset.id;
  const planned = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
    ...{ asset_id: asset, title: "Grease", assigned_to_user_id: technician.member.userId },
  });
  task = planned.task.id;
  await current().db.query("DELETE FROM notifications");
});

const comment = (by: Connected, text: string) =>
  by.ok("update_maintenance_task", { task_id: task, comment: text });
const told = () => owner.ok<Told>("get_maintenance_task", { task_id: task });
const idOf = async (text: string) =>
  (
    await current().db.maybe<{ id: string }>(
      "SELECT id FROM comments WHERE organization_id = $1 AND text = $2",
      [owner.member.organizationId, text],
    )
  )?.id ?? "";
const by = (member: Member) => toCaller(member, member === owner.member ? "owner" : "member");

async function mailsNow() {
  await wait();
  // Two nodes at once.
  const work = () => queueNotedMails(current().db, mails());
  await Promise.all([work(), work()]);
  return send();
}

describe("comments by tools", () => {
  test("appear with the record, in the history, and once for a repeated call", async () => {
    const before = await owner.ok<{ task: { version: number } }>("get_maintenance_task", {
      task_id: task,
    });
    const answer = await comment(technician, "The seal   leaks.\nOrdered one.");
    await comment(technician, "The seal   leaks.\nOrdered one.");
    await owner.ok("update_asset", { asset_id: asset, comment: "Louder than last week" });

    const ofTask = await told();
    const ofAsset = await owner.ok<Told>("get_asset", { asset_id: asset });
    const found = await owner.ok<{ events: Event[] }>("search_asset_history", {
      ...{ query: "seal leaks", field: "comment" },
    });

    expect(answer).toMatchObject({
      changed: [{ field: "comment" }],
      task: { version: before.task.version },
    });
    expect(ofTask.comment_count).toBe(1);
    expect(ofTask.comments).toMatchObject([
      { author: "Pavel Dvorak", text: "The seal   leaks.\nOrdered one." },
    ]);
    expect(ofAsset.comments.map(({ text }) => text)).toEqual(["Louder than last week"]);
    expect(found.events).toMatchObject([
      { type: "note_added", note: "The seal   leaks.\nOrdered one." },
    ]);
  });

  test("need text of a certain length and the right to change", async () => {
    const errors = await Promise.all([
      owner.refused("update_maintenance_task", { task_id: task, comment: "x".repeat(4001) }),
      viewer.refused("update_maintenance_task", { task_id: task, comment: "Hello" }),
      viewer.refused("update_asset", { asset_id: asset, comment: "Hello" }),
    ]);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining("4000") as string,
      expect.stringContaining("Depot") as string,
      expect.stringContaining("Depot") as string,
    ]);
  });

  test("are listed up to ten, newest first, with the number of all", async () => {
    const { asset: other } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Fan", workspace_id: "Depot" },
    });
    for (let n = 1; n <= 12; n += 1) {
      await owner.ok("update_asset", { asset_id: other.id, comment: `Number ${n}` });
    }
    const { comments, comment_count } = await owner.ok<Told>("get_asset", { asset_id: other.id });
    expect(comment_count).toBe(12);
    expect(comments.map(({ text }) => text)).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `Number ${n}`),
    );
  });
});

describe("edits and removals", () => {
  test("leave a trace, and a removed text is gone from the history too", async () => {
    const { db } = current();
    await comment(technician, "Secret gossip");
    const id = await idOf("Secret gossip");
    await db.transaction((tx) => editComment(tx, by(technician.member), id, "Secret rumour"));

    const [edited] = (await told()).comments;
    expect(edited).toMatchObject({ text: "Secret rumour" });
    expect(edited?.edited_at).toBeDefined();
    const search = () =>
      owner.ok<{ events: Event[] }>("search_asset_history", { task_id: task, limit: 3 });
    expect((await search()).events.map(({ note }) => note).slice(0, 2)).toEqual([
      "Secret rumour",
      "Secret gossip",
    ]);

    await db.transaction((tx) => removeComment(tx, by(owner.member), id));
    const { events } = await search();
    expect(events.map(({ note }) => note)).toEqual([undefined, undefined, undefined]);
    expect(events.map(({ changes }) => changes)).toEqual([
      [{ field: "comment", from: id }],
      [{ field: "comment", from: id, to: id }],
      [{ field: "comment", to: id }],
    ]);
    expect((await told()).comments.map(({ text }) => text)).not.toContain("Secret rumour");
    const left = await db.query("SELECT FROM history_events WHERE note LIKE '%Secret%'");
    expect(left).toEqual([]);
  });

  test("are refused for others, except removal by admins", async () => {
    const { db } = current();
    await comment(owner, "From the owner");
    await comment(technician, "From the technician");
    const [ofOwner, ofTechnician] = [
      await idOf("From the owner"),
      await idOf("From the technician"),
    ];
    const run = (change: typeof removeComment, member: Member, id: string) =>
      db.transaction((tx) => change(tx, by(member), id));
    const edit: typeof removeComment = (tx, caller, id) => editComment(tx, caller, id, "Changed");

    await expect(run(removeComment, technician.member, ofOwner)).rejects.toThrow();
    await expect(run(edit, technician.member, ofOwner)).rejects.toThrow();
    await expect(run(edit, owner.member, ofTechnician)).rejects.toThrow();
    await expect(run(removeComment, viewer.member, ofTechnician)).rejects.toThrow();
    await run(removeComment, owner.member, ofTechnician);
    await expect(run(removeComment, owner.member, ofTechnician)).rejects.toThrow();
  });
});

describe("mentions that notify no one", () => {
  test("are explained, with names that the author may see only", async () => {
    const warningsOf = async (by: Connected, text: string) =>
      (
        await by.ok<{ warnings?: string[] }>("update_maintenance_task", {
          task_id: task,
          comment: text,
        })
      ).warnings ?? [];
    await join({ name: "Vic Second" });

    expect(await warningsOf(owner, "@Nora, @Vic, @Zed and @Pavel: see")).toEqual([
      expect.stringMatching(/Nora Elsewhere.* can't see this task/),
      expect.stringMatching(/Vic.*: Vic Second, Vic Viewer\. .*full name/),
      expect.stringMatching(/^No one here is named .*Zed/),
    ]);
    expect(await warningsOf(technician, "@Nora: see")).toEqual([
      expect.stringMatching(/^No one here is named .*Nora/),
    ]);
    await current().db.query(
      "UPDATE organization_members SET removed_at = now() WHERE user_id = (SELECT id FROM users WHERE name = 'Vic Second')",
    );
    await current().db.query("DELETE FROM notifications");
  });
});

describe("comment email", () => {
  test("goes once to mentioned people who see the subject and to the assignee", async () => {
    const { db } = current();
    await db.query("DELETE FROM notifications");
    await comment(owner, "@Vic, @Nora and @Ana: waiting for parts");

    const sent = await mailsNow();
    expect(sent.map(({ to }) => to).toSorted()).toEqual(
      [technician.member.email, viewer.member.email].toSorted(),
    );
    expect(sent[0]?.subject).toMatch(/^Ana Keller commented on T-\d+ Grease$/);
    expect(unwrap(sent[0]?.text)).toContain(
      "@Vic Viewer, @Nora and @Ana Keller: waiting for parts",
    );
    expect(sent[0]?.text).toContain(`/tasks/${task}#cmt_`);

    const id = await idOf("@Vic Viewer, @Nora and @Ana Keller: waiting for parts");
    for (const text of ["No one", "@Vic Viewer again", "@Vic Viewer and again"]) {
      await db.transaction((tx) => editComment(tx, by(owner.member), id, text));
    }
    expect(await mailsNow()).toEqual([]);
  });

  test("combines comments, and skips removed ones and people who want none", async () => {
    const { db } = current();
    await comment(owner, "First @Vic");
    await comment(owner, "Second");
    await comment(owner, "Third");
    const removed = await idOf("Third");
    await db.transaction((tx) => removeComment(tx, by(owner.member), removed));
    const { organizationId, userId } = viewer.member;
    await db.transaction((tx) =>
      chooseNotifications(tx, { organizationId, userId }, "email", { comments: false }),
    );

    const [mail, ...others] = await mailsNow();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: technician.member.email, subject: "2 new comments" });
    expect(mail?.text).toContain("Second");
    expect(mail?.text).not.toContain("Third");
  });

  test("isn't sent for a person's own comment, or about what they no longer see", async () => {
    const { db } = current();
    await comment(technician, "My own @Pavel");
    expect(await mailsNow()).toEqual([]);
    await owner.ok("update_asset", { asset_id: asset, comment: "@Pavel look" });
    await owner.ok("update_asset", { asset_id: asset, workspace_id: "Other" });
    expect(await mailsNow()).toEqual([]);
    await owner.ok("update_asset", { asset_id: asset, workspace_id: "Depot" });
    await db.query("DELETE FROM notifications");
  });
});
