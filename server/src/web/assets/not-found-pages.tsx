import type { VNode } from "preact";
import { Page } from "../layout/layout.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { toAddress } from "../lists/pager.js";
import { t, tRich } from "../../language/translate.js";

/** Shown if the person can't see the asset. Doesn't reveal if it exists. */
export function AssetNotFoundPage({
  reference,
}: {
  /** The text in the address. */
  reference: string;
}): VNode {
  const search = new URLSearchParams({ q: reference.slice(0, 200) });
  return (
    <Page title={t("Asset not found")} current="/assets/none">
      <PageHead title={t("Asset not found")} />
      <p>
        {t(
          "We can't find that asset. It may be in a workspace you're not in, have been permanently deleted, or the address is mistyped.",
        )}
      </p>
      <p class="actions">
        <ActionLink href={toAddress("/assets", search)}>{t("Search for it")}</ActionLink>
        <ActionLink quiet href="/assets">
          {t("View all assets")}
        </ActionLink>
      </p>
    </Page>
  );
}

/** Shown for a label that leads to nothing visible. Doesn't reveal if it leads anywhere. */
export function LabelNotFoundPage({ code }: { code: string }): VNode {
  return (
    <Page title={t("Nothing found for this label")} current="/assets/none">
      <PageHead title={t("Nothing found for this label")} />
      <p>
        {tRich(
          "The label {code} isn't on any asset you can see. The asset may be in a workspace or organization you're not in, it may have been permanently deleted, or the code was only partly read.",
          { code: <span class="inventory-number">{code.toUpperCase()}</span> },
        )}
      </p>
      <p>
        {t("If you look after this asset, ask an organization admin to add you to its workspace.")}
      </p>
      <p class="actions">
        <ActionLink href="/assets">{t("Search for the asset by name")}</ActionLink>
      </p>
    </Page>
  );
}
