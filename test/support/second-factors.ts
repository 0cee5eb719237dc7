import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { TOTP, Secret } from "otpauth";
import type { Database } from "../../server/src/db/database.js";
import { createBrowser, type TestBrowser } from "./browser.js";
import type { TestApp } from "./app.js";
import { aMember, type Member } from "./builders.js";
import { signIn } from "./oauth.js";

export const security = "/settings/security";

/** Returns an authenticator app's code for this secret, this many time steps from now. */
export function codeOf(secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Returns the current code and allows its reuse. */
export async function freshCode(db: Database, member: Member, secret: string): Promise<string> {
  await db.query("UPDATE authenticators SET last_step = 0 WHERE user_id = $1", [member.userId]);
  return codeOf(secret);
}

/** Opens a page that asks for confirmation first, and confirms with the given fields. */
export async function openConfirmed(
  browser: TestBrowser,
  address: string,
  given: { password: string } | { code: string },
): Promise<LightMyRequestResponse> {
  const away = await browser.get(address);
  if (away.statusCode !== 303) return away;
  const question = await browser.get(String(away.headers.location));
  const answer = await browser.submitForm(question, given);
  if (answer.statusCode !== 303) throw new Error(`Not confirmed: ${answer.body}`);
  return browser.get(String(answer.headers.location));
}

export interface WithAuthenticator {
  secret: string;
  recoveryCodes: string[];
}

/** Returns the key that the set-up page shows for manual entry. */
export function secretOn(page: LightMyRequestResponse): string {
  const shown = /class="secret-key">([^<]+)</.exec(page.body)?.[1];
  if (shown === undefined) throw new Error(`There is no key: ${page.body}`);
  return shown.replaceAll(" ", "");
}

export function recoveryCodesOn(page: LightMyRequestResponse): string[] {
  return [...page.body.matchAll(/<code>([0-9a-z-]{19})<\/code>/g)].map(([, code = ""]) => code);
}

/** Sets up an authenticator app on the pages, for a person without a second factor. */
export async function setUpAuthenticator(
  browser: TestBrowser,
  member: Member,
): Promise<WithAuthenticator> {
  const { password } = member;
  const page = await openConfirmed(browser, `${security}/authenticator`, { password });
  const secret = secretOn(page);
  const done = await browser.submitForm(page, { code: codeOf(secret) });
  if (done.statusCode !== 200) throw new Error(`Not set up: ${done.statusCode} ${done.body}`);
  return { secret, recoveryCodes: recoveryCodesOn(done) };
}

/** Signs in with the password. Returns the browser and the page that asks for the second factor. */
export async function enterPassword(
  app: FastifyInstance,
  member: Member,
  start = "/signin",
): Promise<{ browser: TestBrowser; page: LightMyRequestResponse }> {
  const browser = createBrowser(app);
  const fields = { email: member.email, password: member.password };
  const answer = await browser.submitForm(await browser.get(start), fields);
  const page = await browser.get(String(answer.headers.location));
  return { browser, page };
}

export async function isSignedIn(browser: TestBrowser): Promise<boolean> {
  return (await browser.get("/settings")).statusCode === 200;
}

export async function aPersonWithAuthenticator({ app, db }: Pick<TestApp, "app" | "db">) {
  const member = await aMember(db);
  const browser = await signIn(app, member);
  return { member, browser, ...(await setUpAuthenticator(browser, member)) };
}

/** Returns a person's activity log in order. */
export async function findActivity(db: Database, { userId }: Member): Promise<[string, object][]> {
  const rows = await db.query<{ type: string; details: object }>(
    "SELECT type, details FROM activity_log WHERE user_id = $1 ORDER BY id",
    [userId],
  );
  return rows.map(({ type, details }) => [type, details]);
}

export function sessionIdOf(browser: TestBrowser): string {
  return (browser.cookies.get("__Host-fettle") ?? "").split(".")[0] ?? "";
}
