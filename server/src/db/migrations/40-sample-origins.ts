/**
 * Where a sample organization was made: it counts in the limits of that one. Those that are there count
 * in the first that their person has a say in.
 */
export const sampleOrigins = `
ALTER TABLE organizations ADD COLUMN sample_from text;
UPDATE organizations o SET sample_from = (
  SELECT m.organization_id FROM organization_members m JOIN organizations h ON h.id = m.organization_id
  WHERE m.user_id = o.sample_of AND m.removed_at IS NULL AND m.role <> 'member'
    AND h.sample_percent IS NULL
  ORDER BY m.joined_at, m.organization_id LIMIT 1)
WHERE o.sample_of IS NOT NULL;
`;
