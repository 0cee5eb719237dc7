import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";

const address = "/signin/demo";

describe("viewing the demo as one of its people", () => {
  const demoPeople = { manager: "", technician: "", viewer: "" };
  const demo = useApp({}, { demoPeople });
  const normal = useApp();

  test("is one press on the sign-in page", async () => {
    const { userId, name } = await aMember(demo().db);
    demoPeople.technician = userId;
    const browser = createBrowser(demo().app);
    const page = await browser.get("/signin");
    const token = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";

    const refused = await browser.post(address, { role: "technician" });
    const unknown = await browser.post(address, { _csrf: token, role: "owner" });
    const done = await browser.post(address, { _csrf: token, role: "technician" });

    expect(page.body).toContain(`action="${address}"`);
    expect([refused.statusCode, unknown.statusCode, done.statusCode]).toEqual([403, 404, 303]);
    expect((await browser.get("/settings")).body).toContain(name);
  });

  test("uses the browser's language", async () => {
    const { userId } = await aMember(demo().db);
    demoPeople.viewer = userId;
    const browser = createBrowser(demo().app);
    const page = await browser.get("/signin");
    const token = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";

    await browser.post(address, { _csrf: token, role: "viewer" }, { "accept-language": "de-DE" });

    expect((await browser.get("/assets")).body).toContain('<html lang="de">');
  });

  test("is no part of other servers, whatever their environment", async () => {
    await aMember(normal().db);
    const browser = createBrowser(normal().app);
    const page = await browser.get("/signin");
    const token = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";

    expect(page.body).not.toContain(address);
    const answer = await browser.post(address, { _csrf: token, role: "manager" });
    expect(answer.statusCode).toBe(404);
  });
});
