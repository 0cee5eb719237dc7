import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import {
  disconnectApp,
  findConnections,
  findEndedByOthers,
  getConnection,
  type ConnectionRow,
  type EndedConnection,
} from "../domain/oauth/connections.js";
import { findOrganizationsOf } from "../domain/people/organizations.js";
import { Page } from "./layout.js";
import { Moment } from "./moment.js";
import { EmptyState, HiddenToken, Notice } from "./parts.js";
import { frameOf, sendPage, type Frame } from "./reply.js";
import { describeRedirect, scopeWords } from "./words.js";

interface ConnectionParams {
  Params: { id: string };
}

const listAddress = "/settings/apps";

/** `/settings/apps`: the apps that act for the person, and the end of each connection. */
export const connectedAppsPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.requirePerson);

  app.get(listAddress, async (request, reply) => {
    const userId = request.person?.id ?? "";
    const connections = await findConnections(app.db.manager, userId);
    const ended = await findEndedByOthers(app.db.manager, userId);
    const organizations = await findOrganizationsOf(app.db.manager, userId);
    const timeZones = new Map(organizations.map(({ id, timeZone }) => [id, timeZone]));
    return sendPage(
      reply,
      <ConnectedAppsPage
        frame={frameOf(request, reply)}
        connections={connections}
        ended={ended}
        timeZones={timeZones}
      />,
    );
  });

  app.get<ConnectionParams>(`${listAddress}/:id/disconnect`, async (request, reply) => {
    const userId = request.person?.id ?? "";
    const connection = await getConnection(app.db.manager, userId, request.params.id);
    return sendPage(
      reply,
      <DisconnectPage frame={frameOf(request, reply)} connection={connection} />,
    );
  });

  app.post<ConnectionParams>(`${listAddress}/:id/disconnect`, async (request, reply) => {
    const { id: userId, name: userName } = request.person ?? { id: "", name: "" };
    const connectionId = request.params.id;
    const { clientName } = await getConnection(app.db.manager, userId, connectionId);
    await app.db.transaction((tx) =>
      disconnectApp(tx, { userId, userName, connectionId, origin: request.activityOrigin() }),
    );
    request.session.message = `${clientName} is disconnected. Its access ended at once.`;
    return reply.redirect(listAddress, 303);
  });
};

interface ConnectedAppsView {
  frame: Frame;
  connections: readonly ConnectionRow[];
  ended: readonly EndedConnection[];
  /** By organization. */
  timeZones: ReadonlyMap<string, string>;
}

function ConnectedAppsPage({ frame, connections, ended, timeZones }: ConnectedAppsView): VNode {
  return (
    <Page title="Connected Apps" width="wide" current={listAddress} {...frame}>
      <h1>Connected Apps</h1>
      <p class="soft">
        These apps act for you until you disconnect them. Names are what the apps call themselves.
      </p>
      {ended.map((connection) => (
        <EndedNotice key={connection.revokedAt.toISOString()} {...connection} />
      ))}
      {connections.length === 0 ? (
        <EmptyState title="No app is connected">
          <p>
            Connect an assistant to ask about assets and maintenance, and to get work done, in your
            own words. It appears here as soon as you have allowed it.
          </p>
          <p>
            <a class="button" href="/">
              See how to connect one
            </a>
          </p>
        </EmptyState>
      ) : (
        <ul class="rows apps">
          {connections.map((connection) => (
            <Connection
              key={connection.id}
              connection={connection}
              timeZone={timeZones.get(connection.organizationId)}
            />
          ))}
        </ul>
      )}
    </Page>
  );
}

function Connection({
  connection,
  timeZone,
}: {
  connection: ConnectionRow;
  timeZone: string | undefined;
}): VNode {
  const { id, clientName, redirectUri, scopes, organizationName, createdAt, lastUsedAt } =
    connection;
  return (
    <li class="row">
      <div class="app">
        <h2>{clientName}</h2>
        <p class="soft">Unverified, {describeRedirect(redirectUri)}</p>
      </div>
      <dl class="facts">
        <dt>May</dt>
        <dd>
          {scopes.map((scope) => (
            <span key={scope} class={scope === "mcp_destructive" ? "tag bad" : "tag"}>
              {scopeWords[scope]}
            </span>
          ))}
        </dd>
        <dt>Organization</dt>
        <dd>{organizationName}</dd>
        <dt>Connected</dt>
        <dd>
          <Moment at={createdAt} timeZone={timeZone} />
        </dd>
        <dt>Last used</dt>
        <dd>{lastUsedAt === null ? "Never" : <Moment at={lastUsedAt} timeZone={timeZone} />}</dd>
      </dl>
      <a
        class="button quiet"
        href={`${listAddress}/${id}/disconnect`}
        aria-label={`Disconnect ${clientName} from ${organizationName}`}
      >
        Disconnect
      </a>
    </li>
  );
}

function EndedNotice({ clientName, organizationName, revokedAt }: EndedConnection): VNode {
  return (
    <Notice kind="warning" title={`${clientName} was disconnected for safety`}>
      <p>
        <Moment at={revokedAt} />: an old key of this app was used a second time for{" "}
        {organizationName}. That happens when a key was copied, or when the app was restored from a
        backup. If you still use the app, connect it again; if you do not know why this happened,
        tell an admin of your organization.
      </p>
    </Notice>
  );
}

function DisconnectPage({ frame, connection }: { frame: Frame; connection: ConnectionRow }): VNode {
  const { clientName, organizationName, redirectUri } = connection;
  return (
    <Page title={`Disconnect ${clientName}`} current={listAddress} {...frame}>
      <nav aria-label="Breadcrumb" class="breadcrumb">
        <a href={listAddress}>Connected Apps</a>
      </nav>
      <h1>{`Disconnect ${clientName}?`}</h1>
      <p class="soft">Unverified, {describeRedirect(redirectUri)}</p>
      <p>
        It loses its access to {organizationName} at once. What it has changed stays as it is. You
        can connect it again at any time.
      </p>
      <form method="post" class="actions">
        <HiddenToken token={frame.csrfToken ?? ""} />
        <button type="submit" class="danger">
          Disconnect
        </button>
        <a class="button quiet" href={listAddress}>
          Keep it connected
        </a>
      </form>
    </Page>
  );
}
