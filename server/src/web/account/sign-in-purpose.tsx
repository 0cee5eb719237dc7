import type { VNode } from "preact";
import type { EntityManager } from "typeorm";
import { isDocumentAddress } from "../../domain/oauth/client-documents.js";
import { findClient } from "../../domain/oauth/clients.js";
import { t, tRich } from "../../language/translate.js";
import { waitingAddress } from "./kept-invitation.js";

/** What the person wants to do behind the sign-in, when that is more than look at a page. */
export async function describePurpose(
  db: EntityManager,
  address: string,
): Promise<VNode | undefined> {
  if (address === waitingAddress) return <p>{t("Sign in to accept the invitation.")}</p>;
  if (!address.startsWith("/oauth/authorize?")) return undefined;
  const name = await findAppName(db, address);
  return (
    <p>
      {name === undefined
        ? t("An app wants to connect. Sign in first, then you decide what it may do.")
        : tRich(
            "An app that calls itself {name} wants to connect. Sign in first, then you decide what it may do.",
            { name: <bdi class="app-name">{name}</bdi> },
          )}
    </p>
  );
}

/** Only of apps that registered: a document about an app is not read for strangers. */
async function findAppName(db: EntityManager, address: string): Promise<string | undefined> {
  const query = address.slice(address.indexOf("?") + 1);
  const id = new URLSearchParams(query).get("client_id") ?? "";
  if (id.includes("\0") || isDocumentAddress(id)) return undefined;
  return (await findClient(db, id))?.name ?? undefined;
}
