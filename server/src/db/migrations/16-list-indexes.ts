/** Indexes of filters that came later: by sighting, several types or priorities, days of completion, apps. */
export const listIndexes = `
CREATE INDEX assets_last_seen_at_idx ON assets
  (organization_id, (coalesce(last_seen_at, '-infinity'::timestamptz)))
  INCLUDE (last_seen_at, workspace_id) WHERE state <> 'deleted';

-- What the conditions of lists are about is read from the index where rows are counted.
DROP INDEX maintenance_tasks_urgency_idx, maintenance_tasks_completed_at_idx;
CREATE INDEX maintenance_tasks_urgency_idx ON maintenance_tasks (organization_id,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (state, hidden, due_date, type, priority, workspace_id, completed_at) WHERE NOT hidden;
CREATE INDEX maintenance_tasks_completed_at_idx ON maintenance_tasks (organization_id, completed_at)
  INCLUDE (id, asset_id, workspace_id, hidden, type, due_date, currency, labor_cost, parts_cost,
    other_cost)
  WHERE state = 'completed';
CREATE INDEX history_events_client_name_idx ON history_events (organization_id, client_name, client_id)
  INCLUDE (id, source, occurred_at, sequence, visible_in) WHERE client_id IS NOT NULL;
`;
