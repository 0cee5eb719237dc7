import type { FastifyInstance } from "fastify";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { retryAfterOf, type AppError } from "../../../server/src/errors.js";
import { memoryStore } from "../../../server/src/traffic/counter-store.js";
import { createSignInThrottle } from "../../../server/src/traffic/sign-in-throttle.js";
import { staticUrls } from "../../../server/src/web/static-files.js";
import { useApp, useServer } from "../../support/app.js";
import { createBrowser, findForms, type TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { countTenfold } from "../../support/counters.js";
import { tokenOf } from "../../support/mails.js";
import { aChallenge, aClient, approve, openConsent, signIn } from "../../support/oauth.js";
import {
  aPersonWithAuthenticator,
  freshCode,
  openConfirmed,
  security,
} from "../../support/second-factors.js";
import { throwWorded } from "../../support/refusals.js";
import { connect } from "../../support/mcp.js";

async function trySignIn(
  app: FastifyInstance,
  fields: { email: string; password: string },
  headers: Record<string, string> = {},
) {
  const browser: TestBrowser = createBrowser(app);
  return browser.submitForm(await browser.get("/signin"), fields, { headers });
}

describe("sign-in limits", () => {
  const current = useApp({ rateLimit: true });

  test("LOG-07 OPS-01 allows ten failed attempts per address in five minutes, then sends Retry-After", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const answers = [];

    for (let n = 0; n < 11; n += 1) {
      answers.push(
        await trySignIn(app, { email: `guess-${n}@example.com`, password: "wrong one" }),
      );
    }

    expect(answers.slice(0, 10).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(400));
    const last = answers[10];
    expect(last?.statusCode).toBe(429);
    expect(Number(last?.headers["retry-after"])).toBeGreaterThan(200);
    expect(last?.body).toContain("Too many failed sign-ins.");
    expect(last?.body).toContain('value="guess-10@example.com"');
    // LOG-12: this server trusts no proxy, so a forged header has no effect.
    const forged = await trySignIn(app, member, { "x-forwarded-for": "203.0.113.9" });
    expect(forged.statusCode).toBe(429);
  });
});

describe("limits of successful sign-ins", () => {
  const current = useApp({ rateLimit: true, trustProxy: 1 });

  test("LIM-59 limits an account to 600 sign-ins an hour per address, each leaving a row", async () => {
    const { app, db } = current();
    const [member, other] = [await aMember(db), await aMember(db)];
    const from = (address: string) => ({ "x-forwarded-for": address });
    for (let n = 0; n < 599; n += 1)
      await app.services.signInThrottle.complete("198.51.100.7", member.email);

    expect((await trySignIn(app, member, from("198.51.100.7"))).statusCode).toBe(303);
    const refused = await trySignIn(app, member, from("198.51.100.7"));
    const lines = await db.query(
      "SELECT 1 FROM activity_log WHERE user_id = $1 AND type = 'signed_in'",
      [member.userId],
    );

    expect(refused.statusCode).toBe(429);
    expect(refused.body).toContain("Too many sign-ins.");
    expect(refused.headers["set-cookie"]).toBeUndefined();
    expect(lines).toHaveLength(1);
    expect((await trySignIn(app, other, from("198.51.100.7"))).statusCode).toBe(303);
    expect((await trySignIn(app, member, from("198.51.100.8"))).statusCode).toBe(303);
  });
});

describe("limits of sign-ins from many addresses", () => {
  const current = useApp({ rateLimit: true, trustProxy: 1 });

  test("GRO-08 limits an account to 3000 sign-ins an hour over all addresses", async () => {
    const { app, db } = current();
    const [member, other] = [await aMember(db), await aMember(db)];
    for (let n = 0; n < 3000; n += 1)
      await app.services.signInThrottle.complete(`198.51.${String(n % 250)}.7`, member.email);

    const headers = { "x-forwarded-for": "203.0.113.9" };
    const refused = await trySignIn(app, member, headers);

    expect(refused.statusCode).toBe(429);
    expect(refused.body).toContain("Too many sign-ins.");
    expect((await trySignIn(app, other, headers)).statusCode).toBe(303);
  });
});

describe("limits of approvals", () => {
  const current = useApp({ rateLimit: true }, { counters: countTenfold("approvals-of-person") });

  test("LIM-59 limits a person to connecting 600 apps an hour, as each leaves rows", async () => {
    const { app, db } = current();
    const [member, other] = [await aMember(db), await aMember(db)];
    const client = await aClient(app);
    const browser = await signIn(app, member);
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    for (let n = 0; n < 60; n += 1) {
      // Avoids other limits.
      vi.advanceTimersByTime(5000);
      await approve(browser, client);
    }

    const page = await openConsent(browser, client, aChallenge());
    const refused = await browser.submitForm(page, { scope: ["mcp_read"], decision: "allow" });

    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(60);
    await approve(await signIn(app, other), client);
  });
});

