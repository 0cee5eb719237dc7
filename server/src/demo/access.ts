import { randomBytes } from "node:crypto";
import { mcpPath } from "fettle-shared";
import type { Tx } from "../db/database.js";
import { sampleUntil } from "../db/entities/messaging.js";
import type { Caller, WorkspaceRole } from "../domain/access/caller.js";
import { recordActivity, recordCallerActivity } from "../domain/audit/record-activity.js";
import { recordInviteActivity } from "../domain/people/invite-sending.js";
import { insertInvite, type InviteDraft } from "../domain/people/invite-store.js";
import { withdrawInvite } from "../domain/people/invites.js";
import { addDays } from "../domain/shared/dates.js";
import { createId } from "../domain/shared/ids.js";
import { createSecret } from "../domain/shared/secrets.js";
import { getWorkspace } from "../domain/shared/workspace-references.js";
import { createRandom, dayMs, isWorkday, momentOn, toWorkday } from "./calendar.js";
import { apps, invitations, people, type Person } from "./data/northgate.js";
import { insertRows } from "./ledger.js";
import type { Say } from "./data/tables.js";
import { momentToday, toClientId, type Story } from "./story.js";

/** Something that the organization's activity log tells, run at its time. */
export interface OrganizationAct {
  at: number;
  run: () => Promise<unknown>;
}

type Callers = ReadonlyMap<string, Caller>;

/** Plans invitations, apps, webhooks and role changes, and sign-ins of accounts that can sign in. */
export function planAccess(
  tx: Tx,
  callers: Callers,
  { asOf, hasSignIns, say }: { asOf: string; hasSignIns: boolean; say: Say },
): OrganizationAct[] {
  const on = (daysAgo: number, minutes: number) =>
    momentOn(toWorkday(addDays(asOf, -daysAgo), -1), minutes);
  return [
    ...invitations.flatMap((row, index) =>
      planInvitation(
        tx,
        callers,
        { ...row, workspace: say(row.workspace) },
        on(Number(row.daysAgo), 560 + 23 * index),
      ),
    ),
    ...apps.flatMap((row, index) => planApp(tx, callers, row, { on, index })),
    ...planWebhooks(tx, callers, on),
    ...planRoles(tx, callers, { on, say }),
    ...(hasSignIns ? planSignIns(tx, callers, asOf) : []),
  ];
}

type On = (daysAgo: number, minutes: number) => number;

/** No one has the invitation's link, and no email is sent. */
function planInvitation(
  tx: Tx,
  callers: Callers,
  row: (typeof invitations)[number],
  at: number,
): OrganizationAct[] {
  const { name, role, workspace, workspaceRole, end } = row;
  const inviter = callers.get(row.by);
  if (inviter === undefined) return [];
  const caller: Caller = { ...inviter, at: new Date(at) };
  const id = createId("invite");
  const run = async () => {
    const place = workspace === "" ? null : await getWorkspace(tx, caller, workspace);
    const invite: InviteDraft = {
      ...{ id, email: name + caller.userEmail.slice(caller.userEmail.indexOf("@")) },
      organization_role: role === "admin" ? "admin" : "member",
      ...{ workspace_id: place && place.id, workspace_name: place && place.name },
      workspace_role: place && (workspaceRole as WorkspaceRole),
      ...{ access_ends_on: null, message: null, inviter: caller.userName },
    };
    await insertInvite(tx, caller, invite, createSecret());
    await recordInviteActivity(tx, caller, invite, "invite_sent");
    const accepted = end === "accepted" ? callers.get(name)?.userId : null;
    await tx.query(
      `UPDATE invites SET delivery_status = 'sent', accepted_by = $3,
         accepted_at = CASE WHEN $3::text IS NOT NULL THEN created_at + interval '2 days' END
       WHERE organization_id = $1 AND id = $2`,
      [caller.organizationId, id, accepted],
    );
  };
  const withdraw = { at: at + dayMs, run: () => withdrawInvite(tx, caller, id) };
  return [{ at, run }, ...(end === "revoked" ? [withdraw] : [])];
}

function planApp(
  tx: Tx,
  callers: Callers,
  row: (typeof apps)[number],
  { on, index }: { on: On; index: number },
): OrganizationAct[] {
  const { name, connected, used, ended } = row;
  const caller = callers.get(row.person);
  if (caller === undefined) return [];
  const { organizationId, userId, userName, baseUrl } = caller;
  const scopes = row.scopes.split(" ");
  const redirect = `https://${name.toLowerCase().replace(" ", "-")}.example/callback`;
  const ids = { connection_id: createId("connection"), client_id: toClientId(name) };
  const details = { ...ids, client_name: name };
  const at = on(Number(connected), 540 + 31 * index);
  const last = on(Number(used), 630 + 17 * index);
  const end = last + 2 * 3_600_000;
  const reason = ended === "expired" ? "expired" : "refresh_reuse";
  const run = async () => {
    await tx.query(
      `INSERT INTO oauth_clients (id, name, redirect_uris, grant_types, token_endpoint_auth_method)
       VALUES ($1, $2, ARRAY[$3], '{authorization_code,refresh_token}', 'none')
       ON CONFLICT (id) DO NOTHING`,
      [ids.client_id, name, redirect],
    );
    const made = { id: ids.connection_id, user_id: userId, client_id: ids.client_id, scopes };
    const times = {
      created_at: new Date(at),
      last_used_at: new Date(last),
      expires_at: ended === "expired" ? new Date(end) : null,
    };
    const over = ended === "" ? {} : { revoked_at: new Date(end), revoked_reason: reason };
    await insertRows(tx, "oauth_connections", organizationId, [
      { ...made, ...times, ...over, resource: baseUrl + mcpPath, redirect_uri: redirect },
    ]);
    await recordActivity(tx, {
      organizationId,
      userId,
      actorName: userName,
      type: "app_connected",
      details: { ...details, scopes },
    });
  };
  const type = reason === "expired" ? "app_disconnected" : "refresh_reuse";
  const tell = () =>
    recordActivity(tx, {
      organizationId,
      userId,
      actorName: userName,
      type,
      details: { ...details, reason },
    });
  return [{ at, run }, ...(ended === "" ? [] : [{ at: end, run: tell }])];
}

