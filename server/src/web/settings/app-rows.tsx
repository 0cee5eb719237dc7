import type { VNode } from "preact";
import { findDescriber } from "../../domain/oauth/client-documents.js";
import type { ConnectionRow } from "../../domain/oauth/connections.js";
import type { EndedConnection } from "../../domain/oauth/connections-ended.js";
import { Moment } from "../layout/moment.js";
import { Facts } from "../layout/facts.js";
import { useLayout } from "../layout/layout-context.js";
import { Notice } from "../layout/notices.js";
import { ActionLink } from "../layout/page-head.js";
import { countOf, describeRedirect, scopeLabels } from "../text/format.js";

export const appsAddress = "/settings/apps";

/** Who the app is, as far as anybody can know: any program could use the name of the bridge, too. */
export function Claim({
  connection: { client_id: clientId, redirect_uri: redirectUri },
}: {
  connection: Pick<ConnectionRow, "client_id" | "redirect_uri">;
}): VNode {
  const host = findDescriber(clientId);
  return (
    <p class="soft">
      {host === undefined ? "Unverified" : <DescribedBy host={host} />},{" "}
      {describeRedirect(redirectUri)}
    </p>
  );
}

function DescribedBy({ host }: { host: string }): VNode {
  return (
    <>
      Described by <strong>{host}</strong> (verified)
    </>
  );
}

/** One row per connection; of somebody else's it says whose. */
export function Connection({
  connection,
  isOwn,
  timeZone,
}: {
  connection: ConnectionRow;
  isOwn: boolean;
  timeZone: string | undefined;
}): VNode {
  const {
    client_name: clientName,
    organization_name: organizationName,
    user_name: personName,
  } = connection;
  const place = isOwn ? `from ${organizationName}` : `of ${personName}`;
  return (
    <li class="row">
      <div class="app">
        <h3>{clientName}</h3>
        <Claim connection={connection} />
        {!isOwn && (
          <p class="acts-for">
            Acts for <strong>{personName}</strong>
          </p>
        )}
      </div>
      <Facts facts={toFacts(connection, isOwn, timeZone)} />
      <Acts connection={connection} place={place} />
    </li>
  );
}

/** What it did can be looked at in the organization that one is in. */
function Acts({ connection, place }: { connection: ConnectionRow; place: string }): VNode {
  const { id, client_name: name, organization_id: organizationId, scopes } = connection;
  const changesHere =
    organizationId === useLayout().organization?.id && scopes.includes("mcp_write");
  const act = (address: string, words: string, label: string) => (
    <ActionLink href={`${appsAddress}/${id}/${address}`} quiet label={`${label} ${place}`}>
      {words}
    </ActionLink>
  );
  return (
    <div class="app-actions">
      {changesHere && act("activity", "What it did", `What ${name} did`)}
      {changesHere && act("undo", "Undo", `Undo what ${name} did`)}
      {act("disconnect", "Disconnect", `Disconnect ${name}`)}
    </div>
  );
}

function toFacts(
  connection: ConnectionRow,
  isOwn: boolean,
  timeZone: string | undefined,
): (readonly [string, VNode | string])[] {
  const {
    created_at: createdAt,
    last_used_at: lastUsedAt,
    recent_changes: recentChanges,
    expires_at: expiresAt,
  } = connection;
  return [
    ["Organization", isOwn ? connection.organization_name : ""],
    ["May", <Scopes scopes={connection.scopes} />],
    ["Connected", <Moment at={createdAt} timeZone={timeZone} />],
    ["Until", expiresAt === null ? "" : <Moment at={expiresAt} timeZone={timeZone} />],
    ["Last used", lastUsedAt === null ? "Never" : <Moment at={lastUsedAt} timeZone={timeZone} />],
    [
      "Last 7 days",
      recentChanges === 0 ? "Changed nothing" : `Made ${countOf(recentChanges, "change")}`,
    ],
  ];
}

function Scopes({ scopes }: Pick<ConnectionRow, "scopes">): VNode {
  return (
    <>
      {scopes.map((scope) => (
        <span key={scope} class={scope === "mcp_destructive" ? "tag bad" : "tag"}>
          {scopeLabels[scope]}
        </span>
      ))}
    </>
  );
}

/** That an app's access was ended by somebody else than the person. */
export function EndedNotice({
  ended,
  timeZone,
}: {
  ended: EndedConnection;
  timeZone: string | undefined;
}): VNode {
  const {
    client_name: clientName,
    organization_name: organizationName,
    ended_at: endedAt,
    reason,
    ended_by: endedBy,
  } = ended;
  const at = <Moment at={endedAt} timeZone={timeZone} />;
  if (reason === "disconnected") {
    const who = endedBy ?? "An admin";
    return (
      <Notice kind="warning" title={`${who} disconnected ${clientName}`}>
        <p>
          {at}: {who} ended the access that this app had in your name to {organizationName}. Ask
          before you connect it again.
        </p>
      </Notice>
    );
  }
  if (reason === "expired") {
    return (
      <Notice kind="warning" title={`The time of ${clientName} is over`}>
        <p>
          {at}: its access to {organizationName} ended, as you chose when you connected it. If you
          still use the app, connect it again.
        </p>
      </Notice>
    );
  }
  return (
    <Notice kind="warning" title={`${clientName} was disconnected for safety`}>
      <p>
        {at}: an old key of this app was used a second time for {organizationName}. That happens
        when a key was copied, or when the app was restored from a backup. If you still use the app,
        connect it again; if you do not know why this happened, tell an admin of your organization.
      </p>
    </Notice>
  );
}
