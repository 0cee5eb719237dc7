import type { Tx } from "../../db/database.js";
import { deactivateAccount } from "../accounts/accounts.js";
import { withdrawInvitesOf } from "./invite-endings.js";
import { operatorName } from "../audit/record-activity.js";
import { findOrganizationsOf } from "../organizations/organizations.js";
import { createToken } from "../shared/ids.js";

/** Deactivates a person everywhere, for operators. Invitations that they sent are withdrawn. */
export async function deactivatePerson(tx: Tx, userId: string): Promise<void> {
  await deactivateAccount(tx, userId);
  const by = { userId: null, userName: operatorName, source: "system" } as const;
  for (const { id: organizationId } of await findOrganizationsOf(tx, userId)) {
    const actor = { ...by, organizationId, requestId: `req_${createToken()}` };
    await withdrawInvitesOf(tx, actor, { userId });
  }
}
