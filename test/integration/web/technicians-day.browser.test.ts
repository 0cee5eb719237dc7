import type { Page } from "playwright-core";
import { afterEach, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aTeam, type Team } from "../../support/asset-pages.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { keepWork, openPhone, unplug } from "../../support/offline.js";
import { findProblems, openPage, views } from "../../support/pages.js";
import { aPhoto } from "../../support/pictures.js";
import { daysFromNow } from "../../support/tasks.js";

const current = useServer();
const chromium = useChromium();

const pressure = { label: "Pressure", unit: "bar", min: 1, max: 2, follow_up: "Replace valve" };
const doors = { label: "Doors close", kind: "pass_fail", out_of_service: true };

/** The jobs planned for the day, by asset. */
const jobs = {
  Boiler: { title: "Check the pressure", checklist: [{ ...pressure, required: true }] },
  Lift: { title: "Inspect the doors", checklist: [doors, "Clean the rail"] },
  Lamp: { title: "Change the lamp", checklist: [{ label: "New lamp", kind: "photo" }] },
  Crane: { title: "Check the rope", checklist: [{ label: "Rope play", unit: "mm", max: 5 }] },
  Fan: { title: "Grease the fan", checklist: ["Lock it", { label: "Remarks", kind: "text" }] },
  Filter: { title: "Clean the filter" },
  Drain: { title: "Clear the drain" },
  Engine: { title: "Read the hours", checklist: [{ label: "Hours", meter: "engine hours" }] },
  Roof: { title: "Seal the roof" },
} satisfies Record<string, Json>;
type Job = keyof typeof jobs;

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const notes = (page: Page) => page.getByLabel("What did you find, and what did you do?");
const bar = (page: Page) => page.locator(".offline-bar");
const photo = async (name: string) => ({ name, mimeType: "image/jpeg", buffer: await aPhoto() });

let plugIn = () => {};
afterEach(() => {
  plugIn();
});

/** Plans the day's work and returns the tasks' ids. */
async function plan(owner: Connected): Promise<Record<Job, string>> {
  const ids: Partial<Record<Job, string>> = {};
  for (const [name, fields] of Object.entries(jobs) as [Job, Json][]) {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name, workspace_id: "Plant" },
    });
    if (name === "Engine") {
      const meter_readings = { "engine hours": 1200 };
      await owner.ok("update_asset", { asset_id: asset.id, meter_readings });
    }
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{
        asset_id: asset.id,
        assigned_to_user_id: "Mo Member",
        due_date: daysFromNow(0),
        ...fields,
      },
    });
    ids[name] = task.id;
  }
  return ids as Record<Job, string>;
}

/** Labels a room and returns the label's address. */
async function labelRoom(team: Team): Promise<string> {
  const { db, app } = current();
  const { organizationId, workspaceId } = team.owner;
  await db.query("UPDATE organizations SET public_reports = true WHERE id = $1", [organizationId]);
  const pages = await signIn(app, team.owner);
  const action = `/workspaces/${workspaceId ?? ""}/labels`;
  await pages.submitForm(await pages.get(action), { locations: "Room 12" }, { action });
  const { code } = await db.one<{ code: string }>(
    "SELECT qr_token AS code FROM place_labels WHERE organization_id = $1",
    [organizationId],
  );
  return `/q/${code}/report`;
}

