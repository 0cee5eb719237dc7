import { t } from "../../../language/translate.js";

export const proceduresAddress = "/settings/procedures";
export const procedureAddress = (id: string, action?: string): string =>
  [proceduresAddress, id, ...(action === undefined ? [] : [action])].join("/");
export const proceduresCrumbs = () => [{ href: proceduresAddress, label: t("Procedures") }];