/** One webhook works, one has stopped. Neither is ever called: the addresses lead nowhere. */
function planWebhooks(tx: Tx, callers: Callers, on: On): OrganizationAct[] {
  const caller = callers.get("marek");
  if (caller === undefined) return [];
  return ["hooks.northgate-erp.example", "chat.northgate-team.example"].map((host, index) => {
    const at = on(170 - 60 * index, 640);
    const id = createId("webhook");
    const run = async () => {
      const events = index === 0 ? ["task.completed"] : ["report.created", "report.closed"];
      const row = {
        id,
        url: `https://${host}/fettle`,
        events,
        created_by: caller.userId,
        created_at: new Date(at),
      };
      const failing_since = index === 0 ? null : new Date(on(3, 700));
      const secret_encrypted = `\\x${randomBytes(48).toString("hex")}`;
      const state = { is_active: index === 0, failing_since, busy_until: sampleUntil };
      await insertRows(tx, "webhooks", caller.organizationId, [
        { ...row, ...state, secret_encrypted },
      ]);
      const deliveries = [1, 2, 3, 4, 6, 7].map((daysAgo) => {
        const sent = new Date(on(daysAgo + 2 * index, 600 + 13 * daysAgo));
        const result = index === 0 ? "It returned status 200." : "It returned status 503.";
        const outcome = {
          state: index === 0 ? "delivered" : "failed",
          attempts: index === 0 ? 1 : 9,
          last_result: result,
        };
        const times = { created_at: sent, next_attempt_at: sent, finished_at: sent };
        return {
          webhook_id: id,
          id: createId("event"),
          type: events[0],
          data: {},
          ...outcome,
          ...times,
        };
      });
      await insertRows(tx, "webhook_deliveries", caller.organizationId, deliveries);
      await recordCallerActivity(tx, caller, "webhook_added", { webhook_id: id, host });
    };
    return { at, run };
  });
}

/** Tells of a changed role each month, as people grew into their work. */
function planRoles(tx: Tx, callers: Callers, { on, say }: { on: On; say: Say }): OrganizationAct[] {
  const grown = people.filter(
    ({ workspaces, joined }) => workspaces.some(([, role]) => role === "admin") && joined > 700,
  );
  return grown.slice(0, 11).map(({ key, name, workspaces }, index) => {
    const caller = callers.get(index % 2 === 0 ? "ana" : "marek");
    const workspace = say(workspaces.find(([, role]) => role === "admin")?.[0] ?? "");
    const details = {
      user_id: callers.get(key)?.userId,
      name,
      workspace,
      from: "member",
      to: "admin",
    };
    const run = async () =>
      caller && recordCallerActivity(tx, caller, "workspace_role_changed", details);
    return { at: on(40 + 31 * index, 615 + 9 * index), run };
  });
}

/** When a person signed in on the last day of their activity. */
export function lastSignIn(
  story: Pick<Story, "asOf" | "now">,
  { lastActive }: Person,
  index: number,
): number {
  const day = toWorkday(addDays(story.asOf, -(lastActive ?? 0)), -1);
  if (day === story.asOf) return momentToday(story, 375 + ((index * 37) % 70));
  return momentOn(day, 380 + ((index * 53) % 290));
}

/** Each person's last sign-in and some of the two weeks before. One fails at first. */
function planSignIns(tx: Tx, callers: Callers, asOf: string): OrganizationAct[] {
  const random = createRandom(Date.parse(asOf) / dayMs);
  return people.flatMap((person, index) => {
    const { key, name: actorName, lastActive } = person;
    if (lastActive === null) return [];
    const userId = callers.get(key)?.userId ?? "";
    const signIn = { userId, actorName, origin: { ipAddress: `192.0.2.${10 + index}` } };
    const last = lastSignIn({ asOf, now: Date.now() }, person, index);
    const days = Array.from({ length: 13 }, (_, ago) => addDays(asOf, -lastActive - 1 - ago));
    const before = days
      .filter((day) => isWorkday(day) && lastActive < 14 && random.chance(0.4))
      .map((day) => momentOn(day, random.between(380, 640)));
    const done = { ...signIn, type: "signed_in" as const, details: { method: "password" } };
    const acts = [last, ...before].map((at) => ({ at, run: () => recordActivity(tx, done) }));
    const failed = { ...signIn, type: "sign_in_failed" as const };
    const fail = { at: last - 60_000, run: () => recordActivity(tx, failed) };
    return key === "jonas" ? [...acts, fail] : acts;
  });
}
