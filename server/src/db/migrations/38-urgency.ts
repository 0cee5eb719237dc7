/** Of each criticality and priority, the open work that is due first: of all, and of each workspace. */
export const urgency = `
DROP INDEX maintenance_tasks_overdue_idx, maintenance_tasks_assigned_to_user_id_idx;
CREATE INDEX maintenance_tasks_criticality_idx ON maintenance_tasks
  (organization_id, criticality, priority, (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (state, hidden, due_date, type, asset_id, workspace_id, assigned_to_user_id)
  WHERE NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold');
CREATE INDEX maintenance_tasks_place_criticality_idx ON maintenance_tasks
  (organization_id, workspace_id, criticality, priority, (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (state, hidden, due_date, type, assigned_to_user_id)
  WHERE NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold');
CREATE INDEX maintenance_tasks_assigned_to_user_id_idx ON maintenance_tasks (organization_id,
  assigned_to_user_id, (state IN ('completed', 'cancelled')),
  (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (state, hidden, due_date, type, criticality, priority, workspace_id);
`;
