-- Returns the values that a state period adds to the figures. The uptime between two times follows
-- from the number and times of periods that began and ended before each.
CREATE OR REPLACE FUNCTION figures_of(p asset_state_periods)
RETURNS TABLE (workspace_id text, kind text, key text, day date, n int, amount numeric)
LANGUAGE sql IMMUTABLE AS $$
  SELECT p.workspace_id, f.kind, f.key, (f.at AT TIME ZONE 'UTC')::date, f.n, f.amount FROM (VALUES
    (CASE WHEN p.state IN ('available', 'in_use') THEN 'up'
      WHEN p.state IN ('in_maintenance', 'out_of_service') THEN 'down' END,
      '', p.started_at, 1, extract(epoch FROM p.started_at)),
    (CASE WHEN p.state IN ('available', 'in_use') THEN 'up'
      WHEN p.state IN ('in_maintenance', 'out_of_service') THEN 'down' END,
      '', p.ended_at, -1, -extract(epoch FROM p.ended_at)),
    ('idle', '', CASE WHEN p.ended_at IS NULL THEN p.idle_since END, 1, 0),
    (CASE WHEN p.is_failure THEN 'failure' END, '', p.started_at, 1, 0),
    (CASE WHEN p.is_failure THEN 'failure_of_category' END, coalesce(p.category_id, ''),
      p.started_at, 1, 0),
    -- A failure without work has no person.
    (CASE WHEN p.is_failure THEN 'failure_of_person' END, '', p.started_at, 1, 0),
    (CASE WHEN p.is_failure THEN 'failure_of_completer' END, '', p.started_at, 1, 0)
  ) f (kind, key, at, n, amount)
  WHERE NOT p.hidden AND num_nulls(f.kind, f.at) = 0
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
