import { beforeAll, describe, expect, test } from "vitest";
import { registeredTools } from "../../../server/src/mcp/registry.js";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { crawl, kindOf, type Answer } from "../../support/crawl.js";
import { addCrossings, hiddenNumbers } from "../../support/hidden-crossings.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { formsOf, sendForm, type PageForm } from "../../support/page-forms.js";
import { planTable } from "../../support/uploads.js";

/** Words in everything hidden: in another workspace, and in another organization. */
const vault = "zzvault";
const abroad = "zzabroad";
const hidden = new RegExp(`${vault}|${abroad}|${hiddenNumbers.source}`, "i");

/** Addresses that sign out or end data that others need. */
/** Where the organization allows reports by anyone, a label's code is enough to see its asset's name. */
const leftOut =
  /^\/(?:static|signout|sample|setup|organizations|q\/[^/]+\/report|settings\/(?:sessions|security|apps\/:id\/disconnect))/;

interface Furnished {
  ids: Record<string, string>;
  addresses: string[];
}

describe("people without access", () => {
  const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@acme.example" });
  let readers: Member[];
  /** Includes a person who lost their role in the workspace. */
  let everybody: Member[];
  let apps: Connected[];
  let pages: Map<string, Answer>;
  let ids: Record<string, string>;

  beforeAll(async () => {
    const { app, db } = current();
    const owner = await aMember(db, { organization: "Acme", name: "Olga", workspace: "Lab" });
    const join = { organization: "Acme", role: "member", workspace: "Lab" } as const;
    const member = await aMember(db, { ...join, name: "Mo", workspaceRole: "member" });
    const viewer = await aMember(db, { ...join, name: "Vic", workspaceRole: "viewer" });
    const stranger = await aMember(db, { organization: abroad, name: abroad, workspace: abroad });
    const inVault = await furnish(owner, vault);
    await aMember(db, { ...join, workspace: vault, name: vault, email: `${vault}@acme.example` });
    const inAbroad = await furnish(stranger, abroad);
    const { workspace = "", asset = "" } = inVault.ids;
    const hall = { word: vault, workspace, asset };
    const crossings = await addCrossings(current(), { owner, member }, hall);
    const { former } = crossings;
    readers = [member, viewer];
    everybody = [...readers, former];
    const byTools = [viewer, former];
    apps = await Promise.all(byTools.map((one) => connect(current(), { member: one })));
    const options = { each: 30, without: leftOut };
    const own = await crawl(
      await signIn(app, owner),
      ["/", ...inVault.addresses, ...crossings.addresses],
      options,
    );
    const others = await crawl(await signIn(app, stranger), ["/", ...inAbroad.addresses], options);
    pages = new Map([...own, ...others]);
    ids = { ...inVault.ids, ...crossings.ids, ...prefixed(inAbroad.ids) };
  });

  const prefixed = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).map(([name, id]) => [`other_${name}`, id]));

  /** A workspace with the word in every writable field. */
  async function furnish(owner: Member, word: string): Promise<Furnished> {
    const { app, db } = current();
    const tools = await connect(current(), { member: owner });
    const make = async (tool: string, args: Json) => {
      const answer = await tools.ok<Record<string, { id: string }>>(tool, args);
      return Object.values(answer)[0]?.id ?? "";
    };
    const workspace_id = await make("create_workspace", {
      ...{ name: `${word} hall`, description: word, address: word },
    });
    const texts = { manufacturer: word, model: word, serial_number: word, location: word };
    const asset = await make("create_asset", {
      ...{ ...texts, name: `${word} pump`, workspace_id, supplier: word, tags: [word] },
      ...{ description: word, cost_center: word, assigned_to_user_id: "me", purchase_cost: 7 },
    });
    const part = { name: `${word} valve`, workspace_id, parent_asset_id: asset };
    await make("create_asset", part);
    const gone = await make("create_asset", { ...part, name: `${word} gone` });
    await tools.ok("update_asset_state", {
      ...{ asset_id: gone, state: "deleted", reason: "sold", note: word },
    });
    await tools.ok("update_asset", { asset_id: asset, meter_readings: { km: 5 }, note: word });
    const work = { asset_id: asset, description: word, checklist: [word], priority: "urgent" };
    const task = await make("create_maintenance_task", {
      ...{ ...work, title: `${word} oil`, due_date: "2026-01-02", assigned_to_user_id: "me" },
    });
    const done = await make("create_maintenance_task", { ...work, title: `${word} done` });
    await tools.ok("update_maintenance_task", {
      ...{ task_id: done, state: "completed", completion_notes: word, labor_cost: 9 },
    });
    await make("create_maintenance_task", { workspace_id, title: `${word} sweep` });
    const invite = await make("create_invite", {
      ...{ email: `guest@${word}.example`, workspace_id, workspace_role: "member", message: word },
    });
    const browser = await signIn(app, owner);
    const addresses = await addByPages(browser, word, { workspace_id, asset, task });
    const row = await db.maybe<{ code: string }>(
      "SELECT qr_token AS code FROM assets WHERE id = $1",
      [asset],
    );
    const code = row?.code ?? "";
    const { userId: person } = owner;
    return {
      ids: { workspace: workspace_id, asset, gone, task, done, invite, person, code },
      addresses: [...addresses, `/assets/${asset}`, `/tasks/${task}`, `/q/${code}`],
    };
  }

  async function addByPages(browser: TestBrowser, word: string, of: Record<string, string>) {
    const { app } = current();
    const file = { field: "file", name: `${word}.txt`, content: word, type: "text/plain" };
    for (const page of [`/assets/${of["asset"]}`, `/tasks/${of["task"]}`]) {
      await browser.sendFiles(await browser.get(`${page}/files`), `${page}/files`, [file]);
    }
    const content = `NAME,WORKSPACE\n${word} crane,${word} hall\n${word} lift,${word} nowhere\n`;
    const plan = await planTable(app, browser, { name: `${word}.csv`, content, kind: "assets" });
    const apply = formsOf(plan).find(({ action }) => action.endsWith("/apply"));
    if (apply !== undefined) await sendForm(browser, apply);
    const webhook = { url: `https://${word}.example/told`, "task.created": "yes" };
    await browser.submitForm(await browser.get("/settings/webhooks/new"), webhook);
    const fields = { workspace_id: of["workspace_id"] ?? "" };
    const form = await browser.get("/rounds/new");
    const round = await browser.submitForm(form, fields, { action: "/rounds/new" });
    const address = String(round.headers.location);
    await browser.submitForm(await browser.get(address), { code: word }, { action: address });
    return [address, plan.raw.req.url ?? "", "/settings/webhooks", "/changes"];
  }

  /** All stored hidden data, including its rules and meters. */
  async function readHidden(): Promise<string> {
    const { db } = current();
    const isHidden = "t::text ~* 'zzvault|zzabroad'";
    const ofAssets = `t.asset_id IN (SELECT id FROM assets t WHERE ${isHidden})`;
    const ofTasks = `t.id IN (SELECT plan_id FROM maintenance_tasks t WHERE ${isHidden})`;
    const named = ["assets", "maintenance_tasks", "workspaces", "invites", "webhooks", "files"];
    const conditions = [
      ...[...named, "history_events", "task_checklist_items"].map((table) => [table, isHidden]),
      ...["meters", "asset_state_periods"].map((table) => [table, ofAssets]),
      ["maintenance_plans", ofTasks],
    ];
    const rows = await Promise.all(
      conditions.map(([table, condition]) =>
        db.query(
          `SELECT to_jsonb(t) - 'busy_until' AS row FROM ${table} t WHERE ${condition} ORDER BY 1`,
        ),
      ),
    );
    return JSON.stringify(rows);
  }

  /** With the text around, found in a second step: one pattern for both is slow on long pages. */
  function leaks(address: string, { body }: Pick<Answer, "body">): string[] {
    if (hidden.test(decodeURIComponent(address))) return [];
    const found = hidden.exec(body);
    return found === null ? [] : [body.slice(Math.max(found.index - 150, 0), found.index + 70)];
  }

  test("TEN-06 no page, file or search reveals hidden data at any address", async () => {
    const { app } = current();
    expect(pages.size).toBeGreaterThan(150);
    const shown = [...pages].filter(([address, page]) => leaks(address, page).length > 0);
    expect(shown.length).toBeGreaterThan(60);
    const found: Record<string, string[]> = {};
    for (const reader of everybody) {
      const browser = await signIn(app, reader);
      const each = reader.name === "Mo" ? 80 : 40;
      const seen = await crawl(browser, ["/", ...pages.keys()], { each, without: leftOut });
      for (const [address, page] of seen) {
        const words = leaks(address, page);
        if (words.length > 0) found[`${reader.name} at ${address}`] = words;
      }
    }
    expect(found).toEqual({});
  });

  test("TEN-07 no submitted form reveals or changes hidden data", async () => {
    const { app } = current();
    const before = await readHidden();
    const found: Record<string, string[]> = {};
    for (const reader of readers) {
      const browser = await signIn(app, reader);
      const tokens = await tokensOf(browser);
      const own = await crawl(browser, ["/", "/changes", "/reports"], {
        each: 8,
        without: leftOut,
      });
      for (const form of distinct([...pages.values(), ...own.values()].flatMap(formsOf))) {
        const answer = await sendAs(browser, form, tokens);
        const { location } = answer.headers;
        const isInside = typeof location === "string" && location.startsWith("/");
        const after = isInside ? await browser.get(location) : { body: "" };
        const words = [...leaks(form.action, answer), ...leaks(String(location), after)];
        if (words.length > 0) found[`${reader.name} to ${form.action}`] = words;
      }
    }
    expect(found).toEqual({});
    expect(await readHidden()).toBe(before);
  });

  /** One form of each kind for each hidden object. */
  function distinct(forms: readonly PageForm[]): PageForm[] {
    const all = forms.filter(({ action }) => !leftOut.test(kindOf(action)));
    return [
      ...new Map(
        all.map((form) => [`${form.action} ${Object.keys(form.fields).join()}`, form]),
      ).values(),
    ];
  }

  async function tokensOf(browser: TestBrowser): Promise<Record<string, string>> {
    const forms = formsOf(await browser.get("/settings/notifications"));
    const fields = forms.find((form) => "_organization" in form.fields)?.fields ?? {};
    const tokens = Object.entries(fields).filter(([name]) => name.startsWith("_"));
    expect(tokens.map(([name]) => name)).toContain("_csrf");
    return Object.fromEntries(tokens);
  }

  /** Submits with the sender's tokens and without the words. */
  function sendAs(
    browser: TestBrowser,
    form: PageForm,
    tokens: Record<string, string>,
  ): Promise<Answer> {
    const fields = Object.entries(form.fields).map(([name, value]): [string, string] => [
      name,
      hidden.test(value) ? "something" : value,
    ]);
    return sendForm(browser, { ...form, fields: { ...Object.fromEntries(fields), ...tokens } });
  }

  test("TEN-08 no tool reveals or changes hidden data for any arguments", async () => {
    const before = await readHidden();
    const found: Record<string, string> = {};
    for (const app of apps) {
      for (const [name, { inputSchema }] of registeredTools) {
        const properties = Object.keys(inputSchema.properties ?? {});
        for (const args of argumentsFor(properties)) {
          const { content } = await app.call(name, args);
          const text = content.map((block) => block.text).join();
          if (hidden.test(text)) found[`${app.member.name} ${name} ${JSON.stringify(args)}`] = text;
        }
      }
    }
    expect(found).toEqual({});
    expect(await readHidden()).toBe(before);
  });

  /** All combinations of a naming parameter and an id. */
  function argumentsFor(properties: readonly string[]): Json[] {
    const others: Json = {
      ...{ title: "Look", name: "New", state: "in_use", email: "new@acme.example", note: "Hello" },
      ...{ confirm_inventory_number: "1", asset_ids: Object.values(ids) },
    };
    const base = Object.fromEntries(
      Object.entries(others).filter(([name]) => properties.includes(name)),
    );
    const names = properties.filter((name) => /(?:_id|_by|workspace|asset|user)$/.test(name));
    const named = names.flatMap((name) =>
      Object.values(ids).map((id) => ({ ...base, [name]: id })),
    );
    const lists = ["all", "deleted", "completed"].map((state) => ({ state, limit: 100 }));
    const searches = ["pump", "oil", "hall", "valv"].map((query) => ({ query }));
    return [{}, base, ...named, ...lists, ...searches];
  }
});
