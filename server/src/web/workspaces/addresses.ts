export const workspacesAddress = "/workspaces";
export const workspacesCrumb = { href: workspacesAddress, label: "Workspaces" };
/** Of the forms that add, change and delete workspaces. */
export const workspaceFormsAddress = "/settings/workspaces";
