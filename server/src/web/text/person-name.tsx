import type { VNode } from "preact";
import { operatorName } from "../../domain/audit/record-activity.js";
import { withoutAccount } from "../../domain/reports/create-report.js";
import { contractorOf } from "../../domain/shared/contractor-name.js";
import { formerMember } from "../../domain/shared/former-member.js";
import { t } from "../../language/translate.js";

/** Translates placeholders, and returns other names unchanged. */
export function toPersonName(name: string): string {
  if (name === formerMember) return t("Former member");
  if (name === operatorName) return t("The server's administrator");
  const contractor = contractorOf(name);
  if (contractor !== undefined) return t("{name} (contractor link)", { name: contractor });
  return name === withoutAccount ? t("Someone without an account") : name;
}

export function PersonName({ name }: { name: string | null }): VNode | null {
  return name === null ? null : <bdi>{toPersonName(name)}</bdi>;
}
