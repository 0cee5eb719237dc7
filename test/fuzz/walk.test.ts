import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { omit } from "../../server/src/domain/shared/omit.js";
import { registeredTools } from "../../server/src/mcp/registry.js";
import { rows } from "../matrix/rows.js";
import { aWorld, organizationOf, type World } from "../matrix/world.js";
import { useAudit } from "../support/audit.js";
import type { TestBrowser } from "../support/browser.js";
import { findBroken } from "../support/invariants.js";
import { connect, type Connected } from "../support/mcp.js";
import { signIn } from "../support/oauth.js";
import { formsOf, sendForm } from "../support/page-forms.js";
import { aPhoto } from "../support/pictures.js";
import { planTable } from "../support/uploads.js";
import { isLong, isReplayed, runs } from "./settings.js";
import { sendSomeForm } from "./walk-forms.js";
import { argumentsFor, Chance, type Known } from "./walk-values.js";

/** Steps per walk. Each walk begins with an organization that has one record of each kind. */
const stepsOfWalk = 200;

interface Walker {
  name: string;
  tools: Connected;
  pages: TestBrowser;
}

const step = fc.record({
  who: fc.constantFrom("owner", "owner", "lead", "mo", "mo", "viewer"),
  what: fc.constantFrom("tool", "tool", "tool", "tool", "page", "page", "import"),
  seed: fc.nat(2 ** 31 - 1),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Tools that change something are more frequent, destructive ones are rare. */
const tools = [...registeredTools.keys()].flatMap((name) => {
  if (/^(?:list|get|search|generate)_/.test(name)) return [name];
  if (/^(?:force_delete_asset|delete_workspace|remove_user)$/.test(name)) return [name, name];
  return Array<string>(/^(?:update|create_maintenance|create_asset)/.test(name) ? 8 : 3).fill(name);
});

const pages = [
  ...[
    "/",
    "/assets",
    "/assets/new",
    "/tasks",
    "/tasks/new",
    "/plan",
    "/reports",
    "/rounds",
    "/rounds/new",
  ],
  ...[
    "/assets/change",
    "/tasks/change",
    "/settings",
    "/settings/notifications",
    "/notifications",
    "/settings/organization",
  ],
  ...[
    "/settings/members/invite",
    "/settings/workspaces/new",
    "/settings/webhooks/new",
    "/trends",
    "/import",
  ],
  ...["/settings/notifications/calendar", "/settings/organization/export", "/labels/new"],
];

describe("a random walk", () => {
  const audit = useAudit({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@acme.example" });
  const current = () => ({ ...audit.current(), config: audit.config });

  test(
    "takes four people through all tools and forms without failures or inconsistencies",
    { timeout: isLong ? 0 : 600_000 },
    async () => {
      const photo = await aPhoto({ width: 60, height: 40 });
      const done: Record<string, number> = {};
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: stepsOfWalk, maxLength: stepsOfWalk }),
          async (steps) => {
            const { world, walkers } = await begin();
            const taken: string[] = [];
            for (const [index, next] of steps.entries()) {
              const said = await take(world, walkers, next, photo, taken);
              done[said] = (done[said] ?? 0) + 1;
              if (isReplayed || index === steps.length - 1) await check(world, taken);
            }
          },
        ),
        runs({ short: 2, long: 25, seed: 2026 }),
      );
      if (isLong) console.log(done);
      // A walk in which everything is refused is useless.
      const total = Object.values(done).reduce((sum, count) => sum + count, 0);
      const no = Object.entries(done).filter(([name]) => name.endsWith("refused"));
      const refused = no.reduce((sum, [, count]) => sum + count, 0);
      expect(refused / total).toBeLessThan(0.6);
    },
  );

  async function begin(): Promise<{ world: World; walkers: Record<string, Walker> }> {
    const world = await aWorld(current(), (args) => audit.command(args));
    // The walkers sign in without a second factor or an identity provider.
    const others = omit(rows, "ways to sign in", "an identity provider");
    for (const row of Object.values(others)) await row.hang(world);
    const enter = async (name: string, tools: Connected): Promise<Walker> => ({
      ...{ name, tools, pages: await signIn(current().app, tools.member) },
    });
    const walkers: Record<string, Walker> = {
      owner: { name: "owner", tools: world.app, pages: world.pages },
      mo: { name: "mo", tools: world.mo, pages: world.moPages },
      lead: await enter("lead", await connect(current(), { member: world.lead })),
      viewer: await enter("viewer", await connect(current(), { member: world.viewer })),
    };
    return { world, walkers };
  }

  async function check(world: World, taken: string[]): Promise<void> {
    const broken = await findBroken(current().db, organizationOf(world));
    if (broken.length > 0) fail(broken.join("\n"), taken);
  }

  function fail(problem: string, taken: string[]): never {
    throw new Error(
      `walk: ${problem}\nafter ${taken.length} steps, the last of them:\n${taken.slice(isReplayed ? -8 : -2).join("\n")}`,
    );
  }

  /** Returns the action that was taken, and whether it was refused. */
  async function take(
    world: World,
    walkers: Record<string, Walker>,
    { who, what, seed }: Step,
    photo: Buffer,
    taken: string[],
  ): Promise<string> {
    const walker = walkers[who];
    if (walker === undefined) throw new Error(`There is no ${who}.`);
    const chance = new Chance(seed);
    const known = await findKnown(world);
    if (what === "tool") return call(walker, chance, known, taken);
    if (what === "import" && chance.is(0.5)) return importSome(walker, chance, taken);
    return visit(walker, chance, known, photo, taken);
  }

  async function call({ name, tools: by }: Walker, chance: Chance, known: Known, taken: string[]) {
    const tool = chance.pick(tools);
    const args = argumentsFor(registeredTools.get(tool)?.inputSchema ?? {}, chance, known);
    taken.push(`${name}: ${tool} ${JSON.stringify(args)}`);
    try {
      const { isError, structuredContent } = await by.call(tool, args);
      const error = structuredContent["error"] as { code: string } | undefined;
      if (error?.code === "internal_error") fail(`${tool} fails`, taken);
      return `${tool}${isError === true ? " refused" : ""}`;
    } catch (error) {
      // The person was removed.
      if (/unauthorized|invalid_token|401/i.test(String(error))) return `${tool} refused`;
      throw new Error(`walk: ${String(error)}\n${taken.at(-1) ?? ""}`, { cause: error });
    }
  }

  async function visit(
    walker: Walker,
    chance: Chance,
    known: Known,
    photo: Buffer,
    taken: string[],
  ) {
    const address = chooseAddress(chance, known);
    const page = await walker.pages.get(address);
    taken.push(`${walker.name}: opens ${address}`);
    if (page.statusCode >= 500) fail(`${address} answers ${page.statusCode}`, taken);
    const sent = await sendSomeForm(walker.pages, page, chance, photo);
    if (sent === undefined) return "page";
    const { form, answer } = sent;
    taken.push(`${walker.name}: sends ${form.action} ${JSON.stringify(form.fields)}`);
    if (answer.statusCode >= 500 || answer.body.includes("Something went wrong")) {
      fail(`${form.action} answers ${answer.statusCode}`, taken);
    }
    const { location } = answer.headers;
    if (typeof location === "string" && location.startsWith("/")) {
      const { statusCode } = await walker.pages.get(location);
      if (statusCode >= 500) fail(`${location} answers ${statusCode}`, taken);
    }
    return `form${answer.statusCode >= 400 ? " refused" : ""}`;
  }

  /** Returns the address of a record or a list that has a form. */
  function chooseAddress(chance: Chance, known: Known): string {
    const asset = chance.pick(known.assets);
    const task = known.tasks.length === 0 ? "none" : chance.pick(known.tasks);
    const person = chance.pick(known.people).id;
    const workspace = known.workspaces.length === 0 ? "none" : chance.pick(known.workspaces).id;
    const ofAsset = [
      "",
      "?tab=readings",
      "?tab=files",
      "/edit",
      "/state",
      "/retire",
      "/restore",
      "/move",
      "/readings",
      "/meters/new",
      "/delete",
    ];
    const ofTask = ["", "", "/edit", "/complete", "/complete", "/cancel"];
    const ofMember = ["/role", "/access-end", "/add", `/workspaces/${workspace}`, "/release"];
    return chance.pick([
      ...Array<string>(3).fill(`/assets/${asset.id}${chance.pick(ofAsset)}`),
      ...Array<string>(3).fill(`/tasks/${task}${chance.pick(ofTask)}`),
      ...Array<string>(3).fill(chance.pick(pages)),
      ...[chance.pick(known.addresses), chance.pick(known.addresses)],
      `/q/${asset.code}/report`,
      `/settings/members/${person}${chance.pick(ofMember)}`,
      `/settings/workspaces/${workspace}`,
    ]);
  }

  /** Imports the export of a list with some cells swapped. */
  async function importSome({ name, pages: browser }: Walker, chance: Chance, taken: string[]) {
    const kind = chance.pick(["assets", "tasks"]);
    const file = await browser.get(`/${kind}.csv`);
    if (file.statusCode !== 200) return "import refused";
    const content = exchangeCells(file.body, chance);
    taken.push(`${name}: imports ${kind} ${content}`);
    try {
      const plan = await planTable(current().app, browser, { name: "list.csv", content, kind });
      const apply = formsOf(plan).find(({ action }) => action.endsWith("/apply"));
      if (plan.statusCode >= 500) fail("the plan of an import fails", taken);
      if (apply === undefined || chance.is(0.2)) return "import";
      const { statusCode } = await sendForm(browser, apply);
      if (statusCode >= 500) fail("an import fails", taken);
      return "import";
    } catch (error) {
      if (/expected 4\d\d to be 303|to be 303/.test(String(error))) return "import refused";
      throw error;
    }
  }

  async function findKnown(world: World): Promise<Known> {
    const { db } = current();
    const id = organizationOf(world);
    const [assets, tasks, workspaces, people, invites, others] = await Promise.all([
      db.query<Known["assets"][number]>(
        `SELECT id, inventory_number AS number, qr_token AS code FROM assets
         WHERE organization_id = $1 ORDER BY created_at, inventory_number`,
        [id],
      ),
      db.query<{ id: string }>(
        "SELECT id FROM maintenance_tasks WHERE organization_id = $1 ORDER BY task_number",
        [id],
      ),
      db.query<Known["workspaces"][number]>(
        "SELECT id, name FROM workspaces WHERE organization_id = $1 ORDER BY created_at, name",
        [id],
      ),
      db.query<Known["people"][number]>(
        `SELECT u.id, u.email::text AS email FROM organization_members m JOIN users u ON u.id = m.user_id
         WHERE m.organization_id = $1 ORDER BY m.joined_at, u.email`,
        [id],
      ),
      db.query<{ id: string }>(
        "SELECT id FROM invites WHERE organization_id = $1 ORDER BY created_at",
        [id],
      ),
      db.query<{ address: string }>(
        `SELECT address FROM (
           SELECT '/changes/' || id AS address, created_at FROM change_sets
             WHERE organization_id = $1 AND kind <> 'import'
           UNION ALL SELECT '/import/' || id, created_at FROM change_sets
             WHERE organization_id = $1 AND kind = 'import'
           UNION ALL SELECT '/rounds/' || id, started_at FROM rounds WHERE organization_id = $1
           UNION ALL SELECT '/reports/' || id, created_at FROM problem_reports WHERE organization_id = $1
           UNION ALL SELECT '/settings/webhooks/' || id, created_at FROM webhooks WHERE organization_id = $1
           UNION ALL SELECT '/settings/apps/' || id || '/undo?span=hour', created_at
             FROM oauth_connections WHERE organization_id = $1 AND client_id = 'matrix-app'
           UNION ALL SELECT '/assets/' || asset_id || '/meters/' || id, created_at FROM meters
             WHERE organization_id = $1) a ORDER BY created_at, left(address, 9)`,
        [id],
      ),
    ]);
    return {
      ...{ assets, workspaces, people, tasks: tasks.map(({ id: task }) => task) },
      invites: invites.map(({ id: invite }) => invite),
      addresses: others.map(({ address }) => address),
    };
  }
});

function exchangeCells(table: string, chance: Chance): string {
  const [heading = "", ...lines] = table.split("\r\n");
  const some = lines.filter(() => chance.is(0.4)).map((line) => line.split(","));
  for (const cells of some) {
    const [from, to] = [chance.integer(0, cells.length - 1), chance.integer(1, cells.length - 1)];
    cells[to] = chance.is(0.5) ? (chance.pick(some)[to] ?? "") : (cells[from] ?? "");
  }
  return [heading, ...some.map((cells) => cells.join(","))].join("\n");
}
