-- Completed corrective work on an asset is a failure. For other failures see
-- `domain/assets/reliability.ts`.
CREATE OR REPLACE FUNCTION is_failure(t maintenance_tasks) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT t.type = 'corrective' AND t.state = 'completed' AND t.asset_id IS NOT NULL
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
