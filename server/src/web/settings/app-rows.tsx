import type { ComponentChildren, VNode } from "preact";
import { findDescriber } from "../../domain/oauth/client-documents.js";
import { maxCountedChanges, type ConnectionRow } from "../../domain/oauth/connections.js";
import type { EndedConnection } from "../../domain/oauth/connections-ended.js";
import { t, tRich } from "../../language/translate.js";
import { Moment } from "../layout/moment.js";
import { Facts } from "../layout/facts.js";
import { useLayout } from "../layout/layout-context.js";
import { Notice } from "../layout/notices.js";
import { Dots, Popover } from "../layout/popover.js";
import { ActionLink } from "../layout/page-head.js";
import { describeRedirect, scopeLabels } from "../text/format.js";

export const appsAddress = "/settings/apps";

/** The app's known identity. Any program could use the bridge's name, too. */
export function Claim({
  connection: { client_id: clientId, redirect_uri: redirectUri },
}: {
  connection: Pick<ConnectionRow, "client_id" | "redirect_uri">;
}): VNode {
  const host = findDescriber(clientId);
  const target = describeRedirect(redirectUri);
  return (
    <p class="soft">
      {host === undefined
        ? t("Unverified, {target}", { target })
        : tRich("Described by <strong>{host}</strong> (verified), {target}", {
            strong: inStrong,
            host,
            target,
          })}
    </p>
  );
}

const inStrong = (words: ComponentChildren): VNode => <strong dir="auto">{words}</strong>;

/** One row per connection. Names the person of other people's connections. */
export function Connection({
  connection,
  isOwn,
}: {
  connection: ConnectionRow;
  isOwn: boolean;
}): VNode {
  const { client_name: clientName, user_name: personName } = connection;
  return (
    <li class="row">
      <div class="app">
        <h3 dir="auto">{clientName}</h3>
        <Claim connection={connection} />
        {!isOwn && (
          <p class="acts-for">
            {tRich("Acts for <strong>{name}</strong>", { strong: inStrong, name: personName })}
          </p>
        )}
      </div>
      <Facts facts={toFacts(connection, isOwn)} />
      <Acts connection={connection} isOwn={isOwn} />
    </li>
  );
}

/** The app's changes are shown only in the current organization. */
function Acts({ connection, isOwn }: { connection: ConnectionRow; isOwn: boolean }): VNode {
  const { id, organization_id: organizationId, has_changes: hasChanges } = connection;
  const { client_name: app } = connection;
  const changesHere = organizationId === useLayout().organization?.id && hasChanges;
  const labels = isOwn ? labelsOfOwn(connection) : labelsOfOthers(connection);
  const act = (address: "activity" | "undo", words: string) => (
    <li>
      <a href={`${appsAddress}/${id}/${address}`} aria-label={labels[address]}>
        {words}
      </a>
    </li>
  );
  return (
    <div class="app-actions">
      <ActionLink href={`${appsAddress}/${id}/disconnect`} quiet label={labels.disconnect}>
        {t("Disconnect")}
      </ActionLink>
      {changesHere && (
        <Popover class="menu acting dots" title={app} label={<Dots words={t("Actions")} />}>
          <ul>
            {act("activity", t("View changes"))}
            {act("undo", t("Undo changes"))}
          </ul>
        </Popover>
      )}
    </div>
  );
}

function labelsOfOwn({ client_name: app, organization_name: organization }: ConnectionRow) {
  return {
    activity: t("View changes by {app} from {organization}", { app, organization }),
    undo: t("Undo changes by {app} from {organization}", { app, organization }),
    disconnect: t("Disconnect {app} from {organization}", { app, organization }),
  };
}

function labelsOfOthers({ client_name: app, user_name: person }: ConnectionRow) {
  return {
    activity: t("View changes by {person}'s {app}", { app, person }),
    undo: t("Undo changes by {person}'s {app}", { app, person }),
    disconnect: t("Disconnect {person}'s {app}", { app, person }),
  };
}

function toFacts(connection: ConnectionRow, isOwn: boolean): (readonly [string, VNode | string])[] {
  const {
    created_at: createdAt,
    last_used_at: lastUsedAt,
    recent_changes: recentChanges,
    expires_at: expiresAt,
  } = connection;
  return [
    [t("Organization"), isOwn ? connection.organization_name : ""],
    [t("Permissions"), <Scopes scopes={connection.scopes} />],
    [t("Connected||when"), <Moment at={createdAt} />],
    [t("Until||an app has access"), expiresAt === null ? "" : <Moment at={expiresAt} />],
    [t("Last used"), lastUsedAt === null ? t("Never") : <Moment at={lastUsedAt} />],
    [t("Last 7 days"), describeChanges(recentChanges)],
  ];
}

function describeChanges(count: number): string {
  if (count === 0) return t("No changes");
  if (count > maxCountedChanges) {
    return t("Made more than {count, plural, one {# change} other {# changes}}", {
      count: maxCountedChanges,
    });
  }
  return t("Made {count, plural, one {# change} other {# changes}}", { count });
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

/** Shown if another person ended an app's access. */
export function EndedNotice({ ended }: { ended: EndedConnection }): VNode {
  const {
    client_name: app,
    organization_name: organizationName,
    ended_at: endedAt,
    reason,
  } = ended;
  const at = <Moment at={endedAt} />;
  const organization = <bdi>{organizationName}</bdi>;
  if (reason === "disconnected") return <EndedByPerson {...{ at, organization, ended }} />;
  if (reason === "expired") {
    return (
      <Notice kind="warning" title={t("Access of {app} expired", { app })}>
        <p>
          {tRich(
            "{at}: its access to {organization} expired, as you chose when you connected it. If you still use the app, reconnect it.",
            { at, organization },
          )}
        </p>
      </Notice>
    );
  }
  return (
    <Notice kind="warning" title={t("{app} was disconnected for safety", { app })}>
      <p>
        {tRich(
          "{at}: an old key of this app was used a second time for {organization}. The key may have been copied, or the app restored from a backup. If you still use the app, reconnect it. If you don't know why this happened, tell an admin.",
          { at, organization },
        )}
      </p>
    </Notice>
  );
}

function EndedByPerson({
  at,
  organization,
  ended: { client_name: app, ended_by: who },
}: {
  at: VNode;
  organization: VNode;
  ended: EndedConnection;
}): VNode {
  return (
    <Notice
      kind="warning"
      title={
        who === null
          ? t("An admin disconnected {app}", { app })
          : t("{who} disconnected {app}", { who, app })
      }
    >
      <p>
        {who === null
          ? tRich(
              "{at}: An admin disconnected your app from {organization}. Ask before you reconnect it.",
              { at, organization },
            )
          : tRich(
              "{at}: {who} disconnected your app from {organization}. Ask before you reconnect it.",
              { at, organization, who: <bdi>{who}</bdi> },
            )}
      </p>
    </Notice>
  );
}
