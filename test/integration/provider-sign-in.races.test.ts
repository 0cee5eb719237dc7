import { beforeEach, describe, expect, inject, test, vi } from "vitest";
import { addSession, hasSession } from "../../server/src/domain/accounts/sessions.js";
import type { SignInProof } from "../../server/src/domain/values/sign-in-proof.js";
import { lockOrganization } from "../../server/src/domain/sql/locks.js";
import { createSecret } from "../../server/src/domain/values/secrets.js";
import { useApp } from "../support/app.js";
import { countWaiting } from "../support/database.js";
import { useIdentityProvider } from "../support/identity-provider.js";
import {
  anOrganizationWithMember,
  networkWithTexts,
  providerRedirectUri,
  removeDomain,
} from "../support/organization-provider.js";

describe("changes of the only way in beside each other", () => {
  const current = useApp({}, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider(providerRedirectUri);
  const prepare = () => anOrganizationWithMember(current(), provider());

  let organization: Awaited<ReturnType<typeof prepare>>;
  beforeEach(async () => {
    organization = await prepare();
  });

  test("SSO-65 a sign-in by password under way ends where its person joins meanwhile", async () => {
    const { member, owner } = organization;
    const { app, db } = current();
    await db.query("UPDATE identity_providers SET only_way = true, way_back_user_id = $1", [
      owner.userId,
    ]);
    const begin = async (userId: string, method: SignInProof["method"]) => {
      const id = createSecret();
      await addSession(app.strangersDb, id, { user_id: userId, data: { signedInBy: { method } } });
      return hasSession(db.manager, id);
    };

    expect(await begin(member.userId, "password")).toBe(false);
    expect(await begin(member.userId, "passkey")).toBe(false);
    expect(await begin(member.userId, "provider")).toBe(true);
    expect(await begin(owner.userId, "password")).toBe(true);
  });

  test.runIf(inject("databaseUrl") !== null)(
    "a domain stays that was verified and made to count for the only way, while its removal waited",
    async () => {
      const { browser, owner, domain } = organization;
      const { db } = current();
      const verified = "UPDATE identity_provider_domains SET verified_at = $2 WHERE domain = $1";
      await db.query(verified, [domain, null]);
      let removal: ReturnType<typeof removeDomain> | undefined;
      await db.transaction(async (tx) => {
        await lockOrganization(tx, owner.organizationId);
        removal = removeDomain(browser, owner, domain);
        await vi.waitFor(async () => {
          expect(await countWaiting(db)).toBeGreaterThan(0);
        });
        await tx.query(verified, [domain, new Date()]);
        await tx.query("UPDATE identity_providers SET only_way = true");
      });

      const refused = await removal;
      expect(refused?.statusCode).toBe(400);
      expect(await db.query("SELECT domain FROM identity_provider_domains")).toContainEqual({
        domain,
      });
    },
  );
});
