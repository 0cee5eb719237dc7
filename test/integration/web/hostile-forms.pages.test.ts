import { beforeAll, describe, expect, test } from "vitest";
import { rows } from "../../matrix/rows.js";
import { aWorld, codeOf, organizationOf, type World } from "../../matrix/world.js";
import { useApp } from "../../support/app.js";
import { toCookieHeader } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import { routesOf } from "../../support/routes.js";

/** Addresses that no page's form uses. */
const noForms: Record<string, string> = {
  "/mcp": "Calls of apps.",
  "/mcp*": "Nothing is there.",
  "/oauth/token": "Asked by apps.",
  "/oauth/revoke": "Asked by apps.",
  "/oauth/register": "Asked by apps.",
  "/oauth/authorize": "Opened by apps, and refuses forms.",
  "/.well-known/oauth-authorization-server": "Read by apps.",
  "/.well-known/oauth-protected-resource": "Read by apps.",
  "/.well-known/oauth-protected-resource/mcp": "Read by apps.",
  "/rounds/:id/queue": "Sent by a script, which reads JSON.",
  "/unsubscribe/:token": "Sent by email programs, without a session.",
  "/signout": "Ends the session that the others are sent with.",
};

/** Addresses where the person finds no form. The test posts there anyway. */
const notFound: Record<string, string> = {
  "/organizations": "The person is in one organization.",
  "/confirm/:id": "Another person is asked.",
  "/setup": "The server is set up.",
  "/signup/confirm/:token": "The address is in an email.",
  "/password/reset/:token": "The address is in an email.",
  "/invites/:token": "The address is in an email.",
  "/job/:token": "The address is shown once.",
};

/** Tables of the objects in addresses. */
const named: Record<string, string> = {
  ...{ tasks: "maintenance_tasks", files: "files", reports: "problem_reports", rounds: "rounds" },
  ...{
    comments: "comments",
    workspaces: "workspaces",
    changes: "change_sets",
    import: "change_sets",
    confirm: "confirmations",
  },
  ...{ "settings/webhooks": "webhooks", "settings/procedures": "procedures" },
  ...{ "settings/apps": "oauth_connections" },
  "settings/members/invitations": "invites",
};

const allowed = [200, 303, 400, 403, 404, 409, 410, 429];

describe("forged forms", () => {
  const current = useApp({
    ...{ signup: "open", smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@acme.example" },
  });
  let world: World;

  beforeAll(async () => {
    world = await aWorld(current(), () => Promise.reject(new Error("no command is run")));
    for (const name of [
      ...["photo", "reading", "a report", "an open round", "an invitation", "a webhook"],
      ...["a pending import", "a question", "an identity provider", "comments"],
      ...["reports on a place", "a contractor's link", "work by a procedure"],
    ]) {
      await rows[name]?.hang(world);
    }
  });

  /** Fills an address with existing ids. */
  async function fill(path: string): Promise<string> {
    const { mo, office, owner, plant, pump } = world;
    const [, list = ""] = /^\/(.*?)\/:id/.exec(path) ?? [];
    return path
      .replace("members/:id", `members/${mo.member.userId}`)
      .replace("workspaces/:workspace", `workspaces/${plant}`)
      .replace("settings/workspaces/:id", `settings/workspaces/${office}`)
      .replace("assets/:id", `assets/${pump}`)
      .replace(":meter", await idOf("meters"))
      .replace(
        "comments/:id",
        `comments/${await idOf("comments", "created_by", owner.member.userId)}`,
      )
      .replace("links/:link", `links/${await idOf("task_links")}`)
      .replace("tasks/:id", `tasks/${await idOf("task_links", undefined, undefined, "task_id")}`)
      .replace("labels/:label", `labels/${await idOf("place_labels")}`)
      .replace(":domain", `of-${mo.member.userId}`)
      .replace(":code", await codeOf(world, pump))
      .replace(":id", named[list] === undefined ? "none" : await idOf(named[list]))
      .replace(/:\w+/, "none");
  }

  async function idOf(
    table: string,
    column = "organization_id",
    value?: string,
    name = "id",
  ): Promise<string> {
    const found = await current().db.query<{ id: string }>(
      `SELECT ${name} AS id FROM ${table} WHERE organization_id = $1 AND ${column} = $2 LIMIT 1`,
      [organizationOf(world), value ?? organizationOf(world)],
    );
    return found[0]?.id ?? "none";
  }

  const long = "k".repeat(10_000);
  const bodies: [string, string][] = [
    ["an enormous key", `request_key=${long}`],
    ["a key with a zero byte", "request_key=a%00b"],
    [
      "every field twice",
      "request_key=a&request_key=b&name=a&name=b&email=a&email=b&role=a&role=b&expected_version=1&expected_version=2&_organization=a&_organization=b",
    ],
    [
      "names of what every object has",
      "__proto__=x&constructor=x&toString=x&hasOwnProperty=x&__proto__[role]=owner",
    ],
    ["enormous texts", `name=${long}&email=${long}&title=${long}&organization_role=${long}`],
    ["zero bytes", "name=a%00b&email=a%00@example.com&title=a%00b&workspace_id=%00&asset_id=%00"],
  ];

  test("are rejected or ignored on every form route, without a server error", async () => {
    const { app } = current();
    const browser = await signIn(app, world.owner.member);
    const csrf = /name="_csrf" value="([^"]*)"/.exec((await browser.get("/settings")).body)?.[1];
    const paths = routesOf(app)
      .filter(({ methods }) => methods.includes("POST"))
      .map(({ path }) => path);
    expect(
      Object.keys({ ...noForms, ...notFound }).filter((path) => !paths.includes(path)),
    ).toEqual([]);
    const problems: string[] = [];
    for (const path of paths.filter((one) => noForms[one] === undefined).toSorted(lastWhatEnds)) {
      const url = await fill(path);
      for (const [what, body] of bodies) {
        const answer = await app.inject({
          method: "POST",
          url,
          headers: {
            cookie: toCookieHeader(browser.cookies),
            accept: "text/html",
            "content-type": "application/x-www-form-urlencoded",
          },
          payload: `_csrf=${encodeURIComponent(csrf ?? "")}&${body}`,
        });
        // If the first request deleted the object, the next ones can't find it.
        const mayBeGone = isEnding(path) && what !== bodies[0]?.[0];
        const isFound = answer.statusCode !== 404 || path in notFound || mayBeGone;
        const isFresh = !answer.body.includes("This form has expired");
        if (!allowed.includes(answer.statusCode) || !isFound || !isFresh) {
          problems.push(`${path} with ${what}: ${answer.statusCode} ${answer.body.slice(0, 300)}`);
        }
      }
    }
    expect(problems).toEqual([]);
    expect(paths.length).toBeGreaterThan(90);
  });
});

function isEnding(path: string): boolean {
  return /\/(?:end|delete|remove|revoke|disconnect|withdraw|release)$/.test(path);
}

/** Sorts deletions after other requests. */
function lastWhatEnds(one: string, other: string): number {
  return Number(isEnding(one)) - Number(isEnding(other));
}
