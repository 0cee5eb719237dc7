import type { CDPSession, Page } from "playwright-core";
import type { Member } from "./builders.js";
import { security } from "./second-factors.js";

export interface Device {
  client: CDPSession;
  id: string;
}

/** Adds a virtual device that creates and stores passkeys. Its person confirms at once. */
export async function addDevice(page: Page, changes: object = {}): Promise<Device> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2" as const,
    transport: "internal" as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    ...changes,
  };
  const { authenticatorId: id } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options,
  });
  return { client, id };
}

export async function credentialsOf({ client, id: authenticatorId }: Device) {
  return (await client.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
}

export async function confirmByPassword(page: Page, { password }: Member) {
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/confirm"));
}

/** Adds a passkey. The first time, the page shows recovery codes. */
export async function addPasskey(page: Page, member: Member, name: string): Promise<void> {
  await page.goto(`${security}/passkeys/new`);
  if (page.url().includes("/confirm")) await confirmByPassword(page, member);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.waitForURL((url) => url.pathname === security || url.pathname.endsWith("/new"));
  await page
    .getByText(/added|They're only shown now/)
    .first()
    .waitFor();
}

export async function signOut(page: Page): Promise<void> {
  await page.goto("/settings");
  await page.locator(".account > button").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/\/signin/);
}
