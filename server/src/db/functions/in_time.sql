-- Planned work is on time up to a day, or a tenth of its interval, after its due date.
CREATE OR REPLACE FUNCTION in_time(t maintenance_tasks) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN t.completed_at IS NOT NULL THEN
      (t.completed_at AT TIME ZONE o.time_zone)::date <= t.due_date + coalesce(
        (SELECT greatest(1, p.every * CASE p.unit
            WHEN 'day' THEN 1 WHEN 'week' THEN 7 WHEN 'month' THEN 30 ELSE 365 END / 10)
          FROM maintenance_plans p WHERE p.organization_id = t.organization_id AND p.id = t.plan_id), 1)
    WHEN (t.cancelled_at AT TIME ZONE o.time_zone)::date >= t.due_date THEN false END
  FROM organizations o WHERE o.id = t.organization_id
    AND t.type IN ('preventive', 'inspection', 'calibration', 'compliance_test')
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
