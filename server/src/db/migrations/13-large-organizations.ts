/**
 * Indexes by which filters, orders and words cost the same in an organization of a million assets,
 * and beside one. Words and parts of words are looked up together with the organization.
 */
export const largeOrganizations = `
CREATE EXTENSION IF NOT EXISTS btree_gin;

DROP INDEX assets_search_idx, assets_trigram_idx, assets_assigned_to_user_id_idx, assets_counts_idx;
CREATE INDEX assets_search_idx ON assets USING gin (organization_id, search, name gin_trgm_ops,
  inventory_number gin_trgm_ops, serial_number gin_trgm_ops, tags);
CREATE INDEX assets_counts_idx ON assets (organization_id, workspace_id, state)
  INCLUDE (criticality) WHERE state <> 'deleted';
CREATE INDEX assets_state_idx ON assets (organization_id, state, lower(name), id);
CREATE INDEX assets_criticality_idx ON assets (organization_id, criticality, lower(name), id)
  WHERE state <> 'deleted';
CREATE INDEX assets_assigned_to_user_id_idx ON assets (organization_id, assigned_to_user_id)
  INCLUDE (state, workspace_id);

DROP INDEX maintenance_tasks_search_idx, maintenance_tasks_title_idx,
  maintenance_tasks_workspace_id_idx, maintenance_tasks_assigned_to_user_id_idx;
CREATE INDEX maintenance_tasks_search_idx ON maintenance_tasks
  USING gin (organization_id, search, title gin_trgm_ops);
CREATE INDEX maintenance_tasks_type_idx ON maintenance_tasks (organization_id, type,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id)
  WHERE NOT hidden;
CREATE INDEX maintenance_tasks_workspace_id_idx ON maintenance_tasks (organization_id, workspace_id,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id);
CREATE INDEX maintenance_tasks_assigned_to_user_id_idx ON maintenance_tasks (organization_id,
  assigned_to_user_id, (state IN ('completed', 'cancelled')),
  (coalesce(due_date, 'infinity'::date)), id) INCLUDE (state, hidden, workspace_id);

-- What is in no workspace, for members: an index does not order what IS NULL in it.
CREATE INDEX assets_not_placed_idx ON assets (organization_id, lower(name), id)
  WHERE workspace_id IS NULL AND state <> 'deleted';
CREATE INDEX maintenance_tasks_not_placed_idx ON maintenance_tasks (organization_id,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id)
  WHERE workspace_id IS NULL AND NOT hidden;

DROP INDEX history_events_search_idx;
CREATE INDEX history_events_search_idx ON history_events USING gin (organization_id, search);
CREATE INDEX history_events_source_idx
  ON history_events (organization_id, source, occurred_at DESC, sequence DESC);
CREATE INDEX history_events_workspace_id_idx
  ON history_events (organization_id, workspace_id, occurred_at DESC, sequence DESC);
`;
