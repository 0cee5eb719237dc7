import type { VNode } from "preact";
import { Page } from "../layout/layout.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { toAddress } from "../lists/pager.js";

/** An asset that is not there for the person, without telling whether it exists. */
export function AssetNotFoundPage({
  reference,
}: {
  /** What the address says. */
  reference: string;
}): VNode {
  const search = new URLSearchParams({ q: reference.slice(0, 200) });
  return (
    <Page title="Asset not found" current="/assets/none">
      <PageHead title="Asset not found" />
      <p>
        There is no asset here that you can see. It may be in a workspace that you are not in, have
        been permanently deleted, or the address may be mistyped.
      </p>
      <p class="actions">
        <ActionLink href={toAddress("/assets", search)}>Search for it</ActionLink>
        <ActionLink quiet href="/assets">
          See all assets
        </ActionLink>
      </p>
    </Page>
  );
}

/** A label that leads to nothing the person can see, without telling whether it leads anywhere. */
export function LabelNotFoundPage({ code }: { code: string }): VNode {
  return (
    <Page title="Nothing to see behind this label" current="/assets/none">
      <PageHead title="Nothing to see behind this label" />
      <p>
        The label <span class="inventory-number">{code.toUpperCase()}</span> leads to no asset that
        you can see. That is so when the asset is in a workspace or an organization that you are not
        in, when it was permanently deleted, or when the code was not read as a whole.
      </p>
      <p>
        If it should be yours to look after, ask an admin of your organization to add you to its
        workspace.
      </p>
      <p class="actions">
        <ActionLink href="/assets">Look for the asset by name</ActionLink>
      </p>
    </Page>
  );
}
