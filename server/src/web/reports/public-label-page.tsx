import type { VNode } from "preact";
import type { PlaceLabelRow } from "../../domain/labels/place-labels.js";
import type { PublicLabel } from "../../domain/reports/public-labels.js";
import { t, tRich } from "../../language/translate.js";
import { BarePage } from "../layout/bare-page.js";
import { InventoryNumber } from "../layout/facts.js";
import { Page } from "../layout/layout.js";
import { ActionLink } from "../layout/page-head.js";

export function toReportAddress(code: string): string {
  return `/q/${encodeURIComponent(code.toLowerCase())}/report`;
}

/** The label's own data for people in front of it, and the available actions. */
export function PublicLabelPage({ label, code }: { label: PublicLabel; code: string }): VNode {
  return (
    <BarePage title={label.name}>
      <LabelLines {...label} />
      <p class="actions">
        <a class="button" href={toReportAddress(code)}>
          {t("Report a problem")}
        </a>
        <a class="button quiet" href="/signin">
          {t("Sign in")}
        </a>
      </p>
      <p class="soft">
        {tRich("Work here? Sign in with your {organization} account to see the full record.", {
          organization: <bdi>{label.organization}</bdi>,
        })}
      </p>
    </BarePage>
  );
}

/** The number on the label or the place's workspace, and its organization. */
export function LabelLines({
  inventory_number: number,
  workspace,
  organization,
}: Pick<PublicLabel, "inventory_number" | "workspace" | "organization">): VNode {
  return (
    <p class="page-facts">
      {number !== null && <InventoryNumber>{number}</InventoryNumber>}{" "}
      {workspace !== null && <span dir="auto">{workspace}</span>}{" "}
      <span dir="auto">{organization}</span>
    </p>
  );
}

/** A place's label, for members who see its workspace. */
export function OwnPlacePage({ place, code }: { place: PlaceLabelRow; code: string }): VNode {
  const { name, within, workspace_id, organization } = place;
  return (
    <Page title={name} width="narrow">
      <h1 dir="auto">{name}</h1>
      <LabelLines inventory_number={null} workspace={within} organization={organization} />
      <p class="actions">
        <ActionLink href={toReportAddress(code)}>{t("Report a problem")}</ActionLink>
        <ActionLink href={`/workspaces/${workspace_id}`} quiet>
          {t("View workspace")}
        </ActionLink>
      </p>
    </Page>
  );
}
