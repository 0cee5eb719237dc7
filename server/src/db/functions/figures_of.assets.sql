-- Returns the values that an asset adds to the figures. A kind that is counted by group is also
-- added "of" the asset's category and person, with a key that begins with the group. `of_group` is
-- the rest of that key, or NULL for kinds that are not counted by group.
CREATE OR REPLACE FUNCTION figures_of(a assets)
RETURNS TABLE (workspace_id text, kind text, key text, day date, n int, amount numeric)
LANGUAGE sql IMMUTABLE AS $$
  SELECT a.workspace_id, f.kind || g.suffix, CASE g.suffix WHEN '' THEN f.key ELSE g.id || f.of_group END,
    f.day, f.n, f.amount
  FROM (VALUES ('', ''), ('_of_category', coalesce(a.category_id, '')),
      ('_of_person', coalesce(a.assigned_to_user_id, ''))) g (suffix, id), (VALUES
    ('asset', a.state || ' ' || a.criticality, CASE WHEN a.state <> 'deleted' THEN '' END,
      '-infinity'::date, 1, 0::numeric),
    ('created_asset', '', NULL, (a.created_at AT TIME ZONE 'UTC')::date, 1, 0),
    ('not_placed', CASE WHEN a.workspace_id IS NULL THEN '' END, NULL, '-infinity', 1, 0),
    ('warranty', '', NULL, a.warranty_expires_on, 1, 0),
    ('purchase', a.currency::text, ' ' || a.currency, '-infinity', 1, a.purchase_cost)
  ) f (kind, key, of_group, day, n, amount)
  WHERE (f.kind = 'asset' OR a.state <> 'deleted')
    AND num_nulls(CASE g.suffix WHEN '' THEN f.key ELSE f.of_group END, f.day, f.amount) = 0
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
