export const organizationAddress = "/settings/organization";
export const organizationCrumbs = [{ href: organizationAddress, label: "Organization" }];