describe("limits of settings", () => {
  const current = useApp({ rateLimit: true }, { counters: countTenfold("settings-of-person") });

  test("GRO-10 limits a person to 600 settings changes an hour, as each leaves a row", async () => {
    const { app, db } = current();
    const { member, browser, secret } = await aPersonWithAuthenticator(current());
    const code = await freshCode(db, member, secret);
    const page = await openConfirmed(browser, `${security}/recovery-codes`, { code });
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let refused: Awaited<ReturnType<typeof browser.submitForm>> | undefined;
    let made = 0;
    while (refused === undefined && made <= 60) {
      // Avoids other limits.
      vi.advanceTimersByTime(500);
      const answer = await browser.submitForm(page, {});
      if (answer.statusCode === 429) refused = answer;
      else made += 1;
    }

    expect(refused?.statusCode).toBe(429);
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(60);
    // Two emails were sent before, for the set-up and the confirmation.
    expect(made).toBe(58);
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const exported = await browser.post("/settings/activity/export", { _csrf });
    expect(exported.statusCode).toBe(429);
    const other = await signIn(app, await aMember(db));
    const saved = await other.submitForm(await other.get("/settings"), { name: "Another" });
    expect(saved.statusCode).toBe(303);
  });
});

describe("another spelling of an email address", () => {
  const current = useApp({ rateLimit: true });

  test("LOG-13 matches no account, so no account has a count for each spelling", async () => {
    const { app, db } = current();
    const member = await aMember(db, { email: "ivi@example.com" });
    // A database matches "İ" with "i" if its lower() does, as with C.UTF-8 and most others.
    for (const email of ["İvi@example.com", "ivİ@example.com", "İVİ@example.com"]) {
      expect((await trySignIn(app, { ...member, email })).statusCode, email).toBe(400);
    }

    expect((await trySignIn(app, { ...member, email: " IVI@example.com " })).statusCode).toBe(303);
  });
});

describe("limits behind a trusted proxy", () => {
  const current = useApp({ rateLimit: true, trustProxy: 1 });

  test("LOG-12 distinguishes addresses only by the trusted hop", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const from = (address: string) => ({ "x-forwarded-for": address });
    for (let n = 0; n < 11; n += 1) {
      const fields = { email: `guess-${n}@example.com`, password: "wrong one" };
      await trySignIn(app, fields, from("198.51.100.7"));
    }

    expect((await trySignIn(app, member, from("198.51.100.7"))).statusCode).toBe(429);
    expect((await trySignIn(app, member, from("203.0.113.9, 198.51.100.7"))).statusCode).toBe(429);
    expect((await trySignIn(app, member, from("198.51.100.8"))).statusCode).toBe(303);
  });
});

describe("limits of an owner and an attacker", () => {
  const current = useApp({ rateLimit: true, trustProxy: 1 });

  test("LOG-07 the owner can sign in from another address during an attack", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const attacker = { "x-forwarded-for": "203.0.113.1" };
    for (let n = 0; n < 12; n += 1) {
      await trySignIn(app, { ...member, password: "wrong one" }, attacker);
    }

    expect((await trySignIn(app, member, attacker)).statusCode).toBe(429);
    const owner = { "x-forwarded-for": "198.51.100.1" };
    expect((await trySignIn(app, member, owner)).statusCode).toBe(303);
  });
});

