import type { VNode } from "preact";
import type { PlainText } from "../../../language/texts.js";
import { t } from "../../../language/translate.js";
import { securityAddress } from "../../layout/mfa-redirect.js";
import { SettingsPage } from "../settings-layout.js";

export const noPasskeysReason: PlainText =
  "Passkeys need an https address with a domain name, which this server doesn't have.";

export function NoPasskeysPage(): VNode {
  return (
    <SettingsPage title={t("Passkeys aren't available here")} current={securityAddress}>
      <p>{t(noPasskeysReason)}</p>
    </SettingsPage>
  );
}
