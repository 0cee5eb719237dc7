import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin } from "../../domain/access/caller.js";
import {
  disconnectApp,
  countConnections,
  findConnections,
  findEndedBefore,
  getConnection,
  type ConnectionRow,
} from "../../domain/oauth/connections.js";
import { findEndedByOthers, type EndedConnection } from "../../domain/oauth/connections-ended.js";
import {
  listConnectionsOfOthers,
  type ConnectionPage,
} from "../../domain/oauth/organization-connections.js";
import { t, tRich } from "../../language/translate.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { FilterForm } from "../lists/filters.js";
import { ThingsToTry } from "../insight/home/connect.js";
import { useLayout } from "../layout/layout-context.js";
import { Pager, ListCount } from "../lists/pager.js";
import { EmptyState, Notice } from "../layout/notices.js";
import { personOf, sendPage } from "../layout/reply.js";
import { appsAddress, Connection, EndedNotice } from "./app-rows.js";
import { DisconnectPage } from "./disconnect-page.js";
import { SettingsPage } from "./settings-layout.js";
import { readQuery, rowsOnPage } from "./settings-query.js";

/** For this long after connecting the first app, the page suggests how to use it. */
const newForMs = 7 * 24 * 60 * 60 * 1000;

/** `/settings/apps`: the apps that act for the person, and a button to disconnect each. */
export const connectedAppsPages: FastifyPluginAsync = async (app) => {
  app.get(appsAddress, async (request, reply) => {
    const { id: userId } = personOf(request);
    const { own: after } = readQuery(request.query, ["own"]);
    const [found, total, ended, others] = await Promise.all([
      findConnections(request.db, userId, {
        limit: rowsOnPage + 1,
        after: after || undefined,
      }),
      countConnections(request.db, userId),
      findEndedByOthers(request.db, userId),
      findOthers(request),
    ]);
    const connections = found.slice(0, rowsOnPage);
    const own = { connections, total, after, hasMore: found.length > rowsOnPage };
    return sendPage(reply, <ConnectedAppsPage {...{ own, ended, others }} />);
  });
  await app.register(disconnectForm);
};

/** Asks for confirmation. A repeated submit shows a message instead of an error. */
const disconnectForm = formRoute({
  path: `${appsAddress}/:id/disconnect`,
  change: (tx, { request, id: connectionId }) => {
    const { caller } = request;
    const { id: userId, name: userName } = personOf(request);
    const origin = request.activityOrigin();
    return disconnectApp(tx, { userId, userName, connectionId, caller, origin });
  },
  toErrors: (error) => {
    const ended = findEndedBefore(error);
    if (ended === undefined) throw error;
    return seeOther(appsAddress, t("{app} was already disconnected.", { app: ended }));
  },
  done: ({ client_name, user_id, user_name }, { request }) => {
    const isOwn = user_id === personOf(request).id;
    const text = isOwn
      ? t("{app} disconnected. Its access ended right away.", { app: client_name })
      : t(
          "{app} disconnected. Its access ended right away. {person}, who connected it, is notified.",
          {
            app: client_name,
            person: user_name,
          },
        );
    return seeOther(appsAddress, text);
  },
  page: async ({ request, db, id }) => {
    const { id: userId } = personOf(request);
    const connection = await getConnection(db, userId, id, request.caller);
    return <DisconnectPage connection={connection} isOwn={connection.user_id === userId} />;
  },
});

async function findOthers(request: FastifyRequest): Promise<Others | undefined> {
  const { caller, db } = request;
  const { cursors } = request.server.services;
  if (caller === null || !isOrganizationAdmin(caller)) return undefined;
  if (caller.lacksSecondFactor === true) return undefined;
  const { q, cursor } = readQuery(request.query, ["q", "cursor"]);
  const query = q || undefined;
  const listing = { query, limit: rowsOnPage, cursor: cursor || undefined };
  const page = await listConnectionsOfOthers(db, caller, listing, cursors);
  return { ...page, query, isFirst: cursor === "" };
}

interface Others extends ConnectionPage {
  query: string | undefined;
  isFirst: boolean;
}

