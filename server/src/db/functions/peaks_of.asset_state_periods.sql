-- Returns the values that a state period adds to the peaks of its asset.
CREATE OR REPLACE FUNCTION peaks_of(p asset_state_periods)
RETURNS TABLE (begins_in text, kind text, amount numeric) LANGUAGE sql IMMUTABLE AS $$
  SELECT begins_in, 'failures', 1::numeric FROM peaks_at(p.started_at) begins_in WHERE p.is_failure
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
