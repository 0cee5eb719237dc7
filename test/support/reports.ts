import { expect } from "vitest";
import type { TestApp } from "./app.js";
import { aTeam, anAsset, readAsset, type Team } from "./asset-pages.js";
import type { TestBrowser } from "./browser.js";
import type { Member } from "./builders.js";
import { signIn } from "./oauth.js";

export type Answer = Awaited<ReturnType<TestBrowser["get"]>>;

export interface Scene {
  team: Team;
  asset: { id: string; name: string };
  /** The label's code. */
  code: string;
}

export interface Report {
  id: string;
  status: string;
  state_before: string | null;
  name: string | null;
  email: string | null;
  task_id: string | null;
}

export function reportsIn(current: () => TestApp) {
  /** An asset with a label. By default, anyone with the label may report in its organization. */
  async function aScene({ isPublic = true } = {}): Promise<Scene> {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    if (isPublic) {
      const browser = await signIn(current().app, team.owner);
      const page = await browser.get("/settings/organization");
      expect(page.body).toContain("Let anyone with a label report problems");
      const settings = { name: "Works", time_zone: "UTC", currency: "EUR", public_reports: "yes" };
      const saved = await browser.submitForm(page, settings);
      expect(saved.statusCode).toBe(303);
    }
    const code = String((await readAsset(current(), asset.id))?.["qr_token"]);
    return { team, asset, code };
  }

  function reportsOf({ team }: Scene): Promise<Report[]> {
    return current().db.query(
      `SELECT id, status, state_before, name, email::text AS email, task_id FROM problem_reports
     WHERE organization_id = $1 ORDER BY created_at, id`,
      [team.owner.organizationId],
    );
  }

  /** Submits the form of a label. The response redirects to the reporter's page. */
  async function report(
    browser: TestBrowser,
    { code }: Scene,
    fields: Record<string, string> = {},
    photo?: Buffer,
  ): Promise<Answer> {
    const path = `/q/${code}/report`;
    const page = await browser.get(path);
    const values = { description: "It leaks oil.\nMuch of it.", still_usable: "no", ...fields };
    const files = photo === undefined ? [] : [{ name: "leak.jpg", content: photo }];
    return browser.sendFiles(page, path, files, values);
  }

  async function decide(by: Member, id: string, fields: Record<string, string>): Promise<Answer> {
    const browser = await signIn(current().app, by);
    const page = await browser.get(`/reports/${id}`);
    return browser.submitForm(page, fields, { action: `/reports/${id}` });
  }

  const stateOf = async ({ asset }: Scene) => (await readAsset(current(), asset.id))?.["state"];

  return { aScene, reportsOf, report, decide, stateOf };
}
