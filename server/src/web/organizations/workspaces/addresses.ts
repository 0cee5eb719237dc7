import { t } from "../../../language/translate.js";

export const workspacesAddress = "/workspaces";
export const workspacesCrumb = {
  href: workspacesAddress,
  get label() {
    return t("Workspaces");
  },
};
/** Of the forms that add, change and delete workspaces. */
export const workspaceFormsAddress = "/settings/workspaces";
