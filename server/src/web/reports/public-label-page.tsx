import type { VNode } from "preact";
import type { PublicLabel } from "../../domain/reports/public-labels.js";
import { t, tRich } from "../../language/translate.js";
import { BarePage } from "../layout/bare-page.js";
import { InventoryNumber } from "../layout/facts.js";

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

/** The number on the label, and its organization. */
export function LabelLines({
  inventory_number: number,
  organization,
}: Pick<PublicLabel, "inventory_number" | "organization">): VNode {
  return (
    <p class="page-facts">
      <InventoryNumber>{number}</InventoryNumber> <span dir="auto">{organization}</span>
    </p>
  );
}
