import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { makeDataDir, runFettle, startServer } from "../support/server-process.js";

// Takes the pictures of the README anew: npm run screenshots

const target = fileURLToPath(new URL("../../server/consent-page.png", import.meta.url));
const folder = makeDataDir();
const seeded = await runFettle(["demo", "seed", "--organization", "Northgate Facilities"], {
  DATA_DIR: folder.path,
});
const { email, password } = JSON.parse(seeded.stdout) as { email: string; password: string };
const server = await startServer({ DATA_DIR: folder.path });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const callback = "https://assistant.example/callback";
  const registered = await fetch(`${server.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Maintenance assistant", redirect_uris: [callback] }),
  });
  const client = (await registered.json()) as { client_id: string };
  const request = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: callback,
    scope: "mcp_read mcp_write",
    code_challenge: "a".repeat(43),
    code_challenge_method: "S256",
  });
  const page = await browser.newPage({ viewport: { width: 640, height: 860 } });
  await page.goto(`${server.url}/oauth/authorize?${request.toString()}`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/oauth\/consent\//);
  await page.screenshot({ path: target, fullPage: true });
} finally {
  await browser.close();
  await server.stop();
  folder.remove();
}
