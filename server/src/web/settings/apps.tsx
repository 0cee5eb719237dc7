import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin } from "../../domain/access/caller.js";
import {
  disconnectApp,
  findConnections,
  findEndedBefore,
  findEndedByOthers,
  getConnection,
  type ConnectionRow,
  type EndedConnection,
} from "../../domain/oauth/connections.js";
import {
  listConnectionsOfOthers,
  type ConnectionPage,
} from "../../domain/oauth/organization-connections.js";
import { commit } from "../../domain/sql/transactions.js";
import { PostForm } from "../forms/controls.js";
import { FilterForm } from "../lists/filters.js";
import { ListCount, PageHead, Pager } from "../layout/page-parts.js";
import { EmptyState } from "../layout/parts.js";
import { layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { appsAddress, Claim, Connection, EndedNotice } from "./app-rows.js";
import { readQuery } from "./members/parts.js";
import { ofPerson, personOf, timeZoneOf } from "./person.js";
import { SettingsPage } from "./settings-frame.js";

interface ConnectionParams {
  Params: { id: string };
}

const perPage = 25;

/** `/settings/apps`: the apps that act for the person, and the end of each connection. */
export const connectedAppsPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.readMember);

  app.get(appsAddress, async (request, reply) => {
    const { id: userId } = personOf(request);
    const [connections, ended, others] = await Promise.all([
      findConnections(app.db.manager, userId),
      findEndedByOthers(app.db.manager, userId),
      findOthers(app, request),
    ]);
    return sendPage(
      reply,
      <ConnectedAppsPage
        frame={layoutProps(request, reply)}
        connections={connections}
        ended={ended}
        others={others}
        timeZones={
          new Map(request.memberships.map(({ id, time_zone: timeZone }) => [id, timeZone]))
        }
        timeZone={timeZoneOf(request)}
      />,
    );
  });

  app.get<ConnectionParams>(`${appsAddress}/:id/disconnect`, async (request, reply) => {
    const { id: userId } = personOf(request);
    const { caller, params } = request;
    const connection = await getConnection(app.db.manager, userId, params.id, caller);
    return sendPage(
      reply,
      <DisconnectPage
        frame={layoutProps(request, reply)}
        connection={connection}
        isOwn={connection.user_id === userId}
      />,
    );
  });

  app.post<ConnectionParams>(`${appsAddress}/:id/disconnect`, async (request, reply) => {
    flash(request, await disconnect(app, request, request.params.id));
    return reply.redirect(appsAddress, 303);
  });
};

async function findOthers(
  { db, cursors }: FastifyInstance,
  request: FastifyRequest,
): Promise<Others | undefined> {
  const { caller } = request;
  if (caller === null || !isOrganizationAdmin(caller)) return undefined;
  const { q, cursor } = readQuery(request.query, ["q", "cursor"]);
  const query = q === "" ? undefined : q;
  const page = await listConnectionsOfOthers(
    db.manager,
    caller,
    { query, limit: perPage, ...(cursor !== "" && { cursor }) },
    cursors,
  );
  return { ...page, query, isFirst: cursor === "" };
}

/** What to say then; sent twice, it ends quietly. */
async function disconnect(
  { db }: FastifyInstance,
  request: FastifyRequest,
  connectionId: string,
): Promise<string> {
  const { caller } = request;
  const { id: userId, name: userName } = personOf(request);
  const origin = request.activityOrigin();
  try {
    const {
      client_name: clientName,
      user_id: personId,
      user_name: personName,
    } = await commit(db, (tx) =>
      disconnectApp(tx, { userId, userName, connectionId, caller, origin }),
    );
    const whose = personId === userId ? "" : ` It acted for ${personName}, who is told.`;
    return `${clientName} is disconnected. Its access ended at once.${whose}`;
  } catch (error) {
    const ended = findEndedBefore(error);
    if (ended === undefined) throw error;
    return `${ended} was disconnected already.`;
  }
}

interface Others extends ConnectionPage {
  query: string | undefined;
  isFirst: boolean;
}

interface ConnectedAppsView {
  frame: LayoutProps;
  connections: readonly ConnectionRow[];
  ended: readonly EndedConnection[];
  /** For owners and admins. */
  others: Others | undefined;
  /** By organization. */
  timeZones: ReadonlyMap<string, string>;
  timeZone: string;
}

