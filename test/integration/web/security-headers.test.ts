import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";
import { openConfirmed } from "../../support/second-factors.js";

const pages = ["/signin", "/signup", "/password/forgot", "/settings", "/nothing-here"];

describe("page headers", () => {
  const current = useApp();

  test("AUT-27 forbid framing, foreign scripts and caching on pages, and set no form-action", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));

    for (const url of pages) {
      const { headers } = await browser.get(url);
      const policy = String(headers["content-security-policy"]);
      expect(policy.split(";"), url).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          // Sign-up preselects the browser's time zone with a script file of ours.
          `script-src ${url === "/signup" ? "'self'" : "'none'"}`,
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(policy, url).not.toMatch(/form-action|upgrade-insecure-requests|unsafe/);
      expect(headers, url).toMatchObject({
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      expect(headers["cross-origin-opener-policy"], url).toBeUndefined();
      expect(headers["strict-transport-security"], url).toBeUndefined();
    }
  });

  test("PKY-12 only passkey pages among sign-in and security pages run a script file", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const policyOf = async (url: string, as = browser) => {
      const { headers, body } = await as.get(url);
      return [/script-src [^;]*/.exec(String(headers["content-security-policy"]))?.[0], body];
    };
    const stranger = createBrowser(app);
    const { password } = member;
    await openConfirmed(browser, "/settings/security/authenticator", { password });

    for (const [url, as] of [
      ["/signin/passkey", stranger],
      ["/settings/security/passkeys/new", browser],
      ["/settings/security/confirm/passkey", browser],
    ] as const) {
      const [policy, body = ""] = await policyOf(url, as);
      expect(policy, url).toBe("script-src 'self'");
      const [, source = ""] = /<script src="([^"]*)" defer><\/script>/.exec(body) ?? [];
      const file = await stranger.get(source);
      expect(file.statusCode, url).toBe(200);
      expect(file.headers["content-type"]).toMatch(/^text\/javascript/);
    }
    for (const [url, as] of [
      ["/signin", stranger],
      ["/settings/security", browser],
      ["/settings/security/authenticator", browser],
      ["/settings/security/confirm", browser],
    ] as const) {
      const [policy, body] = await policyOf(url, as);
      expect(policy, url).toBe("script-src 'none'");
      expect(body, url).not.toContain("<script");
    }
  });

  test("AUT-26 allow no other origin", async () => {
    const { app } = current();

    for (const url of ["/signin", "/oauth/authorize", "/settings"]) {
      for (const method of ["GET", "OPTIONS"] as const) {
        const answer = await app.inject({
          method,
          url,
          headers: {
            origin: "https://evil.example",
            "access-control-request-method": "POST",
          },
        });
        expect(answer.headers["access-control-allow-origin"], `${method} ${url}`).toBeUndefined();
      }
    }
  });

  test("pages contain no inline style or script, which their policy would block", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));

    for (const url of [...pages, "/settings/apps"]) {
      expect((await browser.get(url)).body, url).not.toMatch(/<style|<script|\sstyle=|\son\w+=/);
    }
  });

  test("static files exist and are cached as immutable", async () => {
    const browser = createBrowser(current().app);
    await aMember(current().db);
    const page = await browser.get("/signin");
    const addresses = [...page.body.matchAll(/href="(\/static\/[^"]+)"/g)].map(
      ([, url = ""]) => url,
    );

    expect(addresses).toHaveLength(4);
    for (const url of addresses) {
      const answer = await browser.get(url);
      expect(answer.statusCode, url).toBe(200);
      expect(answer.headers["cache-control"], url).toContain("immutable");
      expect(answer.headers["content-type"], url).toMatch(/^(text\/css|image\/(svg|png))/);
    }
    expect((await browser.get("/static/../app.css")).statusCode).toBe(404);
    expect((await browser.get("/static/..%2f..%2fpackage.json")).statusCode).toBe(404);
  });
});

describe("forms", () => {
  const current = useApp();

  test("CON-06 rejects a missing, wrong or foreign hidden token with a helpful page", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [mine, other] = [createBrowser(app), createBrowser(app)];
    const page = await mine.get("/signin");
    const foreign = /name="_csrf" value="([^"]*)"/.exec((await other.get("/signin")).body)?.[1];
    const fields = { email: member.email, password: member.password };

    for (const token of [undefined, "", "wrong", foreign ?? ""]) {
      const answer = await mine.post("/signin", {
        ...fields,
        ...(token !== undefined && { _csrf: token }),
      });
      expect(answer.statusCode).toBe(403);
      expect(answer.body).toContain("This form has expired");
    }
    const twice = await mine.post("/signin", { ...fields, _csrf: ["a", "b"] });
    expect(twice.statusCode).toBe(403);
    expect((await mine.submitForm(page, fields)).statusCode).toBe(303);
  });

  test("CON-07 rejects a foreign or null Origin and cross-site requests before reading anything", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const page = await browser.get("/");

    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3001" },
      { origin: "http://localhost.evil.example:3000" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await browser.submitForm(page, {}, { action: "/signout", headers });
      expect(answer.statusCode, JSON.stringify(headers)).toBe(403);
      expect(answer.body).toContain("from another site");
    }
    expect((await browser.get("/")).statusCode).toBe(200);
  });

  test("accepts the other loopback name on a local server", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const page = await browser.get("/");

    const answer = await browser.submitForm(
      page,
      {},
      {
        action: "/signout",
        headers: { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" },
      },
    );

    expect(answer.statusCode).toBe(303);
  });
});

describe("behind HTTPS", () => {
  const current = useApp({ baseUrl: "https://fettle.example.com", baseUrlGiven: true });

  test("AUT-27 tells browsers to stay on HTTPS and rejects a loopback origin", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const page = await browser.get("/");
    expect(page.headers["strict-transport-security"]).toMatch(/max-age=31536000/);

    const answer = await browser.submitForm(
      page,
      {},
      { action: "/signout", headers: { origin: "http://localhost:3000" } },
    );

    expect(answer.statusCode).toBe(403);
  });
});
