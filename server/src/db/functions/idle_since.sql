-- For a stored or deleted period: returns the end of the asset's latest earlier period in another
-- state. NULL for other periods.
CREATE OR REPLACE FUNCTION idle_since(p asset_state_periods)
RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT max(b.ended_at) FROM asset_state_periods b
  WHERE b.organization_id = p.organization_id AND b.asset_id = p.asset_id
    AND p.state IN ('stored', 'deleted') AND b.state NOT IN ('stored', 'deleted')
    AND b.started_at <= p.started_at
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
