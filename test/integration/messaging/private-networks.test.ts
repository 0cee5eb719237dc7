import { describe, expect, test, vi } from "vitest";
import { publicNetwork } from "../../../server/src/oauth/read-document.js";
import { allowPrivateNetworks } from "../../../server/src/oauth/private-networks.js";
import { addWebhook, findDeliveries } from "../../../server/src/domain/messaging/webhooks.js";
import { startWebhookSender } from "../../../server/src/webhooks/sender.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller } from "../../support/builders.js";
import { localNetwork } from "../../support/client-documents.js";
import { useIdentityProvider } from "../../support/identity-provider.js";
import { notificationsIn } from "../../support/notifications.js";
import { signIn } from "../../support/oauth.js";
import { providerPage, saveProvider } from "../../support/organization-provider.js";
import { useReceiver } from "../../support/webhook-receiver.js";

/** Names resolve to this computer. The allowed addresses are the production ones. */
const documentNetwork = { ...localNetwork, isAllowed: publicNetwork.isAllowed };
const advice = "The server's administrator can allow it with ALLOWED_PRIVATE_NETWORKS.";

describe.each([
  ["listed", ["127.0.0.0/8"]],
  ["not listed", ["10.0.0.0/8"]],
])("network that is %s", (is, privateNetworks) => {
  const current = useApp({ privateNetworks }, { documentNetwork });
  const provider = useIdentityProvider("http://localhost:3000/signin/provider/callback/");
  const receiver = useReceiver();
  const isListed = is === "listed";

  test("connects to its identity provider, or tells the owner the reason", async () => {
    const owner = await aMember(current().db);
    const browser = await signIn(current().app, owner);
    async function testConnection(issuer: string): Promise<string> {
      await saveProvider(browser, owner, { issuer, clientSecret: "x" });
      const action = `${providerPage}/test`;
      await browser.submitForm(await browser.get(providerPage), {}, { action });
      return (await browser.get(providerPage)).body;
    }

    const { issuer } = provider();
    const answer = await testConnection(issuer);
    const metadata = await testConnection("https://169.254.169.254");

    const refusal = `${new URL(issuer).hostname} has a private address. ${advice}`;
    expect(answer).toContain(isListed ? "meets Fettle" : refusal);
    expect(metadata).toContain(`169.254.169.254 is a private address. ${advice}`);
  });

  test("delivers its webhooks, or tells admins the reason", async () => {
    const { db, app, config } = current();
    const owner = await aMember(db, { role: "owner", workspace: "Depot" });
    const caller = toCaller(owner);
    const { id } = await db.transaction((tx) =>
      addWebhook(tx, caller, app.services.webhookSecrets, {
        url: receiver().url,
        events: ["task.created"],
      }),
    );
    await notificationsIn(current).assign(owner, owner);
    const stop = startWebhookSender({
      ...{
        db,
        secrets: app.services.webhookSecrets,
        baseUrl: config.baseUrl,
        delaysMs: [],
        everyMs: 20,
      },
      network: allowPrivateNetworks(documentNetwork, config.privateNetworks),
      log: { info: () => undefined, error: () => undefined },
    });

    await vi.waitFor(
      async () => {
        expect(await findDeliveries(db, caller, id)).toMatchObject([
          isListed
            ? { state: "delivered" }
            : {
                state: "failed",
                last_result: expect.stringContaining("has a private address.") as string,
              },
        ]);
      },
      { timeout: 60_000, interval: 50 },
    );
    await stop();
    expect(receiver().requests).toHaveLength(isListed ? 1 : 0);
  });
});
