import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import {
  ageRotation,
  approve,
  callWith,
  connect,
  exchange,
  refresh,
  signIn,
} from "../../support/oauth.js";

function disconnectLinks(html: string): string[] {
  return [...html.matchAll(/href="(\/settings\/apps\/[^"]+\/disconnect)"/g)].map(
    ([, address = ""]) => address,
  );
}

describe("Connected Apps", () => {
  const current = useApp();

  test("SET-01 lists only the person's connections, with their permissions and no secret", async () => {
    const { app, db } = current();
    const [mine, other] = [await aMember(db), await aMember(db)];
    await connect(app, other, {}, { client_name: "Somebody else's app" });
    const { browser, tokens } = await connect(
      app,
      mine,
      { scope: ["mcp_read", "mcp_write"] },
      { client_name: "My app" },
    );

    const page = await browser.get("/settings/apps");

    expect(page.body).toContain("My app");
    expect(page.body).toContain("Unverified, returns to client.example");
    expect(page.body).toContain("Add and change");
    expect(page.body).not.toContain("Delete permanently");
    expect(page.body).toContain(mine.organization);
    expect(page.body).not.toContain("Somebody else");
    expect(page.body).not.toContain(tokens.access_token);
    expect(disconnectLinks(page.body)).toHaveLength(1);
  });

  test("SET-02 SET-05 SET-06 disconnecting asks for confirmation, then immediately ends only that connection", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { browser, client, tokens } = await connect(app, member);
    const second = (await exchange(app, await approve(browser, client))).json<typeof tokens>();
    const list = await browser.get("/settings/apps");
    const [, address = ""] = disconnectLinks(list.body);

    const question = await browser.get(address);
    expect(question.body).toContain("Disconnect Test app?");
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
    const answer = await browser.submitForm(question, {});

    expect(answer.statusCode).toBe(303);
    const after = await browser.get(String(answer.headers.location));
    expect(after.body).toContain("Test app disconnected.");
    expect(disconnectLinks(after.body)).toHaveLength(1);
    expect(await callWith(app, tokens.access_token)).toBe(401);
    expect((await refresh(app, client, tokens.refresh_token)).json()).toMatchObject({
      error: "invalid_grant",
    });
    expect(await callWith(app, second.access_token)).not.toBe(401);
    expect((await exchange(app, await approve(browser, client))).statusCode).toBe(200);
  });

  test("SET-03 another person's connection is not found", async () => {
    const { app, db } = current();
    const { browser: owner, tokens } = await connect(app, await aMember(db));
    const [address = ""] = disconnectLinks((await owner.get("/settings/apps")).body);
    const stranger = await signIn(app, await aMember(db));
    const home = await stranger.get("/");
    const token = /name="_csrf" value="([^"]*)"/.exec(home.body)?.[1] ?? "";

    expect((await stranger.get(address)).statusCode).toBe(404);
    expect((await stranger.post(address, { _csrf: token })).statusCode).toBe(404);
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
  });

  test("SET-04 viewing the confirmation or omitting the hidden token changes nothing", async () => {
    const { app, db } = current();
    const { browser, tokens } = await connect(app, await aMember(db));
    const [address = ""] = disconnectLinks((await browser.get("/settings/apps")).body);
    const question = await browser.get(address);

    expect((await browser.post(address, {})).statusCode).toBe(403);
    const foreign = await browser.submitForm(
      question,
      {},
      { headers: { origin: "https://evil.example" } },
    );
    expect(foreign.statusCode).toBe(403);
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
  });

  test("SET-10 a connection ended by refresh token reuse leaves a notice", async () => {
    const { app, db } = current();
    const { browser, client, tokens } = await connect(app, await aMember(db));
    await refresh(app, client, tokens.refresh_token);
    await ageRotation(db, 60);
    await refresh(app, client, tokens.refresh_token);

    const page = await browser.get("/settings/apps");

    expect(page.body).toContain("Test app was disconnected for safety");
    expect(page.body).toContain("No app is connected");
  });

  test("the page requires sign-in, and odd ids cause no server error", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));

    expect((await app.inject({ url: "/settings/apps" })).statusCode).toBe(303);
    for (const id of ["%00", "con_000000000000", "..%2f..", "x".repeat(300)]) {
      const answer = await browser.get(`/settings/apps/${id}/disconnect`);
      expect([400, 404], id).toContain(answer.statusCode);
    }
  });
});
