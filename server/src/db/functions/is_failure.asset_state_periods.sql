-- An entry into out_of_service is a failure unless it belongs to a task or corrective work covers
-- it.
CREATE OR REPLACE FUNCTION is_failure(p asset_state_periods)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p.state = 'out_of_service' AND p.task_id IS NULL AND NOT EXISTS (
    SELECT FROM maintenance_tasks c
    WHERE c.organization_id = p.organization_id AND c.asset_id = p.asset_id AND is_failure(c)
      AND least(c.created_at, c.started_at, c.completed_at) <= coalesce(p.ended_at, 'infinity')
      AND c.completed_at >= p.started_at)
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