function ConnectedAppsPage(view: ConnectedAppsView): VNode {
  const { frame, connections, ended, others, timeZones, timeZone } = view;
  return (
    <SettingsPage title="Connected Apps" width="wide" current={appsAddress} frame={frame}>
      <PageHead title="Connected Apps" />
      {ended.map((connection) => (
        <EndedNotice key={connection.id} ended={connection} timeZone={timeZone} />
      ))}
      <section aria-labelledby="own">
        <h2 id="own">Apps that act for you</h2>
        <p class="soft">
          They can do what is listed until you disconnect them. Names are what the apps call
          themselves.
        </p>
        {connections.length === 0 ? (
          <NoApps />
        ) : (
          <ul class="rows apps">
            {connections.map((connection) => (
              <Connection
                key={connection.id}
                connection={connection}
                isOwn
                timeZone={timeZones.get(connection.organization_id)}
              />
            ))}
          </ul>
        )}
      </section>
      {others !== undefined && <OthersApps frame={frame} others={others} timeZone={timeZone} />}
    </SettingsPage>
  );
}

function NoApps(): VNode {
  return (
    <EmptyState title="No app is connected">
      <p>
        Connect an assistant to ask about assets and maintenance, and to get work done, in your own
        words. It appears here as soon as you have allowed it.
      </p>
      <p>
        <a class="button" href="/connect">
          See how to connect one
        </a>
      </p>
    </EmptyState>
  );
}

function OthersApps({
  frame,
  others,
  timeZone,
}: {
  frame: LayoutProps;
  others: Others;
  timeZone: string;
}): VNode {
  const { connections, total_count: total, query, isFirst, next_cursor: nextCursor } = others;
  const parameters = new URLSearchParams({
    ...(query !== undefined && { q: query }),
    // Only that there is one counts: the way back to the first page leaves it out.
    ...(!isFirst && { cursor: "" }),
  });
  return (
    <section aria-labelledby="others">
      <h2 id="others">Apps of others in {frame.organization?.name}</h2>
      <p class="soft">
        You can end any of these at once, as an admin. Whoever connected the app is told that you
        did.
      </p>
      {(total > perPage || !isFirst || query !== undefined) && <Search query={query} />}
      {connections.length > 0 ? (
        <>
          <ListCount shown={connections.length} total={total} one="connection" />
          <ul class="rows apps">
            {connections.map((connection) => (
              <Connection
                key={connection.id}
                connection={connection}
                isOwn={false}
                timeZone={timeZone}
              />
            ))}
          </ul>
        </>
      ) : (
        <p>
          {query === undefined
            ? "Nobody else has connected an app."
            : "No person and no app matches your search."}
        </p>
      )}
      <Pager path={appsAddress} query={parameters} nextCursor={nextCursor} />
    </section>
  );
}

function Search({ query }: { query: string | undefined }): VNode {
  return (
    <FilterForm
      path={appsAddress}
      label="Apps of others"
      q={query ?? ""}
      searchLabel="Search by person or app"
      isNarrowed={query !== undefined}
    />
  );
}

function DisconnectPage({
  frame,
  connection,
  isOwn,
}: {
  frame: LayoutProps;
  connection: ConnectionRow;
  isOwn: boolean;
}): VNode {
  const {
    client_name: clientName,
    organization_name: organizationName,
    user_name: personName,
  } = connection;
  const what = isOwn ? clientName : `${clientName} of ${personName}`;
  return (
    <SettingsPage title={`Disconnect ${what}`} current={`${appsAddress}/disconnect`} frame={frame}>
      <PageHead
        title={`Disconnect ${what}?`}
        crumbs={[{ href: appsAddress, label: "Connected Apps" }]}
      />
      <Claim connection={connection} />
      {!isOwn && (
        <p>
          It acts for <strong>{personName}</strong>, who is told that you ended it and could connect
          it again.
        </p>
      )}
      <p>
        It loses its access to {organizationName} at once. What it has changed stays as it is.
        {isOwn && " You can connect it again at any time."}
      </p>
      <PostForm frame={isOwn ? ofPerson(frame) : frame}>
        <div class="actions">
          <button type="submit" class="danger">
            Disconnect
          </button>
          <a class="button quiet" href={appsAddress}>
            Keep it connected
          </a>
        </div>
      </PostForm>
    </SettingsPage>
  );
}
