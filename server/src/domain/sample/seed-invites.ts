import type { EntityManager } from "typeorm";
import type { Caller, WorkspaceRole } from "../access/caller.js";
import { setClock } from "../access/clock.js";
import { createId } from "../values/ids.js";
import { recordInviteActivity } from "../invites/invite-sending.js";
import { insertInvite, type InviteDraft } from "../invites/invite-store.js";
import { withdrawInvite } from "../invites/invites.js";
import { createSecret } from "../values/secrets.js";
import { dayMs, hourMs } from "./calendar.js";
import type { SamplePlan } from "./plan.js";

interface SampleInvite {
  name: string;
  daysAgo: number;
  by: string;
  organizationRole?: "admin";
  place?: { name: string; role: WorkspaceRole };
  end?: "accepted" | "revoked";
}

/** Three are pending, one has expired; tara, who accepted hers, is among the people. */
const sampleInvites: readonly SampleInvite[] = [
  {
    name: "tara",
    daysAgo: 47,
    by: "eva",
    place: { name: "Data Centre", role: "member" },
    end: "accepted",
  },
  { name: "zoe", daysAgo: 33, by: "ana", place: { name: "Print Works", role: "member" } },
  { name: "xaver", daysAgo: 20, by: "dara", organizationRole: "admin", end: "revoked" },
  { name: "paula", daysAgo: 5, by: "bob", place: { name: "Main Facility", role: "member" } },
  { name: "lukas", daysAgo: 3, by: "ana" },
  { name: "amira", daysAgo: 1, by: "nils", place: { name: "Warehouse North", role: "viewer" } },
];

/** Invitations as they were sent then. Nobody has their links, and no mail goes out. */
export async function seedInvites(
  tx: EntityManager,
  callers: ReadonlyMap<string, Caller>,
  plan: SamplePlan,
): Promise<void> {
  for (const invite of sampleInvites) {
    const inviter = callers.get(invite.by);
    if (inviter === undefined) continue;
    const at = plan.end - invite.daysAgo * dayMs + 10 * hourMs;
    const caller = await setClock(tx, inviter, new Date(at));
    const draft = await toDraft(tx, caller, invite);
    await insertInvite(tx, caller, draft, createSecret());
    await recordInviteActivity(tx, caller, draft, "invite_sent");
    if (invite.end === "accepted") {
      await tx.query(
        `UPDATE invites SET accepted_at = $3, accepted_by = $4
         WHERE organization_id = $1 AND id = $2`,
        [
          caller.organizationId,
          draft.id,
          new Date(at + 2 * dayMs),
          callers.get(invite.name)?.userId,
        ],
      );
    }
    if (invite.end === "revoked") {
      await withdrawInvite(tx, await setClock(tx, caller, new Date(at + dayMs)), draft.id);
    }
  }
  const owner = callers.get(plan.people[0].key);
  await tx.query("UPDATE invites SET delivery_status = 'sent' WHERE organization_id = $1", [
    owner?.organizationId,
  ]);
}

async function toDraft(
  tx: EntityManager,
  caller: Caller,
  { name, place, organizationRole }: SampleInvite,
): Promise<InviteDraft> {
  const rows: { id: string; name: string }[] = await tx.query(
    "SELECT id, name::text AS name FROM workspaces WHERE organization_id = $1 AND name = $2",
    [caller.organizationId, place?.name ?? null],
  );
  const domain = caller.userEmail.slice(caller.userEmail.indexOf("@"));
  return {
    id: createId("invite"),
    email: `${name}${domain}`,
    organization_role: organizationRole ?? "member",
    workspace_id: rows[0]?.id ?? null,
    workspace_name: rows[0]?.name ?? null,
    workspace_role: place?.role ?? null,
    message: null,
    inviter: caller.userName,
  };
}
