import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { renewAuthenticatorSecrets } from "../../../server/src/domain/accounts/authenticators.js";
import { testConfig, startApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { useDatabase } from "../../support/database.js";
import { signIn } from "../../support/oauth.js";

const [former, fresh] = ["f".repeat(40), "n".repeat(40)];

/** Keys of the two nodes at each step. One of them always restarts first. */
const steps = [
  [[former], [former]],
  [[former, fresh], [former]],
  [
    [former, fresh],
    [former, fresh],
  ],
  [
    [fresh, former],
    [former, fresh],
  ],
  [
    [fresh, former],
    [fresh, former],
  ],
  [[fresh], [fresh, former]],
  [[fresh], [fresh]],
] as const;

describe("SECRET_KEYS rotation on several nodes", () => {
  const db = useDatabase();
  const running: FastifyInstance[] = [];
  afterEach(async () => {
    for (const node of running.splice(0)) await node.close();
  });

  async function start(secretKeys: readonly string[]): Promise<FastifyInstance> {
    const node = await startApp(testConfig({ secretKeys: [...secretKeys] }), db());
    running.push(node);
    await renewAuthenticatorSecrets(db(), node.services.secondFactors.secrets);
    return node;
  }

  function balance(nodes: FastifyInstance[]): FastifyInstance {
    let requests = 0;
    const inject = (options: object) => nodes[(requests += 1) % nodes.length]?.inject(options);
    return { services: nodes[0]?.services, inject } as unknown as FastifyInstance;
  }

  /** Signs in and out with each request on another node. Returns the status codes. */
  async function signInAndOut(nodes: FastifyInstance[], member: Member): Promise<number[]> {
    const browser = createBrowser(balance(nodes));
    const form = await browser.get("/signin");
    const answer = await browser.submitForm(form, {
      email: member.email,
      password: member.password,
    });
    const pages = [await browser.get("/settings"), await browser.get("/settings")];
    const last = await browser.submitForm(pages[1] ?? form, {}, { action: "/signout" });
    return [answer, ...pages, last].map(({ statusCode }) => statusCode);
  }

  test("sessions survive while the former key is present, and afterwards", async () => {
    const [before, between, later] = [
      await start([former]),
      await start([fresh, former]),
      await start([fresh]),
    ];
    const member = await aMember(db());
    const [seen, unseen] = [await signIn(before, member), await signIn(before, member)];
    /** Opens pages with the cookies of another browser and gives that browser the new cookies. */
    async function open(node: FastifyInstance, { cookies }: TestBrowser): Promise<number[]> {
      const browser = createBrowser(node);
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      const answers = [];
      // The first page writes the session, the others don't.
      for (const page of ["/settings", "/settings", "/"]) answers.push(await browser.get(page));
      cookies.clear();
      for (const [name, value] of browser.cookies) cookies.set(name, value);
      return answers.map(({ statusCode }) => statusCode);
    }

    expect(await open(before, seen)).toEqual([200, 200, 200]);
    expect(await open(between, seen)).toEqual([200, 200, 200]);
    expect(await open(later, seen)).toEqual([200, 200, 200]);
    expect(await open(later, unseen)).toEqual([303, 303, 303]);
  });

  const [scope, position] = [
    { organizationId: "org_1", list: "assets", sort: "name", filters: {} },
    { value: "Pump", id: "ast_1" },
  ];
  /** True if the reader can verify or decrypt the writer's data. */
  function understands(reader: FastifyInstance, writer: FastifyInstance): Record<string, boolean> {
    const notice = { kind: "account_exists", signIn: "x", reset: "y" } as never;
    const isRead = (read: () => unknown) => {
      try {
        return read() !== undefined;
      } catch {
        return false;
      }
    };
    const { encrypt } = writer.services.secondFactors.secrets;
    return {
      cursors: isRead(() =>
        reader.services.cursors.decode(scope, writer.services.cursors.encode(scope, position)),
      ),
      mails: isRead(() =>
        reader.services.mails.decryptNotice(writer.services.mails.encrypt(notice)),
      ),
      factors: isRead(() => reader.services.secondFactors.secrets.decrypt(encrypt("secret"))),
      providers: isRead(() =>
        reader.services.providerSecrets.decrypt(writer.services.providerSecrets.encrypt("x")),
      ),
      audit: reader.services.auditSigner.publicKeys.includes(
        writer.services.auditSigner.publicKeys[0] ?? "",
      ),
    };
  }
  const all = { cursors: true, mails: true, factors: true, providers: true, audit: true };

  test("in two steps, nothing fails and the former key is no longer needed", async () => {
    const member = await aMember(db());
    await db().query(
      "INSERT INTO authenticators (user_id, secret_encrypted, last_step) VALUES ($1, $2, 0)",
      [member.userId, (await start([former])).services.secondFactors.secrets.encrypt("secret")],
    );
    const visitor = await aMember(db());

    for (const [one, two] of steps) {
      const [first, second] = [await start(one), await start(two)];
      expect(understands(first, second), one.join()).toEqual(all);
      expect(understands(second, first), two.join()).toEqual(all);
      expect(await signInAndOut([first, second], visitor), one.join()).toEqual([
        303, 200, 200, 303,
      ]);
    }

    const rows = await db().query<{ secret_encrypted: Buffer }>(
      "SELECT secret_encrypted FROM authenticators",
    );
    const [stored] = rows.map((row) => row.secret_encrypted);
    const withoutFormer = await start([fresh]);
    expect(withoutFormer.services.secondFactors.secrets.decrypt(stored ?? Buffer.alloc(0))).toBe(
      "secret",
    );
  });

  test("in one step, the nodes reject each other's data", async () => {
    const visitor = await aMember(db());
    const [changed, unchanged] = [await start([fresh, former]), await start([former])];

    expect(understands(unchanged, changed)).toEqual({
      cursors: false,
      mails: false,
      factors: false,
      providers: false,
      audit: false,
    });
    const browser = createBrowser(balance([unchanged, changed]));
    const form = await browser.get("/signin");
    expect((await browser.submitForm(form, { ...visitor })).statusCode).toBe(403);
  });
});
