import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { linkOn, type Visitor } from "./visitor.js";

/** Returns every page that people open, by its name in the report. */
export async function findAddresses(
  visitor: Visitor,
  baseUrl: string,
): Promise<Record<string, string>> {
  const { body: assets } = await visitor.get("/assets");
  const asset = linkOn(assets, /^\/assets\/ast_\w+$/);
  const { body: tasks } = await visitor.get("/tasks");
  const task = linkOn(tasks, /^\/tasks\/tsk_\w+$/);
  const planned = await uploadTable(visitor);
  const applied = await uploadTable(visitor);
  const { to: stored = "" } = await visitor.send(applied, `${applied}/apply`);
  await waitFor(visitor, stored, "rows imported");
  const set = stored.replace("/import/", "/changes/");
  const { body: workspaces } = await visitor.get("/workspaces");
  const workspace = linkOn(workspaces, /^\/workspaces\/wsp_\w+$/);
  return {
    import: "/import",
    "plan of 500 rows": planned,
    "stored import": stored,
    "its change set": set,
    reports: "/reports",
    search: "/search?q=pump",
    "label sheet of all": "/labels/new",
    home: "/",
    "home, fifty matters": "/?attention=all",
    connect: "/connect",
    organizations: "/organizations",
    assets: "/assets",
    "assets, searched": "/assets?q=pump",
    asset,
    "asset's history": `${asset}/history`,
    "add an asset": "/assets/new",
    tasks: "/tasks",
    "tasks, overdue": "/tasks?state=overdue",
    "tasks, all": "/tasks?state=all",
    task,
    "complete a task": `${task}/complete`,
    "add a task": "/tasks/new",
    plan: "/plan",
    "plan, month": "/plan?view=month",
    trends: "/trends",
    workspaces: "/workspaces",
    workspace,
    settings: "/settings",
    sessions: "/settings/sessions",
    "Connected Apps": "/settings/apps",
    members: "/settings/members",
    notifications: "/notifications",
    preferences: "/settings/notifications",
    organization: "/settings/organization",
    mail: "/settings/mail",
    activity: "/settings/activity",
    consent: await authorizeAddress(baseUrl),
  };
}

/** Returns the address of the import plan for a table with only new rows. */
async function uploadTable(visitor: Visitor): Promise<string> {
  const rows = Array.from({ length: 500 }, (_, at) => `Bench machine ${at},Bay ${at % 20},Pumps`);
  const file = new File([`Name,Location,Category\n${rows.join("\n")}\n`], "bench.csv");
  const { to = "" } = await visitor.send("/import", "/import", { kind: "assets", file });
  await waitFor(visitor, to, "500 new");
  return to;
}

async function waitFor(visitor: Visitor, address: string, text: string): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const { body } = await visitor.get(address);
    if (body.includes(text)) return;
    await pause(500);
  }
  throw new Error(`${address} never said "${text}".`);
}

/**
 * Returns the address to which an app sends a person for authorization. It answers with the consent
 * page.
 */
async function authorizeAddress(baseUrl: string): Promise<string> {
  const redirectUri = "https://app.example/callback";
  const answer = await fetch(new URL("/oauth/register", baseUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Bench",
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id: clientId } = (await answer.json()) as { client_id: string };
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update("x".repeat(43)).digest("base64url"),
    code_challenge_method: "S256",
    state: "bench",
  });
  return `/oauth/authorize?${query.toString()}`;
}