interface OwnConnections {
  connections: readonly ConnectionRow[];
  total: number;
  /** The last connection of the previous page. Empty on the first page. */
  after: string;
  hasMore: boolean;
}

interface ConnectedAppsView {
  own: OwnConnections;
  ended: readonly EndedConnection[];
  /** For owners and admins. */
  others: Others | undefined;
}

function ConnectedAppsPage({ own, ended, others }: ConnectedAppsView): VNode {
  return (
    <SettingsPage title={t("Connected Apps")} width="wide" current={appsAddress}>
      {ended.map((connection) => (
        <EndedNotice key={connection.id} ended={connection} />
      ))}
      <section aria-labelledby="own">
        <h2 id="own">{t("Your apps")}</h2>
        <p class="soft">
          {t(
            "These apps act as you until you disconnect them or access expires. Names aren't verified.",
          )}
        </p>
        {isNew(own) && (
          <Notice title={t("Three things to try")}>
            <ThingsToTry />
          </Notice>
        )}
        {own.total === 0 ? <NoApps /> : <OwnApps own={own} />}
      </section>
      {others !== undefined && <OthersApps others={others} />}
    </SettingsPage>
  );
}

/** The oldest connection comes last. */
function isNew({ connections, total }: OwnConnections): boolean {
  const oldest = connections.length === total ? connections.at(-1) : undefined;
  return oldest !== undefined && Date.now() - oldest.created_at.getTime() < newForMs;
}

function OwnApps({
  own: { connections, total, after, hasMore },
}: Pick<ConnectedAppsView, "own">): VNode {
  const parameters = new URLSearchParams(after === "" ? {} : { own: "" });
  return (
    <>
      {total > connections.length && (
        <ListCount shown={connections.length} total={total} one="connection" />
      )}
      <ConnectionList connections={connections} isOwn />
      <Pager
        path={appsAddress}
        query={parameters}
        nextCursor={hasMore ? connections.at(-1)?.id : undefined}
        parameter="own"
        label={t("Pages of your apps")}
      />
    </>
  );
}

function ConnectionList({
  connections,
  isOwn,
}: {
  connections: readonly ConnectionRow[];
  isOwn: boolean;
}): VNode {
  return (
    <ul class="rows apps">
      {connections.map((connection) => (
        <Connection key={connection.id} connection={connection} isOwn={isOwn} />
      ))}
    </ul>
  );
}

function NoApps(): VNode {
  return (
    <EmptyState title={t("No app is connected")}>
      <p>
        {t(
          "Connect an assistant to ask about assets and get work done in your own words. It appears here once you've allowed it.",
        )}
      </p>
      <p>
        <a class="button" href="/connect">
          {t("View instructions")}
        </a>
      </p>
    </EmptyState>
  );
}

function OthersApps({ others }: { others: Others }): VNode {
  const { organization } = useLayout();
  const { connections, total_count: total, query, isFirst, next_cursor: nextCursor } = others;
  const parameters = new URLSearchParams({
    ...(query !== undefined && { q: query }),
    // Only its presence counts. The link to the first page omits it.
    ...(!isFirst && { cursor: "" }),
  });
  return (
    <section aria-labelledby="others">
      <h2 id="others">
        {tRich("Other people's apps in {organization}", {
          organization: <bdi>{organization?.name}</bdi>,
        })}
      </h2>
      <p class="soft">
        {t(
          "As an admin, you can disconnect any of these. The person who connected the app is notified.",
        )}
      </p>
      {(total > rowsOnPage || !isFirst || query !== undefined) && <Search query={query} />}
      {connections.length > 0 ? (
        <>
          <ListCount shown={connections.length} total={total} one="connection" />
          <ConnectionList connections={connections} isOwn={false} />
        </>
      ) : (
        <p>
          {query === undefined
            ? t("No one else has connected an app.")
            : t("No people or apps match your search.")}
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
      label={t("Other people's apps")}
      q={query ?? ""}
      searchLabel={t("Search by person or app")}
      isNarrowed={query !== undefined}
    />
  );
}
