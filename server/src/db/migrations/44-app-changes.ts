/** What one app changed for one person is counted and undone, however much other apps and people changed. */
export const appChanges = `
DROP INDEX history_events_client_id_idx;
CREATE INDEX history_events_client_id_idx
  ON history_events (organization_id, client_id, actor_user_id, recorded_at) WHERE client_id IS NOT NULL;
`;
