import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { listRounds, type RoundRow } from "../../domain/rounds/rounds.js";
import { findWorkspaceChoices } from "../../domain/organizations/workspace-choices.js";
import { readText } from "../forms/form-fields.js";
import { Page } from "../layout/layout.js";
import { Moment } from "../layout/moment.js";
import { EmptyState } from "../layout/notices.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { Pager } from "../lists/pager.js";
import { titleOf } from "./describe-round.js";
import { RoundCounts } from "./findings.js";
import { Waiting } from "./waiting.js";
import { t } from "../../language/translate.js";
import { PersonName } from "../text/person-name.js";

const path = "/rounds";

/** `/rounds`: all rounds with their person, place, time and findings. */
export const roundListPages: FastifyPluginAsync = async (app) => {
  app.get(path, { config: { script: "scan" } }, async (request, reply) => {
    const caller = callerOf(request);
    const db = request.db;
    const before = readText(request.query, "before");
    const [{ rounds, next }, workspaces] = await Promise.all([
      listRounds(db, caller, before === "" ? undefined : before),
      findWorkspaceChoices(db, caller),
    ]);
    const mayStart = workspaces.some(({ role }) => role !== "viewer");
    const query = new URLSearchParams(before === "" ? {} : { before });
    return sendPage(
      reply,
      <Page title={t("Rounds")} width="wide" current="/scan/rounds">
        <PageHead
          title={t("Rounds")}
          crumbs={[{ href: "/scan", label: t("Scan") }]}
          {...(mayStart && {
            actions: <ActionLink href={`${path}/new`}>{t("Start a round")}</ActionLink>,
          })}
        />
        <Waiting person={caller} />
        {rounds.length === 0 ? (
          <NoRound mayStart={mayStart} />
        ) : (
          <ul class="things">
            {rounds.map((round) => (
              <RoundItem key={round.id} round={round} />
            ))}
          </ul>
        )}
        <Pager path={path} query={query} nextCursor={next} parameter="before" />
      </Page>,
    );
  });
};

function NoRound({ mayStart }: { mayStart: boolean }): VNode {
  return (
    <EmptyState title={t("No rounds yet")}>
      <p>
        {t(
          "Walk through a workspace and scan what's there. You'll see which assets are missing, in the wrong place or unknown.",
        )}
      </p>
      {!mayStart && <p>{t("Members of a workspace can start one.")}</p>}
    </EmptyState>
  );
}

function RoundItem({ round }: { round: RoundRow }): VNode {
  const { id, started_at, started_by, ended_at } = round;
  return (
    <li class="round-row">
      <a class="thing" dir="auto" href={`${path}/${id}`}>
        {titleOf(round)}
      </a>
      <span class="round-where soft">
        <Moment at={started_at} />
        <PersonName name={started_by} />
      </span>
      {ended_at === null ? (
        <strong>{t("In progress||a round")}</strong>
      ) : (
        <span class="soft">{t("Ended")}</span>
      )}
      <RoundCounts round={round} />
    </li>
  );
}
