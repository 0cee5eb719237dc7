/**
 * SQL joins for the asset (`a`) or place (`p`) of reports, and for the workspace (`w`) that it is in
 * now. `site.workspace_id` decides who sees a report. `report` is the alias of the reports.
 */
export function reportSiteJoins(report: string): string {
  return `LEFT JOIN assets a ON a.organization_id = ${report}.organization_id AND a.id = ${report}.asset_id
    LEFT JOIN place_labels p ON p.organization_id = ${report}.organization_id AND p.id = ${report}.place_id
    CROSS JOIN LATERAL (SELECT coalesce(a.workspace_id, p.workspace_id) AS workspace_id) site
    LEFT JOIN workspaces w ON w.organization_id = ${report}.organization_id AND w.id = site.workspace_id`;
}

/** The asset's name, or the place: its location, or the workspace. */
export const reportSiteName = "coalesce(a.name, p.location, w.name::text)";
