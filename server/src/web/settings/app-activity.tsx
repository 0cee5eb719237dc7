import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import { searchHistory, type HistoryPage } from "../../domain/history/history-queries.js";
import type { ConnectionRow } from "../../domain/oauth/connections.js";
import { getConnectionHere } from "../../domain/oauth/connections-to-undo.js";
import { countPermanentDeletions } from "../../domain/history/app-spans.js";
import { nowOf } from "../../domain/access/clock.js";
import { t, tRich } from "../../language/translate.js";
import { HistoryList } from "../history/history-list.js";
import { EmptyState, Notice } from "../layout/notices.js";
import { ActionLink } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { toPageQuery } from "../lists/list-query.js";
import { ListCount, Pager } from "../lists/pager.js";
import { appsAddress, Claim } from "./app-rows.js";
import { SettingsPage } from "./settings-layout.js";
import { readQuery } from "./settings-query.js";
import { requireMember } from "../../plugins/members.js";

const eventsOnPage = 50;

/**
 * `/settings/apps/:id/activity`: an app's changes for its person, through any of its connections.
 */
export const appActivityPages: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>(
    `${appsAddress}/:id/activity`,
    { preHandler: requireMember },
    async (request, reply) => {
      const caller = callerOf(request);
      const db = request.db;
      const connection = await getConnectionHere(db, caller, request.params.id);
      const { client_id, user_id: userId } = connection;
      const { cursor } = readQuery(request.query, ["cursor"]);
      const listing = { client_id, actor_user_id: userId, order: "newest" } as const;
      const page = { limit: eventsOnPage, cursor: cursor || undefined };
      const span = { from: new Date(0).toISOString(), until: nowOf(caller).toISOString() };
      const [history, deleted] = await Promise.all([
        searchHistory(db, caller, { ...listing, ...page }, app.services.cursors),
        countPermanentDeletions(db, caller, { clientId: client_id, userId, ...span }),
      ]);
      const view = { caller, connection, history, deleted, cursor };
      return sendPage(reply, <AppActivityPage {...view} />);
    },
  );
};

interface AppActivityView {
  caller: Caller;
  connection: ConnectionRow;
  history: HistoryPage;
  /** The number of assets that it deleted permanently. Their history is gone. */
  deleted: number;
  cursor: string;
}

function AppActivityPage(view: AppActivityView): VNode {
  const { caller, connection, history, deleted, cursor } = view;
  const { id, client_name: name, user_id: userId, user_name: person } = connection;
  const path = `${appsAddress}/${id}/activity`;
  const isEmpty = history.events.length === 0;
  return (
    <SettingsPage
      title={t("Changes by {name}", { name })}
      width="wide"
      current={path}
      crumbs={[{ href: appsAddress, label: t("Connected Apps") }]}
      actions={
        isEmpty ? undefined : (
          <ActionLink href={`${appsAddress}/${id}/undo`} quiet>
            {t("Undo changes")}
          </ActionLink>
        )
      }
    >
      <Claim connection={connection} />
      <Lead person={userId === caller.userId ? undefined : person} />
      {deleted > 0 && (
        <Notice
          kind="warning"
          title={t("{count, plural, one {# asset} other {# assets}} permanently deleted", {
            count: deleted,
          })}
        >
          <p>{t("No other history remains of permanently deleted items.")}</p>
        </Notice>
      )}
      {isEmpty ? (
        <EmptyState title={t("Nothing changed")}>
          <p>
            {tRich("{name} changed no assets or tasks you can see.", {
              name: <bdi>{name}</bdi>,
            })}
          </p>
        </EmptyState>
      ) : (
        <>
          <ListCount
            shown={history.events.length}
            total={history.total_count}
            isMinimum={history.total_is_minimum}
            one="event"
          />
          <HistoryList events={history.events} caller={caller} about="app" heading="h2" />
        </>
      )}
      <Pager path={path} query={toPageQuery({ cursor })} nextCursor={history.next_cursor} />
    </SettingsPage>
  );
}

function Lead({ person }: { person: string | undefined }): VNode {
  return (
    <p class="soft">
      {person === undefined
        ? t("Changes to assets and tasks, newest first.")
        : tRich("Changes to assets and tasks for {person}, newest first.", {
            person: <bdi>{person}</bdi>,
          })}{" "}
      {tRich("Its changes to workspaces, invitations and members are in <a>Activity</a>.", {
        a: (words: ComponentChildren) => <a href="/settings/activity">{words}</a>,
      })}
    </p>
  );
}
