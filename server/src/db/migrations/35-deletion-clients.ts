/** Which app deleted, as others may have its name; of earlier ones where the person had one app of the name. */
export const deletionClients = `
ALTER TABLE deletion_records ADD COLUMN client_id text;
UPDATE deletion_records d SET client_id = (
  SELECT min(c.client_id) FROM oauth_connections c JOIN oauth_clients k ON k.id = c.client_id
  WHERE c.organization_id = d.organization_id AND c.user_id = d.actor_user_id AND coalesce(k.name, k.id) = d.client_name
  HAVING count(DISTINCT c.client_id) = 1)
WHERE d.client_name IS NOT NULL;
`;
