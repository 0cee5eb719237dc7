import type { LightMyRequestResponse } from "fastify";
import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aTask } from "../../support/builders.js";
import { dayFromToday } from "../../support/replay.js";
import { anAsset, aTeam } from "../../support/asset-pages.js";
import type { TestBrowser } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import { formsOf } from "../../support/page-forms.js";
import { captureQueries } from "../../support/recorded-statements.js";

interface Sent {
  answer: LightMyRequestResponse;
  statements: string[];
}

/** Fills in and submits the form of a page. Returns the statements that were sent. */
async function send(
  browser: TestBrowser,
  address: string,
  fields: Record<string, string>,
  action = address,
): Promise<Sent> {
  const path = (url: string) => url.replace(/\?.*/, "");
  const form = formsOf(await browser.get(address)).find((one) => path(one.action) === path(action));
  if (form === undefined) throw new Error(`There is no form for ${action} at ${address}.`);
  let answer: LightMyRequestResponse | undefined;
  const queries = await captureQueries(async () => {
    answer = await browser.post(form.action, { ...form.fields, ...fields });
  });
  if (answer === undefined) throw new Error(`Nothing was answered at ${address}.`);
  return { answer, statements: queries.map(({ text }) => text) };
}

describe("statements of one form, with its transaction and session", () => {
  const current = useApp();

  test("are few for everyday changes", async () => {
    const team = await aTeam(current());
    const { id } = await anAsset(current(), team);
    const member = await signIn(current().app, team.lead);
    const owner = await signIn(current().app, team.owner);
    const tasks = await Promise.all(
      [1, 2].map(() =>
        aTask(current().db, team.owner, { asset_id: id, due_date: dayFromToday(1) }),
      ),
    );
    const [first = "", second = ""] = tasks.map((task) => task.id);
    const forms: [
      browser: TestBrowser,
      address: string,
      Record<string, string>,
      most: number,
      action?: string,
    ][] = [
      // A form that creates or can wait on a phone first stores its key, and last its result.
      [member, "/assets/new", { name: "Lathe" }, 12],
      [member, `/tasks/${first}/edit`, { due_date: dayFromToday(3) }, 14],
      [
        member,
        `/tasks/change?part=due&ids=${first}&ids=${second}`,
        { due_date: dayFromToday(5) },
        19,
      ],
      [member, `/tasks/${first}`, { state: "in_progress" }, 18, `/tasks/${first}/state`],
      [member, `/tasks/${first}/complete`, { completion_notes: "Done." }, 20],
      [member, `/assets/${id}/edit`, { location: "Hall 2" }, 11],
      [member, `/assets/${id}/state`, { state: "out_of_service" }, 11],
      [owner, "/settings/organization", { name: "Plant operators" }, 11],
      [member, "/settings", { name: "Lena Leader" }, 11],
      [member, `/tasks/new?asset=${id}`, { title: "Change the oil" }, 14],
      // Roles change one at a time per organization, with three locks.
      [
        owner,
        `/settings/members/${team.member.userId}/role?role=admin`,
        { organization_role: "admin" },
        17,
      ],
    ];
    for (const [browser, address, fields, most, action] of forms) {
      const { answer, statements } = await send(browser, address, fields, action);

      expect(answer.statusCode, address).toBe(303);
      expect(statements.length, `${address}\n${statements.join("\n")}`).toBeLessThanOrEqual(most);
    }
  });

  test("read each record once and don't count reports for a redirect", async () => {
    const team = await aTeam(current());
    const { id } = await anAsset(current(), team);
    const browser = await signIn(current().app, team.lead);
    const { statements } = await send(browser, `/assets/${id}/edit`, { location: "Hall 3" });

    expect(statements.filter((text) => text.includes("problem_reports"))).toEqual([]);
    expect(
      statements.filter((text) => /FROM organization_members m JOIN org/.test(text)),
    ).toHaveLength(1);
    expect(new Set(statements).size).toBe(statements.length);
  });

  test("count reports for the navigation of a rejected form", async () => {
    const team = await aTeam(current());
    const browser = await signIn(current().app, team.lead);
    const { answer, statements } = await send(browser, "/assets/new", { name: "" });

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('href="/reports"');
    expect(statements.filter((text) => text.includes("problem_reports"))).toHaveLength(1);
  });
});
