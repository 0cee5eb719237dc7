import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import {
  endOtherSession,
  endOtherSessions,
  findSessionsOf,
  getOtherSession,
  type OwnSession,
  type SessionRow,
} from "../../domain/accounts/sessions.js";
import { commit } from "../../domain/sql/transactions.js";
import { describeBrowser } from "../text/browser-names.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { Moment } from "../layout/moment.js";
import { ActionLink, Facts, PageHead } from "../layout/page-parts.js";
import { layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { countOf, describeMoment } from "../text/format.js";
import { ofPerson, personOf, timeZoneOf } from "./person.js";
import { SettingsPage } from "./settings-frame.js";

interface SessionParams {
  Params: { id: string };
}

const listAddress = "/settings/sessions";
const othersAddress = `${listAddress}/others/end`;

/** `/settings/sessions`: where the person is signed in, and the end of it. */
export const sessionPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.readMember);

  async function findSessions(request: FastifyRequest): Promise<SessionRow[]> {
    const { sessionId } = request.session;
    return findSessionsOf(app.db.manager, personOf(request).id, sessionId);
  }

  app.get(listAddress, async (request, reply) =>
    sendPage(
      reply,
      <SessionsPage
        frame={layoutProps(request, reply)}
        sessions={await findSessions(request)}
        timeZone={timeZoneOf(request)}
      />,
    ),
  );

  app.get(othersAddress, async (request, reply) => {
    const others = (await findSessions(request)).filter(({ is_current: isCurrent }) => !isCurrent);
    if (others.length === 0) return reply.redirect(listAddress, 303);
    return sendPage(
      reply,
      <EndOthersPage frame={layoutProps(request, reply)} count={others.length} />,
    );
  });

  app.post(othersAddress, async (request, reply) => {
    const ended = await commit(app.db, (tx) => endOtherSessions(tx, toOwn(request)));
    flash(
      request,
      ended === 0
        ? "You are signed in nowhere else."
        : `You are signed out of ${countOf(ended, "other browser")}.`,
    );
    return reply.redirect(listAddress, 303);
  });

  app.get<SessionParams>(`${listAddress}/:id/end`, async (request, reply) => {
    const { sessionId } = request.session;
    const { id: userId } = personOf(request);
    const session = await getOtherSession(app.db.manager, userId, sessionId, request.params.id);
    return sendPage(
      reply,
      <EndPage
        frame={layoutProps(request, reply)}
        session={session}
        timeZone={timeZoneOf(request)}
      />,
    );
  });

  app.post<SessionParams>(`${listAddress}/:id/end`, async (request, reply) => {
    const { id } = request.params;
    const ended = await commit(app.db, (tx) => endOtherSession(tx, toOwn(request), id));
    flash(request, ended ? "That session has ended." : "That session had ended already.");
    return reply.redirect(listAddress, 303);
  });
};

function toOwn(request: FastifyRequest): OwnSession {
  const { id: userId, name: userName } = personOf(request);
  const { sessionId: currentSessionId } = request.session;
  return { userId, userName, currentSessionId, origin: request.activityOrigin() };
}

function SessionsPage({
  frame,
  sessions,
  timeZone,
}: {
  frame: LayoutProps;
  sessions: readonly SessionRow[];
  timeZone: string;
}): VNode {
  const others = sessions.length - 1;
  return (
    <SettingsPage title="Sessions" current={listAddress} frame={frame}>
      <PageHead
        title="Sessions"
        actions={
          others > 0 && (
            <ActionLink href={othersAddress} quiet>
              End all others
            </ActionLink>
          )
        }
      />
      <p class="soft">
        These are the browsers in which you are signed in. If you do not know one of them, end it
        and <a href="/settings/password">change your password</a>. What apps may do is under{" "}
        <a href="/settings/apps">Connected Apps</a>.
      </p>
      <ul class="rows sessions">
        {sessions.map((session) => (
          <Session key={session.id} session={session} timeZone={timeZone} />
        ))}
      </ul>
    </SettingsPage>
  );
}

function Session({ session, timeZone }: { session: SessionRow; timeZone: string }): VNode {
  const browser = describeBrowser(session.user_agent);
  return (
    <li class="row">
      <div>
        <h2>
          {browser} {session.is_current && <span class="tag good">This one</span>}
        </h2>
        <SessionFacts session={session} timeZone={timeZone} />
      </div>
      {!session.is_current && (
        <a
          class="button quiet"
          href={`${listAddress}/${session.id}/end`}
          aria-label={`End the session in ${browser} of ${describeMoment(session.created_at, timeZone)}`}
        >
          End
        </a>
      )}
    </li>
  );
}

function SessionFacts({ session, timeZone }: { session: SessionRow; timeZone: string }): VNode {
  const {
    ip_address: ipAddress,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    is_current: isCurrent,
  } = session;
  return (
    <Facts
      facts={[
        ["Last used", isCurrent ? "Now" : <Moment at={lastUsedAt} timeZone={timeZone} />],
        ["Signed in", <Moment at={createdAt} timeZone={timeZone} />],
        ["From address", ipAddress],
      ]}
    />
  );
}

function EndPage({
  frame,
  session,
  timeZone,
}: {
  frame: LayoutProps;
  session: SessionRow;
  timeZone: string;
}): VNode {
  return (
    <SettingsPage title="End a session" current={`${listAddress}/end`} frame={frame}>
      <PageHead
        title={`End the session in ${describeBrowser(session.user_agent)}?`}
        crumbs={[{ href: listAddress, label: "Sessions" }]}
      />
      <SessionFacts session={session} timeZone={timeZone} />
      <p class="after-facts">
        Whoever uses that browser has to sign in again. What was typed there and not saved is lost.
        Apps you have connected stay connected.
      </p>
      <PostForm frame={ofPerson(frame)}>
        <FormActions submit="End session" danger cancel={listAddress} />
      </PostForm>
    </SettingsPage>
  );
}

function EndOthersPage({ frame, count }: { frame: LayoutProps; count: number }): VNode {
  return (
    <SettingsPage title="End all other sessions" current={othersAddress} frame={frame}>
      <PageHead
        title={`End ${count === 1 ? "the other session" : `${count} other sessions`}?`}
        crumbs={[{ href: listAddress, label: "Sessions" }]}
      />
      <p>
        You stay signed in here. Every other browser has to sign in again, and what was typed there
        and not saved is lost. Apps you have connected stay connected.
      </p>
      <PostForm frame={ofPerson(frame)}>
        <FormActions submit="End all other sessions" danger cancel={listAddress} />
      </PostForm>
    </SettingsPage>
  );
}
