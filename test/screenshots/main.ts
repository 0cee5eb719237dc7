import { createHash, randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { chromium, type Browser, type Page } from "playwright-core";
import { sampleStories } from "../../server/src/demo/data/stories.js";
import { makeDataDir, runFettle, startServer } from "../support/server-process.js";

// Takes the README's screenshots from the sample organization: npm run screenshots

interface Picture {
  name: string;
  width: number;
  /** Default: the whole page. */
  height?: number;
  colorScheme?: "light" | "dark";
  open: (page: Page) => Promise<void>;
}

const desk = 1280;
const phone = 390;

const pictures: Picture[] = [
  { name: "home", width: desk, height: 900, open: at("/") },
  { name: "home-dark", width: desk, height: 900, colorScheme: "dark", open: at("/") },
  { name: "asset", width: desk, height: 1180, open: openAsset },
  { name: "asset-phone", width: phone, height: 844, open: scanAsset },
  { name: "complete-phone", width: phone, height: 844, open: completeTask },
  { name: "tasks", width: desk, height: 900, open: at("/tasks") },
  { name: "connected-apps", width: desk, open: at("/settings/apps") },
];

const folder = fileURLToPath(new URL("../../server/screenshots/", import.meta.url));

function at(address: string): Picture["open"] {
  return async (page) => {
    await page.goto(address);
  };
}

/** Opens the generator whose load test is late. */
async function openAsset(page: Page): Promise<void> {
  await page.goto(`/assets/${sampleStories.generator}`);
}

async function scanAsset(page: Page): Promise<void> {
  await openAsset(page);
  await page.goto(`${page.url()}?scanned=1`);
}

/** Completes work on the generator, in the corridor. */
async function completeTask(page: Page): Promise<void> {
  await openAsset(page);
  await page.locator("a.thing").first().click();
  await page.getByRole("link", { name: "Complete" }).click();
  await page.getByLabel("Check fuel and coolant").check();
  await page.getByLabel("Run at 80 % load for 30 minutes").check();
  await page
    .getByLabel("What did you find, and what did you do?")
    .fill("Held the load. Topped up the coolant.");
}

/** Connects an assistant, which calls one tool so it counts as used. */
async function connectApp(browser: Browser, url: string, app: ConnectedApp): Promise<void> {
  const { name, scope, who, host, picture } = app;
  const callback = `https://${host}/callback`;
  const client = await postJson<{ client_id: string }>(`${url}/oauth/register`, {
    client_name: name,
    redirect_uris: [callback],
    token_endpoint_auth_method: "none",
  });
  const verifier = randomBytes(32).toString("base64url");
  const request = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: callback,
    scope,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const context = await browser.newContext({ baseURL: url, viewport: { width: 640, height: 860 } });
  const page = await context.newPage();
  await page.goto(`/oauth/authorize?${request.toString()}`);
  await fillSignIn(page, who);
  await page.waitForURL(/\/oauth\/consent\//);
  if (picture) await page.screenshot({ path: `${folder}consent.png`, fullPage: true });
  // No server listens there. Only the browser's redirect matters.
  const sent = page.waitForRequest((made) => made.url().startsWith(callback));
  await page.getByRole("button", { name: "Allow" }).click();
  const code = new URL((await sent).url()).searchParams.get("code") ?? "";
  await context.close();
  const grant = {
    grant_type: "authorization_code",
    ...{ code, code_verifier: verifier, client_id: client.client_id, redirect_uri: callback },
  };
  await callOnce(url, grant, app.call);
}

async function callOnce(
  url: string,
  grant: Record<string, string>,
  call: ConnectedApp["call"],
): Promise<void> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(grant),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const client = new Client({ name: "pictures", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  await client.callTool(call);
  await client.close();
}

async function postJson<T>(address: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

interface ConnectedApp {
  name: string;
  /** The host of its redirect address. */
  host: string;
  scope: string;
  who: SignIn;
  call: { name: string; arguments: Record<string, unknown> };
  /** True if its consent page is one of the screenshots. */
  picture?: boolean;
}

interface SignIn {
  email: string;
  password: string;
}

async function fillSignIn(page: Page, { email, password }: SignIn): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function take(browser: Browser, url: string, signIn: SignIn, picture: Picture) {
  const { name, width, height, colorScheme = "light", open } = picture;
  const viewport = { width, height: height ?? 600 };
  const context = await browser.newContext({ baseURL: url, viewport, colorScheme });
  const page = await context.newPage();
  await page.goto("/signin");
  await fillSignIn(page, signIn);
  await page.waitForURL((address) => address.pathname === "/");
  await open(page);
  await page.screenshot({ path: `${folder}${name}.png`, fullPage: height === undefined });
  await context.close();
}

function toApps(admin: SignIn): ConnectedApp[] {
  const sven = { ...admin, email: admin.email.replace("dara", "sven") };
  const write = "mcp_read mcp_write";
  return [
    {
      ...{ name: "Maintenance assistant", host: "assistant.example", scope: write, who: admin },
      call: { name: "create_asset", arguments: { name: "Label printer" } },
      picture: true,
    },
    {
      ...{ name: "Shift Helper", host: "shifts.example", scope: "mcp_read", who: sven },
      call: { name: "list_assets", arguments: {} },
    },
  ];
}

mkdirSync(folder, { recursive: true });
const data = makeDataDir();
const seeded = await runFettle(["demo", "seed", "--organization", "Northgate Facilities"], {
  DATA_DIR: data.path,
});
const signIn = JSON.parse(seeded.stdout) as SignIn;
const server = await startServer({ DATA_DIR: data.path });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  for (const app of toApps(signIn)) await connectApp(browser, server.url, app);
  for (const picture of pictures) await take(browser, server.url, signIn, picture);
} finally {
  await browser.close();
  await server.stop();
  data.remove();
}
