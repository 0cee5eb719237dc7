import { t } from "../../../language/translate.js";

export const webhooksAddress = "/settings/webhooks";
export const webhookAddress = (id: string, action?: string): string =>
  [webhooksAddress, id, ...(action === undefined ? [] : [action])].join("/");
export const webhooksCrumbs = () => [{ href: webhooksAddress, label: t("Webhooks") }];
