import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import { formatNumber } from "../text/format.js";
import { titleOf } from "./describe-round.js";
import type { RoundView } from "./round-view.js";

export function EndRoundPage({ view: { round, expected } }: { view: RoundView }): VNode {
  const address = `/rounds/${round.id}`;
  const title = t("End the round?");
  return (
    <Page title={title} current="/scan/rounds">
      <PageHead title={title} crumbs={[{ href: address, label: titleOf(round) }]} />
      <p>
        <strong>
          {t("{missing} of {all} not seen.", {
            missing: formatNumber(expected.total),
            all: formatNumber(round.seen + expected.total),
          })}
        </strong>{" "}
        {t("You can reopen the round for a day.")}
      </p>
      <PostForm action={`${address}/end`}>
        <FormActions submit={t("End anyway")} cancel={address} cancelWords={t("Keep scanning")} />
      </PostForm>
    </Page>
  );
}
