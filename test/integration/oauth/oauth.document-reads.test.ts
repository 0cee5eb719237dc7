import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import {
  aDocument,
  localNetwork,
  useDocumentClient,
  useDocumentHost,
} from "../../support/client-documents.js";
import { aChallenge, authorizeUrl, openConsent, signIn } from "../../support/oauth.js";

describe("reading a client's document", () => {
  const current = useApp({}, { documentNetwork: localNetwork });
  const host = useDocumentHost();
  const challenge = aChallenge();
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await signIn(current().app, await aMember(current().db));
  });

  const { open, expectDeadEnd, expectConsent, find, expire } = useDocumentClient(() => ({
    ...current(),
    browser,
    challenge,
  }));

  test.each([
    ["301", { status: 301, headers: { location: "/there.json" } }],
    ["307", { status: 307, headers: { location: "/there.json" } }],
    ["201", { status: 201 }],
    ["404", { status: 404 }],
    ["500", { status: 500 }],
    ["text/html", { headers: { "content-type": "text/html" } }],
    ["application/jsonp", { headers: { "content-type": "application/jsonp" } }],
    ["a compressed body", { headers: { "content-encoding": "gzip" }, body: "not gzip" }],
    ["broken JSON", { body: "{" }],
    ["a list", { body: [] }],
    ["null", { body: "null" }],
    ["more than 5 kB", { body: JSON.stringify({ client_name: "x".repeat(5200) }) }],
  ])("CIMD-05: rejects a response with %s", async (what, answer) => {
    const path = `/${encodeURIComponent(what)}`;
    const client = host().describe(path, {}, answer);
    host().describe("/there.json", { client_id: client.id });
    if ("body" in answer) host().answer(path, answer);

    await expectDeadEnd(client);

    expect(host().requests.map((request) => request.path)).toEqual([path]);
    expect(await find(client)).toBeUndefined();
  });

  test("CIMD-05: reads a response of 5 kB and aborts one that never ends", async () => {
    const most = host().describe("/most.json");
    const length = JSON.stringify({ ...aDocument(most.id), filler: "" }).length;
    host().describe("/most.json", { filler: "x".repeat(5 * 1024 - length) });
    const endless = { ...most, id: host().url("/endless.json") };
    let release: () => void = () => undefined;
    const never = new Promise<void>((resolve) => (release = resolve));
    host().answer("/endless.json", () => never.then(() => ({})));

    await expectConsent(most);
    await expectDeadEnd(endless);

    release();
  });

  test("CIMD-05: the request identifies the server and carries nothing else", async () => {
    await expectConsent(host().describe("/headers.json", {}, { headers: { "set-cookie": "a=b" } }));
    await expectConsent(host().describe("/headers-2.json"));

    for (const { headers } of host().requests) {
      expect(Object.keys(headers).sort()).toEqual(["accept", "connection", "host", "user-agent"]);
      expect(headers).toMatchObject({ accept: "application/json", "user-agent": "Fettle" });
    }
    expect(host().connections()).toBe(2);
  });

  test.each([
    ["max-age=600", 600],
    ["public, MAX-AGE=600", 600],
    ["max-age=0", 60],
    ["no-store", 60],
    ["no-cache, max-age=600", 60],
    ["max-age=99999999999999999999", 86_400],
    ["private", 3600],
    [undefined, 3600],
  ])("CIMD-07: with the header %j rereads it after %j seconds", async (header, seconds) => {
    const path = `/cached-${seconds}-${String(header).length}.json`;
    const headers: Record<string, string> = header === undefined ? {} : { "cache-control": header };
    const client = host().describe(path, {}, { headers });

    await expectConsent(client);
    expect((await find(client))?.seconds).toBe(seconds);
    await expectConsent(client);

    expect(host().requests).toHaveLength(1);
  });

  test("CIMD-07: uses the latest content after a reread, and never caches failures", async () => {
    const client = host().describe("/changing.json");
    await expectConsent(client);
    await expire(client);
    host().answer("/changing.json", { status: 500 });
    await expectDeadEnd(client);
    await expectDeadEnd(client);
    host().describe("/changing.json", { client_name: "Renamed app" });

    const page = await openConsent(browser, client, challenge);

    expect(page.body).toContain("Renamed app");
    expect(host().requests).toHaveLength(4);
    expect(await find(client)).toMatchObject({ name: "Renamed app" });
  });

  test("CIMD-07: rereads a document cached by a clock that was ahead", async () => {
    const client = host().describe("/ahead.json");
    await open(client);
    await current().db.query(
      "UPDATE oauth_clients SET metadata_expires_at = app_now() + interval '300 days' WHERE id = $1",
      [client.id],
    );

    await open(client);

    expect(host().requests).toHaveLength(2);
  });

  test("CIMD-07: simultaneous requests read it once", async () => {
    const client = host().describe("/slow.json");
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked = new Promise<void>((resolve) => {
      host().answer("/slow.json", async () => {
        resolve();
        await released;
        return { body: aDocument(client.id) };
      });
    });

    const answers = [1, 2, 3, 4].map(() => open(client));
    await asked;
    // Concurrent requests have looked up the document by now.
    const later = open(client);
    await openConsent(browser, host().describe("/other.json"), challenge);
    release();

    for (const { headers } of await Promise.all([...answers, later])) {
      expect(headers.location).toMatch(/^\/oauth\/consent\//);
    }
    expect(host().requests.filter(({ path }) => path === "/slow.json")).toHaveLength(1);
  });
});

