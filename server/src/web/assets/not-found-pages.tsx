import type { VNode } from "preact";
import { Page } from "../layout/layout.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { toAddress } from "../lists/pager.js";
import { t, tRich } from "../../language/translate.js";

/** An asset that is not there for the person, without telling whether it exists. */
export function AssetNotFoundPage({
  reference,
}: {
  /** What the address says. */
  reference: string;
}): VNode {
  const search = new URLSearchParams({ q: reference.slice(0, 200) });
  return (
    <Page title={t("Asset not found")} current="/assets/none">
      <PageHead title={t("Asset not found")} />
      <p>
        {t(
          "There is no asset here that you can see. It may be in a workspace that you are not in, have been permanently deleted, or the address may be mistyped.",
        )}
      </p>
      <p class="actions">
        <ActionLink href={toAddress("/assets", search)}>{t("Search for it")}</ActionLink>
        <ActionLink quiet href="/assets">
          {t("See all assets")}
        </ActionLink>
      </p>
    </Page>
  );
}

/** A label that leads to nothing the person can see, without telling whether it leads anywhere. */
export function LabelNotFoundPage({ code }: { code: string }): VNode {
  return (
    <Page title={t("Nothing to see behind this label")} current="/assets/none">
      <PageHead title={t("Nothing to see behind this label")} />
      <p>
        {tRich(
          "The label {code} leads to no asset that you can see. That is so when the asset is in a workspace or an organization that you are not in, when it was permanently deleted, or when the code was not read as a whole.",
          { code: <span class="inventory-number">{code.toUpperCase()}</span> },
        )}
      </p>
      <p>
        {t(
          "If it should be yours to look after, ask an admin of your organization to add you to its workspace.",
        )}
      </p>
      <p class="actions">
        <ActionLink href="/assets">{t("Look for the asset by name")}</ActionLink>
      </p>
    </Page>
  );
}