describe("account throttle", () => {
  test("LOG-07 slows attempts from new addresses after a hundred, then admits the right password", async () => {
    const throttle = createSignInThrottle(memoryStore);
    const outcomes: string[] = [];
    let pause = 0;

    for (let n = 0; n < 200; n += 1) {
      const outcome = await throttle.begin("password", `203.0.113.${n}`, "Rosa@example.com").then(
        () => "let through",
        (error: unknown) => {
          expect(() => throwWorded(error)).toThrow("Too many");
          pause = retryAfterOf(error as AppError) ?? 0;
          return "paused";
        },
      );
      outcomes.push(outcome);
    }

    expect(outcomes.filter((outcome) => outcome === "let through")).toHaveLength(100);
    // Attempts refused during the pause don't extend it.
    expect(pause).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await throttle.begin("password", "198.51.100.1", "rosa@example.com");
    await throttle.takeBack("password", "198.51.100.1", "rosa@example.com");
    await throttle.forget("password", "198.51.100.1", "rosa@example.com");
    await throttle.begin("password", "198.51.100.1", "rosa@example.com");
  });

  test("LOG-07 attempts from one address don't lock out the owner at another", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const throttle = createSignInThrottle(memoryStore);
    let guesses = 0;

    for (let second = 0; second < 3600; second += 1) {
      await throttle.begin("password", "203.0.113.1", "rosa@example.com").then(
        () => (guesses += 1),
        () => undefined,
      );
      await vi.advanceTimersByTimeAsync(1_000);
    }

    expect(guesses).toBeGreaterThan(5);
    expect(guesses).toBeLessThan(100);
    await throttle.begin("password", "198.51.100.1", "rosa@example.com");
  });

  test("LOG-07 attempts from many addresses don't lock out the owner at a known address", async () => {
    const throttle = createSignInThrottle(memoryStore);
    await throttle.begin("password", "198.51.100.1", "rosa@example.com");
    await throttle.takeBack("password", "198.51.100.1", "rosa@example.com");
    await throttle.forget("password", "198.51.100.1", "rosa@example.com");
    for (let n = 0; n < 100; n += 1)
      await throttle.begin("password", `203.0.113.${n}`, "rosa@example.com");

    await expect(
      throttle.begin("password", "203.0.113.200", "rosa@example.com"),
    ).rejects.toMatchObject({
      code: "rate_limited",
    });
    await throttle.begin("password", "198.51.100.1", "rosa@example.com");
  });

  test("LOG-14 passkey sign-in without a password attempt doesn't reset its address's attempts", async () => {
    const throttle = createSignInThrottle(memoryStore);
    for (let n = 0; n < 10; n += 1) {
      await throttle.begin("password", "198.51.100.1", `person-${n}@example.com`);
    }
    await throttle.forget("password", "198.51.100.1", "own@example.com");

    await expect(
      throttle.begin("password", "198.51.100.1", "rosa@example.com"),
    ).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("LOG-07 correct passwords never use up an address's limit", async () => {
    const throttle = createSignInThrottle(memoryStore);

    for (let n = 0; n < 30; n += 1) {
      await throttle.begin("password", "198.51.100.1", `person-${n}@example.com`);
      await throttle.takeBack("password", "198.51.100.1", `person-${n}@example.com`);
      await throttle.forget("password", "198.51.100.1", `person-${n}@example.com`);
    }
  });
});

describe("with limits off", () => {
  const current = useApp({ rateLimit: false });

  test("allows any number of attempts", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    for (let n = 0; n < 12; n += 1) await trySignIn(app, { ...member, password: "wrong one" });

    expect((await trySignIn(app, member)).statusCode).toBe(303);
  });
});

describe("account form limits", () => {
  const current = useApp({ rateLimit: true, signup: "open", smtpUrl: "smtp://127.0.0.1:1" });

  test("OPS-01 limits account creation by address, with a Retry-After page", async () => {
    const { app, db } = current();
    await aMember(db);
    const browser = createBrowser(app);
    const page = await browser.get("/signup");
    let last;

    for (let n = 0; n < 21; n += 1) last = await browser.submitForm(page, { name: "" });

    expect(last?.statusCode).toBe(429);
    expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
    expect(last?.body).toContain("Too many requests from your network.");
  });
});

describe("invitation link limits", () => {
  const current = useServer({ rateLimit: true });

  test("LOG-07 a used link doesn't allow unlimited password attempts", async () => {
    const { app } = current();
    const owner = await connect(current());
    const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", {
      email: "bo@example.com",
    });
    const path = `/invites/${await tokenOf(current(), invite.id)}`;
    const guest = createBrowser(app);
    const form = await guest.get(path);
    await guest.submitForm(form, { name: "Bo Lind", password: "correct horse battery" });
    const stranger = createBrowser(app);
    const [signIn] = findForms((await stranger.get("/signin")).body);
    const answers = [];

    for (let n = 0; n < 6; n += 1) {
      answers.push(await stranger.post(path, { ...signIn?.hidden, password: "wrong one" }));
    }

    expect(answers.slice(0, 5).map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(410));
    expect(answers[5]?.statusCode).toBe(429);
    expect(Number(answers[5]?.headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("limits of anonymous visitors", () => {
  const current = useApp({ rateLimit: true });

  const countSessions = async () => {
    const row = await current().db.maybe<{ n: number }>("SELECT count(*)::int AS n FROM sessions");
    return row?.n;
  };

  test("OPS-01 a URL too long to store leaves no session behind", async () => {
    const answer = await createBrowser(current().app).get(`/settings?x=${"x".repeat(8192)}`);

    expect(answer.headers.location).toBe("/signin");
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(await countSessions()).toBe(0);
  });

  test("OPS-01 limits sessions of anonymous visitors, while signed-in people and files continue", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const signedIn = createBrowser(app);
    await signedIn.submitForm(await signedIn.get("/signin"), { ...member });
    for (let n = 0; n < 300; n += 1) await createBrowser(app).get("/signin");
    const before = await countSessions();

    const refused = await createBrowser(app).get("/signin");

    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.body).toContain("Too many requests from your network.");
    expect(refused.headers["set-cookie"]).toBeUndefined();
    expect(await countSessions()).toBe(before);
    expect((await createBrowser(app).get(staticUrls.app)).statusCode).toBe(200);
    expect((await signedIn.get("/settings")).statusCode).toBe(200);
  });
});
