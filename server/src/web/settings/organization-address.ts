import { t } from "../../language/translate.js";

export const organizationAddress = "/settings/organization";
export const organizationCrumbs = [
  {
    href: organizationAddress,
    get label() {
      return t("Organization");
    },
  },
];
