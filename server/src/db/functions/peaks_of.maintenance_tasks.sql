-- Returns the values that a task adds to the peaks of its asset.
CREATE OR REPLACE FUNCTION peaks_of(t maintenance_tasks)
RETURNS TABLE (begins_in text, kind text, amount numeric)
LANGUAGE sql IMMUTABLE AS $$
  SELECT begins_in, f.kind, f.amount FROM (VALUES
      (CASE WHEN is_failure(t) THEN 'failures' END, 1),
      (t.currency::text,
        coalesce(t.labor_cost, 0) + coalesce(t.parts_cost, 0) + coalesce(t.other_cost, 0))
    ) f (kind, amount), peaks_at(t.completed_at) begins_in
  WHERE t.asset_id IS NOT NULL AND t.completed_at IS NOT NULL AND f.kind IS NOT NULL AND f.amount > 0
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
