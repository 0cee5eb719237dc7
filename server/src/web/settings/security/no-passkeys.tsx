import type { VNode } from "preact";
import type { PlainText } from "../../../language/texts.js";
import { t } from "../../../language/translate.js";
import { securityAddress } from "../../layout/second-factor-lead.js";
import { SettingsPage } from "../settings-layout.js";

export const noPasskeysReason: PlainText =
  "Browsers use passkeys only at an https address with a name, which this server has not.";

export function NoPasskeysPage(): VNode {
  return (
    <SettingsPage title={t("No passkeys here")} current={securityAddress}>
      <p>{t(noPasskeysReason)}</p>
    </SettingsPage>
  );
}
