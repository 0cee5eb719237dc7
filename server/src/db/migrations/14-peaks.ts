/** What assets failed and cost at most, by which the first ones are found; a part of the figures. */
export const peaks = `
-- At least what an asset adds in any 365 days that begin in a year ('2026'), or in any 90 days that begin
-- in a quarter ('2026Q3'), so that few are looked at to find those with most: failures, or the cost of
-- work in a currency, in that year and the next, or that quarter and the next.
CREATE TABLE asset_peaks (
  organization_id text NOT NULL,
  asset_id text NOT NULL,
  workspace_id text,
  criticality text NOT NULL,
  begins_in text NOT NULL,
  kind text NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (organization_id, asset_id, begins_in, kind),
  CONSTRAINT asset_peaks_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX asset_peaks_amount_idx ON asset_peaks
  (organization_id, begins_in, kind, amount DESC, asset_id) INCLUDE (workspace_id);
CREATE INDEX asset_peaks_repeated_failures_idx ON asset_peaks
  (organization_id, begins_in, criticality, amount DESC, asset_id) INCLUDE (workspace_id)
  WHERE kind = 'failures' AND amount >= 3;

CREATE FUNCTION peaks_at(at timestamptz) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN is_year THEN '' || y ELSE y || 'Q' || extract(quarter FROM begin) END
  FROM (VALUES (true, interval '1 year'), (true, '0'), (false, '3 months'), (false, '0')) p (is_year, ago),
    LATERAL (SELECT date_trunc('quarter', at AT TIME ZONE 'UTC') - ago AS begin) b,
    LATERAL (SELECT extract(year FROM begin) AS y) y
$$;

CREATE FUNCTION peaks_of(t maintenance_tasks) RETURNS TABLE (begins_in text, kind text, amount numeric)
LANGUAGE sql IMMUTABLE AS $$
  SELECT begins_in, f.kind, f.amount FROM (VALUES
      (CASE WHEN t.type = 'corrective' THEN 'failures' END, 1),
      (t.currency::text,
        coalesce(t.labor_cost, 0) + coalesce(t.parts_cost, 0) + coalesce(t.other_cost, 0))
    ) f (kind, amount), peaks_at(t.completed_at) begins_in
  WHERE t.asset_id IS NOT NULL AND t.completed_at IS NOT NULL AND f.kind IS NOT NULL AND f.amount > 0
$$;

CREATE FUNCTION peaks_of(p asset_state_periods)
RETURNS TABLE (begins_in text, kind text, amount numeric) LANGUAGE sql IMMUTABLE AS $$
  SELECT begins_in, 'failures', 1::numeric FROM peaks_at(p.started_at) begins_in WHERE p.is_failure
$$;

CREATE FUNCTION asset_peaks_fill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.workspace_id, a.criticality INTO NEW.workspace_id, NEW.criticality FROM assets a
    WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id;
  RETURN NEW;
END $$;
CREATE TRIGGER asset_peaks_fill BEFORE INSERT ON asset_peaks
  FOR EACH ROW WHEN (NEW.criticality IS NULL) EXECUTE FUNCTION asset_peaks_fill();
`;
