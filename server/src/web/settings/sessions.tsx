import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import {
  endOtherSession,
  endOtherSessions,
  findSessionsOf,
  getOtherSession,
  type OwnSession,
  type SessionRow,
} from "../../domain/accounts/other-sessions.js";
import { t, tRich } from "../../language/translate.js";
import { describeBrowser } from "../text/browser-names.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { Moment } from "../layout/moment.js";
import { ActionLink } from "../layout/page-head.js";
import { Facts } from "../layout/facts.js";
import { personOf, sendPage } from "../layout/reply.js";
import { describeMoment } from "../text/format.js";
import { SettingsPage } from "./settings-layout.js";

const listAddress = "/settings/sessions";
const othersAddress = `${listAddress}/others/end`;
const crumbs = [
  {
    href: listAddress,
    get label() {
      return t("Sessions");
    },
  },
];

/** `/settings/sessions`: the person's sessions, and the buttons to end them. */
export const sessionPages: FastifyPluginAsync = async (app) => {
  app.get(listAddress, async (request, reply) => {
    const sessions = await findSessions(request);
    return sendPage(reply, <SessionsPage sessions={sessions} />);
  });
  await app.register(endOthersForm);
  await app.register(endSessionForm);
};

const endOthersForm = formRoute({
  path: othersAddress,
  isPersonal: true,
  open: async ({ request }) => {
    const count = (await findSessions(request)).filter((one) => !one.is_current).length;
    return count === 0 && request.method === "GET" ? seeOther(listAddress) : { count };
  },
  change: (tx, { request }) => endOtherSessions(tx, toOwn(request)),
  done: (ended) =>
    seeOther(
      listAddress,
      ended === 0
        ? t("You're not signed in anywhere else.")
        : t("Signed out of {count, plural, one {# other browser} other {# other browsers}}.", {
            count: ended,
          }),
    ),
  page: ({ subject: { count } }) => <EndOthersPage count={count} />,
});

const endSessionForm = formRoute({
  path: `${listAddress}/:id/end`,
  isPersonal: true,
  change: (tx, { request, id }) => endOtherSession(tx, toOwn(request), id),
  done: (ended) =>
    seeOther(listAddress, ended ? t("Session ended.") : t("That session had already ended.")),
  page: async ({ request, db, id }) => {
    const { sessionId } = request.session;
    const session = await getOtherSession(db, personOf(request).id, sessionId, id);
    return <EndPage session={session} />;
  },
});

function findSessions(request: FastifyRequest): Promise<SessionRow[]> {
  const { db, session } = request;
  return findSessionsOf(db, personOf(request).id, session.sessionId);
}

function toOwn(request: FastifyRequest): OwnSession {
  const { id: userId, name: userName } = personOf(request);
  const { sessionId: currentSessionId } = request.session;
  return { userId, userName, currentSessionId, origin: request.activityOrigin() };
}

interface SessionsView {
  sessions: readonly SessionRow[];
}

function SessionsPage({ sessions }: SessionsView): VNode {
  const others = sessions.length - 1;
  return (
    <SettingsPage
      title={t("Sessions")}
      current={listAddress}
      actions={
        others > 0 && (
          <ActionLink href={othersAddress} quiet>
            {t("End all others")}
          </ActionLink>
        )
      }
    >
      <p class="soft">
        {tRich(
          "You're signed in on these browsers. If you don't recognize one, end it and <password>change your password</password>. Apps are under <apps>Connected Apps</apps>.",
          {
            password: (words: ComponentChildren) => <a href="/settings/password">{words}</a>,
            apps: (words: ComponentChildren) => <a href="/settings/apps">{words}</a>,
          },
        )}
      </p>
      <ul class="rows sessions">
        {sessions.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ul>
    </SettingsPage>
  );
}

function Session({ session }: { session: SessionRow }): VNode {
  const browser = describeBrowser(session.user_agent);
  return (
    <li class="row">
      <div>
        <h2>
          {browser} {session.is_current && <span class="tag good">{t("This browser")}</span>}
        </h2>
        <SessionFacts session={session} />
      </div>
      {!session.is_current && (
        <ActionLink
          href={`${listAddress}/${session.id}/end`}
          quiet
          label={t("End the session in {browser} from {moment}", {
            browser,
            moment: describeMoment(session.created_at),
          })}
        >
          {t("End||a session")}
        </ActionLink>
      )}
    </li>
  );
}

function SessionFacts({ session }: { session: SessionRow }): VNode {
  const {
    ip_address: ipAddress,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    is_current: isCurrent,
  } = session;
  return (
    <Facts
      facts={[
        [t("Last used"), isCurrent ? t("Now") : <Moment at={lastUsedAt} />],
        [t("Signed in||when"), <Moment at={createdAt} />],
        [t("IP address"), ipAddress],
      ]}
    />
  );
}

function EndPage({ session }: { session: SessionRow }): VNode {
  return (
    <SettingsPage
      title={t("End a session")}
      heading={t("End the session in {browser}?", {
        browser: describeBrowser(session.user_agent),
      })}
      current={`${listAddress}/end`}
      crumbs={crumbs}
    >
      <SessionFacts session={session} />
      <p class="after-facts">
        {t(
          "That browser has to sign in again and loses unsaved input. Connected apps stay connected.",
        )}
      </p>
      <PostForm isPersonal>
        <FormActions submit={t("End session")} danger cancel={listAddress} />
      </PostForm>
    </SettingsPage>
  );
}

function EndOthersPage({ count }: { count: number }): VNode {
  return (
    <SettingsPage
      title={t("End all other sessions")}
      heading={t("End {count, plural, =1 {the other session} other {# other sessions}}?", {
        count,
      })}
      current={othersAddress}
      crumbs={crumbs}
    >
      <p>
        {t(
          "You stay signed in here. All other browsers are signed out and lose unsaved input. Your calendar address is revoked. Connected apps stay connected.",
        )}
      </p>
      <PostForm isPersonal>
        <FormActions submit={t("End all other sessions")} danger cancel={listAddress} />
      </PostForm>
    </SettingsPage>
  );
}