describe("limits on reading documents", () => {
  const current = useApp({ rateLimit: true }, { documentNetwork: localNetwork });
  const host = useDocumentHost();
  const challenge = aChallenge();

  test("CIMD-08, OPS-01: allows 30 reads a minute per person; cached documents still work", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const known = host().describe("/known.json");
    const open = (id: string) => browser.get(authorizeUrl({ ...known, id }, challenge));
    expect((await open(known.id)).statusCode).toBe(303);
    for (let n = 1; n < 30; n += 1) {
      expect((await open(host().url(`/nothing-${n}`))).statusCode).toBe(400);
    }

    const refused = await open(host().url("/one-more"));

    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    expect(host().requests).toHaveLength(30);
    expect((await open(known.id)).statusCode).toBe(303);
  });

  test("CIMD-08, CIMD-12: allows 60 reads a minute per host; previously read documents can be reread", async () => {
    const { app, db } = current();
    const statuses: number[] = [];
    const id = host().url("/read-before.json", "busy.apps.example");
    const known = { ...host().describe("/read-before.json", { client_id: id }), id };
    await openConsent(await signIn(app, await aMember(db)), known, challenge);
    for (let person = 0; person < 3; person += 1) {
      const browser = await signIn(app, await aMember(db));
      for (let n = 0; n < 25; n += 1) {
        const id = host().url(`/${person}-${n}`, "busy.apps.example");
        const client = { id, secret: undefined, redirectUri: "https://client.example/" };
        statuses.push((await browser.get(authorizeUrl(client, challenge))).statusCode);
      }
    }

    const late = await signIn(app, await aMember(db));
    const openExpired = async () => {
      await db.query("UPDATE oauth_clients SET metadata_expires_at = app_now() WHERE id = $1", [
        known.id,
      ]);
      return (await late.get(authorizeUrl(known, challenge))).statusCode;
    };
    expect(await openExpired()).toBe(303);
    host().answer("/read-before.json", { status: 404 });
    expect(await openExpired()).toBe(400);
    expect(statuses.filter((status) => status === 400)).toHaveLength(59);
    expect(statuses.filter((status) => status === 429)).toHaveLength(16);
    expect(host().requests).toHaveLength(62);
  });
});

describe("limits on reading documents, per organization", () => {
  const current = useApp({ rateLimit: true }, { documentNetwork: localNetwork });
  const host = useDocumentHost();
  const challenge = aChallenge();

  test("CIMD-14 people of one organization can't exhaust a host's limit together", async () => {
    const { app, db } = current();
    const statuses: number[] = [];
    for (let person = 0; person < 2; person += 1) {
      const browser = await signIn(app, await aMember(db, { organization: "Of many readers" }));
      for (let n = 0; n < 30; n += 1) {
        const id = host().url(`/${person}-${n}`, "wanted.apps.example");
        const client = { id, secret: undefined, redirectUri: "https://client.example/" };
        statuses.push((await browser.get(authorizeUrl(client, challenge))).statusCode);
      }
    }
    const id = host().url("/wanted.json", "wanted.apps.example");
    const wanted = { ...host().describe("/wanted.json", { client_id: id }), id };

    const other = await signIn(app, await aMember(db));

    expect((await other.get(authorizeUrl(wanted, challenge))).statusCode).toBe(303);
    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
    expect(host().requests).toHaveLength(31);
  });
});
