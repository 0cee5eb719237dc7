-- Returns the years and quarters in whose peaks an event at a time counts. See the table
-- `asset_peaks`.
CREATE OR REPLACE FUNCTION peaks_at(at timestamptz) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN is_year THEN '' || y ELSE y || 'Q' || extract(quarter FROM begin) END
  FROM (VALUES (true, interval '1 year'), (true, '0'), (false, '3 months'), (false, '0')) p (is_year, ago),
    LATERAL (SELECT date_trunc('quarter', at AT TIME ZONE 'UTC') - ago AS begin) b,
    LATERAL (SELECT extract(year FROM begin) AS y) y
$$;

-- Afterwards
LOCK TABLE assets, maintenance_tasks, asset_state_periods, figures IN SHARE ROW EXCLUSIVE MODE;
SELECT recount_figures(id) FROM organizations;