describe("a technician's day on a phone", () => {
  browserTest(
    "ten jobs, half without a network, with two failed steps, a contractor and a tenant",
    async () => {
      const team = await aTeam(current());
      const owner = await connect(current(), team.owner);
      const mo = await connect(current(), team.member);
      const tasks = await plan(owner);
      const room = await labelRoom(team);
      const { page, complaints, close } = await openPhone(chromium(), current(), team.member);
      const problems: Record<string, string[]> = {};
      const look = async (name: string, at = page) => {
        const found = [...(await findProblems(at)), ...complaints.splice(0)];
        if (found.length > 0) problems[name] = found;
      };
      const open = async (job: Job) => {
        await page.goto("/");
        await page.getByRole("link", { name: jobs[job].title }).first().click();
      };
      const startCompleting = () =>
        page.getByRole("link", { name: "Complete", exact: true }).click();
      const complete = async (note: string) => {
        await notes(page).fill(note);
        await press(page, "Complete task");
        await page.getByRole("status").getByText("completed").waitFor();
      };
      await look("home");

      // A step fails, and work follows.
      await open("Boiler");
      await press(page, "Start work");
      await startCompleting();
      await press(page, "Complete task");
      await page.getByText("A required step is open").first().waitFor();
      await page.getByLabel("Pressure").fill("2.6");
      await page.getByRole("button", { name: "5 minutes more" }).click();
      await look("a refused completion");
      await complete("Relief valve stays open.");
      await page.getByText("is above the limit").waitFor();
      await look("failed pressure");

      // Another step fails and takes the asset out of service.
      await page.getByRole("link", { name: /^Next:/ }).waitFor();
      await open("Lift");
      await page.getByText("Fail", { exact: true }).click();
      await page.getByLabel("Clean the rail").check();
      await press(page, "Save checklist");
      await page.getByText("Lift is now out of service.").waitFor();
      await look("failed doors");
      await startCompleting();
      await page.getByText("No", { exact: true }).click();
      await complete("The door drive is worn.");

      await open("Lamp");
      await startCompleting();
      await page.getByLabel("New lamp").setInputFiles(await photo("lamp.jpg"));
      await look("completion with a photo");
      await complete("Done.");

      // A contractor works on a job by link, and the technician approves it.
      await open("Crane");
      await page.goto(`/tasks/${tasks.Crane}/share`);
      await page.getByLabel("Contractor").fill("Lindqvist Lifts");
      await press(page, "Create link");
      const link = await page.locator("#address").inputValue();
      await look("a contractor's link");
      const contractor = await openPage(chromium(), current(), undefined, views[0]);
      await contractor.page.goto(new URL(link).pathname);
      await contractor.page.getByLabel("Rope play").fill("3");
      await contractor.page.getByLabel("Add photo").setInputFiles(await photo("rope.jpg"));
      await contractor.page.locator("#note").fill("Rope is good for a year.");
      await look("a contractor's job", contractor.page);
      await press(contractor.page, "Mark as done");
      await contractor.page.getByText("You marked this job as done").waitFor();
      await contractor.close();
      await page.goto("/");
      await page.getByRole("link", { name: jobs.Crane.title }).first().click();
      await page.getByText("Lindqvist Lifts says this is done").waitFor();
      await look("work to approve");
      await page.getByRole("link", { name: "Approve" }).click();
      expect(await notes(page).inputValue()).toBe("Rope is good for a year.");
      await press(page, "Complete task");
      await page.getByRole("status").getByText("completed").waitFor();

      // A tenant reports a tap, and the manager makes it a job for today.
      const tenant = await openPage(chromium(), current(), undefined, views[0]);
      await tenant.page.goto(room);
      await tenant.page.getByLabel("What is wrong?").fill("The tap drips");
      await tenant.page.getByText("Yes", { exact: true }).click();
      await look("a tenant's report", tenant.page);
      await press(tenant.page, "Send report");
      await tenant.page.getByText("Report sent. Thank you.").waitFor();
      await tenant.close();
      const report = await current().db.one<{ id: string }>(
        "SELECT id FROM problem_reports WHERE organization_id = $1",
        [team.owner.organizationId],
      );
      const manager = await openPage(chromium(), current(), team.owner, views[0]);
      await manager.page.goto(`/reports/${report.id}`);
      await manager.page.getByLabel("Assignee").selectOption(team.member.userId);
      await look("a report to decide", manager.page);
      await press(manager.page, "Accept");
      await manager.page.getByRole("status").waitFor();
      await manager.close();
      const { task_id: tap } = await current().db.one<{ task_id: string }>(
        "SELECT task_id FROM problem_reports WHERE id = $1",
        [report.id],
      );
      await page.goto(`/tasks/${tap}`);
      await page.getByRole("link", { name: "View report" }).waitFor();
      await startCompleting();
      await complete("New washer.");

      // Five jobs in the basement, without a network.
      await keepWork(page);
      await page.context().setOffline(true);
      plugIn = unplug(current());
      const saved = async (count: string) => bar(page).getByText(count).waitFor();
      await open("Fan");
      await page.getByLabel("Lock it").check();
      await page.getByLabel("Remarks").fill("Bearing is dry");
      await press(page, "Save checklist");
      await saved("1 change waits");
      await look("answers without a network");
      await page.goto(`/tasks/${tasks.Fan}/complete`);
      await notes(page).fill("Greased.");
      await press(page, "Complete task");
      await saved("2 changes wait");
      await page.goto(`/tasks/${tasks.Filter}`);
      await page.getByLabel("Comment", { exact: true }).fill("Torn, ordered a new one");
      await page.locator(".comment-form input[type=file]").setInputFiles(await photo("torn.jpg"));
      await press(page, "Comment");
      await saved("3 changes wait");
      await page.goto(`/tasks/${tasks.Filter}/complete`);
      await notes(page).fill("Cleaned.");
      await press(page, "Complete task");
      await saved("4 changes wait");
      await page.goto(`/tasks/${tasks.Drain}/hold`);
      await page.getByLabel("Why is it on hold?").fill("The key is missing");
      await press(page, "Put on hold");
      await saved("5 changes wait");
      await page.goto(`/tasks/${tasks.Engine}/complete`);
      await page.getByLabel("Hours").fill("1250");
      await press(page, "Complete task");
      await saved("6 changes wait");
      await page.goto(`/tasks/${tasks.Roof}/complete`);
      await notes(page).fill("Sealed.");
      await press(page, "Complete task");
      await saved("7 changes wait");
      const { code } = await current().db.one<{ code: string }>(
        "SELECT qr_token AS code FROM assets WHERE organization_id = $1 AND name = 'Drain'",
        [team.owner.organizationId],
      );
      await page.goto(`/q/${code}/report`);
      await page.getByLabel("What is wrong?").fill("The grate is loose");
      await page.getByText("Yes", { exact: true }).click();
      await look("a report without a network");
      await press(page, "Send report");
      await page.waitForURL("/offline");
      await saved("8 changes wait");
      await look("changes that wait");
      await owner.ok("update_maintenance_task", { task_id: tasks.Roof, priority: "high" });

      plugIn();
      await page.context().setOffline(false);
      await page.goto("/offline");
      await saved("1 change needs your decision.");
      await look("a change to decide");
      await page.getByRole("link", { name: "Open form with your input" }).click();
      await page.getByText("Your input is filled in again.").waitFor();
      await press(page, "Complete task");
      await page.getByRole("status").getByText("completed").waitFor();
      await page.goto("/offline");
      await page.getByText("No changes are waiting.").waitFor();
      await page.goto("/");
      await look("home in the evening");

      // Tools and pages say the same.
      const told: Record<string, unknown> = {};
      for (const [name, id] of Object.entries({ ...tasks, Tap: tap })) {
        const { task } = await mo.ok<{ task: Json & { state: string } }>("get_maintenance_task", {
          task_id: id,
        });
        await page.goto(`/tasks/${id}`);
        const words = task.state === "on_hold" ? "On hold" : "Completed";
        told[name] = [
          ...[task.state, task["completion_notes"] ?? null],
          await page.locator("main").getByText(words, { exact: true }).first().isVisible(),
        ];
      }
      expect(told).toEqual({
        Boiler: ["completed", "Relief valve stays open.", true],
        Lift: ["completed", "The door drive is worn.", true],
        Lamp: ["completed", "Done.", true],
        Crane: ["completed", "Rope is good for a year.", true],
        Fan: ["completed", "Greased.", true],
        Filter: ["completed", "Cleaned.", true],
        Drain: ["on_hold", null, true],
        Engine: ["completed", null, true],
        Roof: ["completed", "Sealed.", true],
        Tap: ["completed", "New washer.", true],
      });
      const count = async (sql: string) =>
        (
          await current().db.one<{ n: number }>(`SELECT count(*)::int AS n ${sql}`, [
            team.owner.organizationId,
          ])
        ).n;
      expect(await count("FROM files WHERE organization_id = $1")).toBe(3);
      expect(await count("FROM comments WHERE organization_id = $1 AND text IS NOT NULL")).toBe(3);
      expect(await count("FROM meter_readings WHERE organization_id = $1 AND value = 1250")).toBe(
        1,
      );
      const loose =
        "FROM problem_reports WHERE organization_id = $1 AND description LIKE '%loose%'";
      expect(await count(loose)).toBe(1);
      const follow =
        "FROM maintenance_tasks WHERE organization_id = $1 AND title = 'Replace valve'";
      expect(await count(follow)).toBe(1);
      expect(problems).toEqual({});
      await close();
    },
    600_000,
  );
});
