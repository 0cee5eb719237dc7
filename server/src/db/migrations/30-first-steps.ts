/** The steps of a new organization stay until they are done, or hidden by who sees them. */
export const firstSteps = `
ALTER TABLE organization_members ADD COLUMN hides_first_steps boolean NOT NULL DEFAULT false;
UPDATE organization_members m SET hides_first_steps = true
WHERE EXISTS (SELECT FROM assets a WHERE a.organization_id = m.organization_id);
`;
