import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import {
  addSession,
  hasSession,
  moveSession,
} from "../../../server/src/domain/accounts/sessions.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { removeProvider } from "../../../server/src/domain/accounts/providers.js";
import type { SignInProof } from "../../../server/src/domain/shared/sign-in-proof.js";
import { lockOrganization } from "../../../server/src/db/locks.js";
import { createSecret, hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { toCaller } from "../../support/builders.js";
import { untilOneWaits } from "../../support/database.js";
import { signInAtProvider, useIdentityProvider } from "../../support/identity-provider.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import {
  anOrganizationWithMember,
  networkWithTexts,
  providerRedirectUri,
  removeDomain,
} from "../../support/organization-provider.js";
import {
  freshCode,
  isSignedIn,
  security,
  setUpAuthenticator,
} from "../../support/second-factors.js";
import { before } from "../../support/statements.js";

describe("concurrent changes of provider-only sign-in", () => {
  const current = useApp({}, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider(providerRedirectUri);
  const prepare = () => anOrganizationWithMember(current(), provider());

  let organization: Awaited<ReturnType<typeof prepare>>;
  beforeEach(async () => {
    organization = await prepare();
  });

  test("SSO-65 a password sign-in in progress ends when its person joins", async () => {
    const { member, owner } = organization;
    const { app, db } = current();
    await db.query("UPDATE identity_providers SET sso_required = true, break_glass_owner_id = $1", [
      owner.userId,
    ]);
    const begin = async (userId: string, method: SignInProof["method"]) => {
      const id = createSecret();
      await addSession(app.services.anonymousDb, id, {
        user_id: userId,
        data: { signedInBy: { method } },
      });
      return hasSession(db, id);
    };

    expect(await begin(member.userId, "password")).toBe(false);
    expect(await begin(member.userId, "passkey")).toBe(false);
    expect(await begin(member.userId, "provider")).toBe(true);
    expect(await begin(owner.userId, "password")).toBe(true);
  });

  test("SSO-65 a new id does not extend an earlier session from another method", async () => {
    const { member } = organization;
    const { app, db } = current();
    await db.query("UPDATE identity_providers SET sso_required = false");
    const shouldContinue = async (method: SignInProof["method"]) => {
      const [id, newId] = [createSecret(), createSecret()];
      const session = { user_id: member.userId, data: { signedInBy: { method } } };
      await addSession(app.services.anonymousDb, id, session);
      const age =
        "UPDATE sessions SET created_at = app_now() - interval '29 days' WHERE id_hash = $1";
      await db.query(age, [hashSecret(id)]);
      return async () => {
        await moveSession(db, id, newId);
        const row = await db.maybe<{ days: number }>(
          `SELECT extract(day FROM app_now() - created_at)::int AS days FROM sessions
           WHERE id_hash = $1`,
          [hashSecret(newId)],
        );
        return row?.days;
      };
    };
    const moves = [
      await shouldContinue("password"),
      await shouldContinue("password"),
      await shouldContinue("provider"),
    ] as const;

    expect(await moves[0]()).toBe(0);
    await db.query(
      "UPDATE identity_providers SET sso_required = true, break_glass_owner_id = NULL",
    );
    expect(await moves[1]()).toBe(29);
    expect(await moves[2]()).toBe(0);
  });

  test.runIf(inject("databaseUrl") !== null)(
    "keeps a domain that was verified and required while its removal waited",
    async () => {
      const { browser, owner, domain } = organization;
      const { db } = current();
      const verified = "UPDATE identity_provider_domains SET verified_at = $2 WHERE domain = $1";
      await db.query(verified, [domain, null]);
      let removal: ReturnType<typeof removeDomain> | undefined;
      await db.transaction(async (tx) => {
        await lockOrganization(tx, owner.organizationId);
        removal = removeDomain(browser, owner, domain);
        await untilOneWaits(db);
        await tx.query(verified, [domain, new Date()]);
        await tx.query("UPDATE identity_providers SET sso_required = true");
      });

      const refused = await removal;
      expect(refused?.statusCode).toBe(400);
      expect(await db.query("SELECT domain FROM identity_provider_domains")).toContainEqual({
        domain,
      });
    },
  );
});

describe("removed provider that supplied an admin's only factors", () => {
  const current = useApp({}, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider(providerRedirectUri);
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** An admin who signed in with the provider, where admins need a second factor. */
  async function anAdminWithFactorsOfProvider() {
    const { app, db } = current();
    const { member, owner, email } = await anOrganizationWithMember(current(), provider());
    const { organizationId, userId } = member;
    await db.query("UPDATE organization_members SET role = 'admin' WHERE user_id = $1", [userId]);
    await db.query("UPDATE organizations SET admins_need_second_factor = true WHERE id = $1", [
      organizationId,
    ]);
    provider().persona = { ...provider().persona, amr: ["mfa"] };
    const browser = createBrowser(app);
    await signInAtProvider(browser, email);
    const remove = async () => {
      const caller = toCaller(owner);
      await commit({ db, caller }, (tx) => removeProvider(tx, caller));
    };
    return { browser, member, remove };
  }

  test("no longer counts in the admin's session", async () => {
    const { browser, remove } = await anAdminWithFactorsOfProvider();
    expect((await browser.get("/settings/members/invite")).statusCode).toBe(200);

    await remove();

    expect((await browser.get("/settings/members/invite")).headers.location).toBe(security);
  });

  test.runIf(inject("databaseUrl") !== null)(
    "commits no change that the admin or their app already started",
    async () => {
      const { member, remove } = await anAdminWithFactorsOfProvider();
      const tools = await connect(current(), { member });
      await tools.ok("create_workspace", { name: "Hall" });
      // The removal confirms its own access with a matching statement.
      before(/m\.access_epoch = /, 1, remove);

      const error = await tools.refused("create_workspace", { name: "Late" });

      expect(error.message).toContain("Nothing was changed");
      expect(await tools.ok("list_workspaces")).toMatchObject({ total_count: 1 });
    },
  );

  test("lets the person complete the removal with the factors it supplied", async () => {
    const { browser, member } = await anAdminWithFactorsOfProvider();
    const { db } = current();
    await db.query("UPDATE organization_members SET role = 'owner' WHERE user_id = $1", [
      member.userId,
    ]);
    const caller = toCaller(member);

    await commit({ db, caller }, (tx) => removeProvider(tx, caller));

    const left = "SELECT FROM identity_providers WHERE organization_id = $1";
    expect(await db.query(left, [member.organizationId])).toEqual([]);
    expect((await browser.get("/settings/members/invite")).headers.location).toBe(security);
  });
});

describe("second factor added to an account linked to a provider", () => {
  const current = useApp({}, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider(providerRedirectUri);

  test("SSO-12 is required at the next provider sign-in, whatever the provider claims", async () => {
    const { app, db } = current();
    const { email, member } = await anOrganizationWithMember(current(), provider());
    await signInAtProvider(createBrowser(app), email);
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);
    provider().persona = { ...provider().persona, amr: ["mfa"] };

    const browser = createBrowser(app);
    const asked = await signInAtProvider(browser, email);
    expect(asked.headers.location).toBe("/signin/second-factor");
    const page = await browser.get("/signin/second-factor");
    await browser.submitForm(page, { code: await freshCode(db, member, secret) });

    expect(await isSignedIn(browser)).toBe(true);
    const later = createBrowser(app);
    expect((await signInAtProvider(later, email)).headers.location).toBe("/");
    expect(await isSignedIn(later)).toBe(true);
  });

  test("SSO-12 ends a provider sign-in in progress, even with provider factors", async () => {
    const { app, db } = current();
    const { email, member } = await anOrganizationWithMember(current(), provider());
    provider().persona = { ...provider().persona, amr: ["mfa"] };
    await signInAtProvider(createBrowser(app), email);
    const browser = await signIn(app, member);
    const afterProvider = vi.spyOn(app.services.signInThrottle, "forget");
    onTestFinished(() => {
      afterProvider.mockRestore();
    });
    let secret = "";
    afterProvider.mockImplementationOnce(async () => {
      ({ secret } = await setUpAuthenticator(browser, member));
    });

    const late = createBrowser(app);
    await signInAtProvider(late, email);

    expect(await isSignedIn(late)).toBe(false);
    const next = createBrowser(app);
    await signInAtProvider(next, email);
    const page = await next.get("/signin/second-factor");
    await next.submitForm(page, { code: await freshCode(db, member, secret) });
    expect(await isSignedIn(next)).toBe(true);
  });
});
