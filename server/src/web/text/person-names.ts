import { withoutAccount } from "../../domain/reports/create-report.js";
import { formerMember } from "../../domain/values/former-member.js";
import { t } from "../../language/translate.js";

/** A name as it is, or what stands in place of one in the words of the reader. */
export function toPersonName(name: string): string {
  if (name === formerMember) return t("Former member");
  return name === withoutAccount ? t("Somebody without an account") : name;
}
