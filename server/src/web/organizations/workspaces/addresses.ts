import { t } from "../../../language/translate.js";

export const workspacesAddress = "/workspaces";
export const workspacesCrumb = {
  href: workspacesAddress,
  get label() {
    return t("Workspaces");
  },
};
export const placeLabelsAddress = (id: string) => `${workspacesAddress}/${id}/labels`;
export const workspaceFormsAddress = "/settings/workspaces";
