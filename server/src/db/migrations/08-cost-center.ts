/** Which part of the organization pays for an asset. */
export const costCenter = "ALTER TABLE assets ADD COLUMN cost_center text";
