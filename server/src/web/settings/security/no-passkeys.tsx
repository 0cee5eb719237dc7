import type { VNode } from "preact";
import { securityAddress } from "../../layout/second-factor-lead.js";
import { SettingsPage } from "../settings-layout.js";

export const noPasskeysReason =
  "Browsers use passkeys only at an https address with a name, which this server has not.";

export function NoPasskeysPage(): VNode {
  return (
    <SettingsPage title="No passkeys here" current={securityAddress}>
      <p>{noPasskeysReason}</p>
    </SettingsPage>
  );
}
