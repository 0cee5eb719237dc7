import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { findOutcome, type Outcome } from "../../domain/reports/find-reports.js";
import { outcomeWords } from "../../domain/reports/outcome-words.js";
import { readReportLink } from "../../domain/reports/report-links.js";
import { t } from "../../language/translate.js";
import { Facts } from "../layout/facts.js";
import { Page } from "../layout/layout.js";
import { Moment } from "../layout/moment.js";
import { sendPage } from "../layout/reply.js";
import { LabelLines } from "./public-label-page.js";
import { Markdown } from "../text/markdown.js";
import { readVisitor } from "../../plugins/members.js";

/** `/q/:code/report/:token`: for everyone with the link, which can't be guessed. */
export const outcomePages: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { token: string } }>(
    "/q/:code/report/:token",
    { preHandler: readVisitor },
    async (request, reply) => {
      const link = readReportLink(app.services.reportSecrets, request.params.token);
      const outcome = await findOutcome(request.db, app.services.config.baseUrl, link);
      void reply.header("referrer-policy", "no-referrer");
      return sendPage(reply, OutcomePage({ outcome, isBare: request.person === null }));
    },
  );
};

function OutcomePage({ outcome, isBare }: { outcome: Outcome; isBare: boolean }): VNode {
  const { asset_name: name, description, status, answer, is_done, time_zone: timeZone } = outcome;
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
          [t("Sent"), <Moment at={created_at} timeZone={timeZone} />],
          [t("Reviewed"), closed_at && <Moment at={closed_at} timeZone={timeZone} />],
        ]}
      />
      <p class="soft">{t("Bookmark this page to check for updates.")}</p>
    </Page>
  );
}
