import type { VNode } from "preact";
import { nowOf } from "../../domain/access/clock.js";
import { isReopenable } from "../../domain/rounds/rounds.js";
import { createToken } from "../../domain/shared/ids.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { useForm } from "../forms/form-context.js";
import { ErrorSummary } from "../layout/error-summary.js";
import { Page } from "../layout/layout.js";
import { Moment } from "../layout/moment.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { ExportLinks } from "../lists/export-links.js";
import { Scanner } from "../labels/scan/scanner.js";
import { describeMomentInFull } from "../text/format.js";
import { titleOf } from "./describe-round.js";
import { Elsewhere, Missing, Retired, RoundCounts, Seen, Unknown } from "./findings.js";
import type { RoundView } from "./round-view.js";
import { Waiting } from "./waiting.js";
import { t, tRich } from "../../language/translate.js";
import { PersonName } from "../text/person-name.js";

/** A round: during it the assets still to be seen, at its end the findings. */
export function RoundPage({ view }: { view: RoundView }): VNode {
  const { caller, round, mayScan } = view;
  const isRunning = round.ended_at === null;
  const address = `/rounds/${round.id}`;
  return (
    <Page
      title={t("Round: {place}", { place: titleOf(round) })}
      width="wide"
      current="/scan/rounds"
    >
      <PageHead
        title={titleOf(round)}
        crumbs={[{ href: "/rounds", label: t("Rounds") }]}
        facts={<HeadFacts view={view} />}
        {...(mayScan &&
          isReopenable(caller, round) && {
            actions: (
              <PostForm class="no-print" action={`${address}/reopen`}>
                <button type="submit" class="quiet">
                  {t("Reopen")}
                </button>
              </PostForm>
            ),
          })}
      />
      <p class="print-only soft">
        {t("{organization}, {moment}", {
          moment: describeMomentInFull(nowOf(caller)),
          organization: caller.organizationName,
        })}
      </p>
      {isRunning && mayScan ? (
        <PostForm class="panel scanner" action={address}>
          <input type="hidden" name="scan_id" value={createToken()} />
          <Scanner submit={t("Add")} />
        </PostForm>
      ) : (
        <ErrorSummary errors={useForm().errors} />
      )}
      <Waiting person={caller} round={round.id} />
      <div id="found">
        <RoundCounts round={round} {...(isRunning && { left: view.expected.total })} />
        <Missing view={view} />
        <Elsewhere view={view} />
        <Retired view={view} />
        <Unknown view={view} />
        <Seen view={view} />
      </div>
      {isRunning && mayScan && <EndRound address={address} isAsked={view.expected.total > 0} />}
      {!isRunning && <ExportLinks path={`${address}/findings`} query={new URLSearchParams()} />}
    </Page>
  );
}

/** At the end of the list, where no one taps it between two scans. */
function EndRound({ address, isAsked }: { address: string; isAsked: boolean }): VNode {
  const action = `${address}/end`;
  const words = t("End the round");
  return isAsked ? (
    <p class="actions no-print">
      <ActionLink href={action} quiet>
        {words}
      </ActionLink>
    </p>
  ) : (
    <PostForm class="no-print" action={action}>
      <FormActions submit={words} />
    </PostForm>
  );
}

function HeadFacts({ view: { round } }: { view: RoundView }): VNode {
  const { started_at, started_by, ended_at, ended_by } = round;
  return (
    <>
      <span>
        {tRich("Started {when} by {name}", {
          when: <Moment at={started_at} inline />,
          name: <PersonName name={started_by} />,
        })}
      </span>
      {ended_at !== null && (
        <span>
          {tRich("Ended {when} by {name}", {
            when: <Moment at={ended_at} inline />,
            name: <PersonName name={ended_by} />,
          })}
        </span>
      )}
    </>
  );
}
