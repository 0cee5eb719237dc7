import type { VNode } from "preact";
import { operatorName } from "../../domain/audit/record-activity.js";
import { withoutAccount } from "../../domain/reports/create-report.js";
import { formerMember } from "../../domain/shared/former-member.js";
import { t } from "../../language/translate.js";

/** A name as it is, or what stands in place of one in the words of the reader. */
export function toPersonName(name: string): string {
  if (name === formerMember) return t("Former member");
  if (name === operatorName) return t("The person who runs the server");
  return name === withoutAccount ? t("Somebody without an account") : name;
}

export function PersonName({ name }: { name: string | null }): VNode | null {
  return name === null ? null : <bdi>{toPersonName(name)}</bdi>;
}
