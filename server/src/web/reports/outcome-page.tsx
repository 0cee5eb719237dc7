import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { findOutcome, type Outcome } from "../../domain/reports/find-reports.js";
import { outcomeWords } from "../../domain/reports/outcome-words.js";
import { readReportLink } from "../../domain/reports/report-links.js";
import { t } from "../../language/translate.js";
import { findOwnLabel } from "../assets/label-visit.js";
import { toThumbnailAddress } from "../files/gallery.js";
import { Facts } from "../layout/facts.js";
import { Page } from "../layout/layout.js";
import { Moment } from "../layout/moment.js";
import { ActionLink } from "../layout/page-head.js";
import { sendPage } from "../layout/reply.js";
import { LabelLines } from "./public-label-page.js";
import { askUsable } from "./report-form.js";
import { formatNumber } from "../text/format.js";
import { Markdown } from "../text/markdown.js";
import { readVisitor } from "../../plugins/members.js";

/** `/q/:code/report/:token`: for everyone with the link, which can't be guessed. */
export const outcomePages: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { code: string; token: string } }>(
    "/q/:code/report/:token",
    { preHandler: readVisitor },
    async (request, reply) => {
      const { code, token } = request.params;
      const link = readReportLink(app.services.reportSecrets, token);
      const outcome = await findOutcome(request.db, app.services.config.baseUrl, link);
      void reply.header("referrer-policy", "no-referrer");
      const { asset, place } = (await findOwnLabel(request.db, request, code)) ?? {};
      return sendPage(
        reply,
        OutcomePage({
          outcome,
          mayOpen: outcome.asset_id === null ? place !== undefined : asset === outcome.asset_id,
          isBare: request.person === null,
        }),
      );
    },
  );
};

function OutcomePage({
  outcome,
  mayOpen,
  isBare,
}: {
  outcome: Outcome;
  /** False for people who can't see the asset or place, nor its photos. */
  mayOpen: boolean;
  isBare: boolean;
}): VNode {
  const { asset_id, photos, still_usable } = outcome;
  const { site_name: name, description, status, answer, is_done, time_zone: timeZone } = outcome;
  const { created_at, closed_at } = outcome;
  return (
    <Page title={t("Your report on {name}", { name })} width="narrow" bare={isBare}>
      <h1>{t("Your report")}</h1>
      <p class="named" dir="auto">
        {name}
      </p>
      <LabelLines {...outcome} />
      <p>
        <strong>{is_done ? t("The work for your report is done.") : outcomeWords[status]}</strong>
      </p>
      {answer !== null && <Markdown text={answer} />}
      <Facts
        facts={[
          [t("You wrote"), <span dir="auto">{description}</span>],
          [askUsable(outcome), still_usable ? t("Yes") : t("No")],
          [t("Photos"), photos.length === 0 ? null : <Photos photos={photos} areShown={mayOpen} />],
          [t("Sent"), <Moment at={created_at} timeZone={timeZone} />],
          [t("Reviewed"), closed_at && <Moment at={closed_at} timeZone={timeZone} />],
        ]}
      />
      {isBare ? (
        <p class="soft">{t("Bookmark this page to check for updates.")}</p>
      ) : (
        <p class="actions">
          {mayOpen && asset_id !== null && (
            <ActionLink href={`/assets/${asset_id}`}>{t("View asset")}</ActionLink>
          )}
          <ActionLink href="/reports" quiet>
            {t("Your reports")}
          </ActionLink>
        </p>
      )}
    </Page>
  );
}

function Photos({
  photos,
  areShown,
}: Pick<Outcome, "photos"> & {
  /** False for people who may not open the files. */
  areShown: boolean;
}): VNode {
  if (!areShown) return <>{formatNumber(photos.length)}</>;
  return (
    <ul class="previews">
      {photos.map(({ id, name }) => (
        <li key={id}>
          <a href={`/files/${id}`}>
            <img src={toThumbnailAddress(id)} alt={name} loading="lazy" />
          </a>
        </li>
      ))}
    </ul>
  );
}
