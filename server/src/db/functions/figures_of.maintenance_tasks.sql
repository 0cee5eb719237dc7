-- Returns the values that a task adds to the figures, in total and by category, person, type of
-- work and completer. See `figures_of(assets)` for the keys. Every group counts failures as
-- `domain/assets/reliability.ts` defines them.
CREATE OR REPLACE FUNCTION figures_of(t maintenance_tasks)
RETURNS TABLE (workspace_id text, kind text, key text, day date, n int, amount numeric)
LANGUAGE sql IMMUTABLE AS $$
  SELECT t.workspace_id, f.kind || g.suffix, CASE g.suffix WHEN '' THEN f.key ELSE g.id || f.of_group END,
    f.day, f.n, f.amount
  FROM (VALUES (t.state NOT IN ('completed', 'cancelled'), (t.completed_at AT TIME ZONE 'UTC')::date,
      CASE WHEN t.type IN ('preventive', 'inspection', 'calibration', 'compliance_test')
        THEN CASE WHEN t.in_time THEN 'in_time' WHEN NOT t.in_time THEN 'late'
          WHEN t.state <> 'cancelled' THEN 'open' END END)) r (is_open, completed, planned),
    (VALUES ('', ''), ('_of_category', coalesce(t.category_id, '')),
      ('_of_person', coalesce(t.assigned_to_user_id, '')), ('_of_type', t.type),
      ('_of_completer', CASE WHEN t.state = 'completed' THEN coalesce(t.completed_by, '') END)) g (suffix, id),
    LATERAL (VALUES
      ('task', t.state, CASE WHEN r.is_open THEN '' END,
        CASE WHEN r.is_open THEN coalesce(t.due_date, 'infinity') ELSE '-infinity' END, 1,
        CASE WHEN r.is_open THEN coalesce(t.estimated_minutes, 0) ELSE 0 END::numeric),
      ('assigned_task', CASE WHEN r.is_open THEN coalesce(t.assigned_to_user_id, '') END, NULL,
        '-infinity', 1, 0),
      ('planned', r.planned || ' ' || t.type, ' ' || r.planned, t.due_date, 1, 0),
      ('work', t.type, '', r.completed, 1, coalesce(t.actual_minutes, 0)),
      ('cost', t.currency || ' ' || t.type, ' ' || t.currency, r.completed, 1,
        CASE WHEN num_nonnulls(t.labor_cost, t.parts_cost, t.other_cost) > 0 THEN
          coalesce(t.labor_cost, 0) + coalesce(t.parts_cost, 0) + coalesce(t.other_cost, 0) END),
      ('failure', CASE WHEN is_failure(t) THEN t.type END, '',
        r.completed, 1, 0),
      ('repair', CASE WHEN t.type = 'corrective' THEN '' END, NULL, r.completed, 1,
        -- greatest() ignores NULL and would return 0 without both times.
        CASE WHEN t.downtime_minutes IS NOT NULL THEN t.downtime_minutes / 60.0
          WHEN t.started_at IS NOT NULL
          THEN greatest(extract(epoch FROM t.completed_at - t.started_at) / 3600, 0) END)
    ) f (kind, key, of_group, day, n, amount)
  -- The keys of other kinds contain the type. Open work has no completer.
  WHERE NOT t.hidden AND (g.suffix <> '_of_type' OR f.kind = 'task')
    AND (g.suffix <> '_of_completer' OR f.kind IN ('planned', 'work', 'cost', 'failure'))
    AND num_nulls(g.id, f.key, CASE g.suffix WHEN '' THEN '' ELSE f.of_group END, f.day, f.amount) = 0
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
