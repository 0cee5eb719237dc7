import { beforeAll, describe, expect, test } from "vitest";
import { allRows } from "../../support/all-rows.js";
import { useAudit } from "../../support/audit.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { noticesTo } from "../../support/mails.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";
import { shareTask } from "../../support/task-links.js";

type Row = Record<string, unknown>;

interface Job {
  sharer: Member;
  assetId: string;
  taskId: string;
  path: string;
  email: string;
}

const contractor = "Lindqvist Lifts";
const author = `${contractor} (contractor link)`;

describe("contractors' links in exports and erasures", () => {
  const audit = useAudit({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@acme.example" });
  const current = () => ({ ...audit.current(), config: audit.config });
  let owner: Connected;
  beforeAll(async () => {
    owner = await connect(current(), await aMember(current().db, { role: "owner" }));
    await owner.ok("create_workspace", { name: "Tower" });
  });

  const secretOf = ({ path }: Job) => path.slice("/job/".length);

  /** A job that a contractor marked as done, with an answer, a photo and a note. */
  async function aJob(name: string): Promise<Job> {
    const { app, db } = current();
    const { organization } = owner.member;
    const sharer = await aMember(db, { organization, role: "admin", name: `Zora ${name}` });
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: `Lift ${name}`, inventory_number: name, workspace_id: "Tower" },
    });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: asset.id, title: `Check ${name}` },
      checklist: ["Oil it", { label: "Rope play", kind: "number", unit: "mm" }],
    });
    const email = `${name.toLowerCase()}@lindqvist.example.com`;
    const path = await shareTask(await signIn(app, sharer), task.id, { email });
    const browser = createBrowser(app);
    const files = [{ name: "rope.jpg", content: await aPhoto() }];
    const fields = { send: "done", done: "1", "step-2": "3", note: `Rope of ${name} replaced` };
    await browser.sendFiles(await browser.get(path), path, files, fields);
    return { sharer, assetId: asset.id, taskId: task.id, path, email };
  }

  async function command(...args: string[]): Promise<string[]> {
    const { code, lines, errors } = await audit.command(args);
    expect(code, errors.join()).toBe(0);
    return lines;
  }
  const rowsOf = async (...args: string[]) =>
    (await command(...args)).map((line) => JSON.parse(line) as { table: string; row: Row });

  /** The tables whose rows contain a text. */
  async function tablesWith(text: string): Promise<string[]> {
    const rows = (await allRows(current().db)).filter((row) => row.includes(text));
    return [...new Set(rows.map((row) => row.slice(0, row.indexOf(" "))))].toSorted();
  }

  const readTask = async ({ taskId }: Job) =>
    owner.ok<{ task: Row; comments: Row[] }>("get_maintenance_task", { task_id: taskId });
  const contractorsWork = (name: string) => ({
    task: {
      done_by_contractor: contractor,
      checklist: [{ done: true }, { answer: "3", answered_by: author }],
    },
    comments: [{ author, text: `Rope of ${name} replaced` }],
  });

  test("an organization's export has the link and the contractor's work, and no secret", async () => {
    const job = await aJob("L1");
    const rows = await rowsOf("organization", "export", owner.member.organizationId);
    const of = (table: string, id: string, column = "task_id") =>
      rows.flatMap(({ table: name, row }) => (name === table && row[column] === id ? [row] : []));

    const [link = {}] = of("task_links", job.taskId);
    expect(link).toMatchObject({
      ...{ contractor, email: job.email, created_by: job.sharer.userId },
      done_note: "Rope of L1 replaced",
    });
    expect(link).not.toHaveProperty("token_hash");
    const task_link_id = link["id"];
    expect(of("task_checklist_items", job.taskId)).toMatchObject([
      { task_link_id, done_by: null, answer: null },
      { task_link_id, done_by: null, answer: "3" },
    ]);
    expect(of("comments", job.taskId)).toMatchObject([
      { task_link_id, created_by: null, text: "Rope of L1 replaced" },
    ]);
    const [file = {}] = of("files", job.taskId);
    expect(file).toMatchObject({ name: "rope.jpg", task_link_id, created_by: null });
    expect(of("file_pieces", String(file["id"]), "file_id")).not.toEqual([]);
    const changes = of("history_events", job.taskId).flatMap((event) =>
      event["client_name"] === author ? (event["changes"] as Row[]) : [],
    );
    expect(changes).toContainEqual({ field: "contractor_done", to: contractor });
    expect(JSON.stringify(rows)).not.toContain(secretOf(job));
  });

  test("erasing the person who shared ends the link and keeps the contractor's work", async () => {
    const { app } = current();
    const job = await aJob("L2");
    const pages = await signIn(app, owner.member);
    expect(
      (await rowsOf("person", "export", "--email", job.sharer.email)).map(({ table }) => table),
    ).toContain("task_links");

    await command("person", "erase", "--email", job.sharer.email, "--yes");

    expect(await tablesWith("Zora L2")).toEqual([]);
    expect((await createBrowser(app).get(job.path)).statusCode).toBe(404);
    expect(await readTask(job)).toMatchObject(contractorsWork("L2"));
    const { body } = await pages.get(`/tasks/${job.taskId}`);
    expect(body).toContain("Rope of L2 replaced");
    expect(body).toMatch(/Shared by .{0,60}Former member/);
    expect(body).toContain("can't edit the task");
  });

  test("erasing a contractor's address removes it and the emails to it", async () => {
    const job = await aJob("L3");
    expect(await noticesTo(current(), job.email)).toHaveLength(1);

    await command("person", "erase", "--email", job.email, "--yes");

    expect(await tablesWith(job.email)).toEqual([]);
    expect(await readTask(job)).toMatchObject(contractorsWork("L3"));
    expect((await createBrowser(current().app).get(job.path)).statusCode).toBe(200);
  });

  test("permanent deletion deletes the contractor's work, and nothing of other jobs", async () => {
    const { app } = current();
    const [job, other] = [await aJob("L4"), await aJob("L5")];
    expect(await tablesWith("L4 replaced")).toEqual(["comments", "history_events", "task_links"]);
    const [file] = await current().db.query<{ id: string }>(
      "SELECT id FROM files WHERE task_id = $1",
      [job.taskId],
    );

    const { assetId: asset_id } = job;
    await owner.ok("force_delete_asset", { asset_id, confirm_inventory_number: "L4" });

    expect(await tablesWith("L4 replaced")).toEqual([]);
    // Answers of repeated calls keep ids for a week.
    const ids = ["activity_log", "idempotency_records", "tool_call_log"];
    expect(
      [...(await tablesWith(file?.id ?? "")), ...(await tablesWith(job.taskId))].filter(
        (table) => !ids.includes(table),
      ),
    ).toEqual([]);
    expect((await createBrowser(app).get(job.path)).body).toContain("This link doesn't work");
    expect(await readTask(other)).toMatchObject(contractorsWork("L5"));
    expect((await createBrowser(app).get(other.path)).body).toContain("Rope of L5 replaced");
  });
});
