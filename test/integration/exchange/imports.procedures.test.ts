import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { addProcedure } from "../../../server/src/domain/tasks/procedures.js";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { toCaller } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { readStrictCsv } from "../../support/strict-csv.js";
import type { CreatedTask } from "../../support/tasks.js";
import { planTable, pressImport } from "../../support/uploads.js";

const yearly = [{ label: "Pressure", unit: "bar", max: 6, required: true }, "Wipe"];

describe("procedures in files of tasks", () => {
  const current = useApp();
  let owner: Connected;
  let browser: TestBrowser;

  async function add(to: Connected, name: string, steps: typeof yearly) {
    const caller = toCaller(to.member);
    await commit({ db: current().db, caller }, (tx) => addProcedure(tx, caller, { name, steps }));
  }

  beforeAll(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
    await add(owner, "Yearly", yearly);
    await add(owner, "Monthly", ["Look", "Listen"]);
  });

  const taskOf = async (task_id: string, by = owner) =>
    (
      await by.ok<{ task: Json & { checklist?: { label: string }[] } }>("get_maintenance_task", {
        task_id,
      })
    ).task;
  const labelsOf = async (task_id: string, by = owner) =>
    ((await taskOf(task_id, by)).checklist ?? []).map(({ label }) => label);
  const aTask = async () =>
    (
      await owner.ok<CreatedTask>("create_maintenance_task", {
        ...{ workspace_id: "Lab", title: "Oil", procedure: "Yearly" },
      })
    ).task.id;
  const plan = (of: TestBrowser, content: string) =>
    planTable(current().app, of, { content, kind: "tasks", name: "tasks.csv" });

  test("is exported by name, and an import copies its steps, also for finished work", async () => {
    const sender = await connect(current());
    const from = await signIn(current().app, sender.member);
    const to = await connect(current());
    const into = await signIn(current().app, to.member);
    for (const one of [sender, to]) {
      await one.ok("create_workspace", { name: "Lab" });
      await add(one, "Yearly", yearly);
    }
    const create = (title: string, fields: Json) =>
      sender.ok("create_maintenance_task", { title, workspace_id: "Lab", ...fields });
    await create("Open", { procedure: "Yearly" });
    await create("None", { checklist: ["Not in the file"] });
    await create("Finished", { procedure: "Yearly" });
    await sender.ok("update_maintenance_task", {
      ...{ task_id: "T-3", checklist_answers: { 1: 3 }, state: "completed" },
    });
    const { body } = await from.get("/tasks.csv?state=all");
    const [headings = [], ...rows] = readStrictCsv(body);
    const at = headings.indexOf("Procedure");
    expect(rows.map((row) => row[at])).toEqual(["Yearly", "", "Yearly"]);

    const same = await plan(from, body);
    expect(same.body).toContain("0 new, 0 changed, 3 unchanged, 0 wrong");
    // Without their numbers, the tasks are new.
    const without = [headings, ...rows].map((row) => row.slice(1));
    const planned = await plan(into, without.map((row) => row.join(",")).join("\r\n"));
    expect(planned.body).toContain("3 new, 0 changed, 0 unchanged, 0 wrong");
    await pressImport(into, planned);
    for (const [task_id, state] of [
      ["T-1", "scheduled"],
      ["T-3", "completed"],
    ] as const) {
      const task = await taskOf(task_id, to);
      expect(task).toMatchObject({ state, procedure: "Yearly", procedure_version: 1 });
      expect(task.checklist).toMatchObject([{ label: "Pressure", unit: "bar" }, {}]);
    }
    expect(await labelsOf("T-2", to)).toEqual([]);
  });

  test("an unknown one is an error of its row, and another one replaces the steps", async () => {
    const id = await aTask();
    const done = await aTask();
    await owner.ok("update_maintenance_task", { task_id: done, checklist_tick: [2] });
    const [one, two] = [await taskOf(id), await taskOf(done)];
    const planned = await plan(
      browser,
      `Task number,Title,Workspace,Procedure\n${String(one["task_number"])},Oil,,monthly\n` +
        `${String(two["task_number"])},Oil,,Monthly\n,New,Lab,Weekly\n,Newer,Lab,MONTHLY\n`,
    );
    expect(planned.body).toContain("1 new, 1 changed, 0 unchanged, 2 wrong");
    expect(planned.body).toContain("There is no procedure");
    expect(planned.body).toContain("is already done, so the procedure can");
    await pressImport(browser, planned);
    expect(await labelsOf(id)).toEqual(["Look", "Listen"]);
    expect(await labelsOf(done)).toEqual(["Pressure", "Wipe"]);
  });
});
