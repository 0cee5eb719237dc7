-- Adds the difference of a change to the figures and peaks, without touching other rows. The server
-- sums the differences later. Deleting an organization adds none, nor does a transaction that recounts
-- all figures at its end. Assets have no peaks.
CREATE OR REPLACE FUNCTION write_figures() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organization text := CASE WHEN TG_OP = 'DELETE' THEN OLD.organization_id ELSE NEW.organization_id END;
BEGIN
  INSERT INTO figures (organization_id, workspace_id, kind, key, day, n, amount)
    SELECT organization, coalesce(f.workspace_id, ''), f.kind, f.key, f.day,
      sum(sign * n), sum(sign * amount)
    FROM (
      SELECT f.*, r.sign FROM (SELECT NEW AS row, 1 AS sign WHERE TG_OP <> 'DELETE' UNION ALL
        SELECT OLD, -1 WHERE TG_OP <> 'INSERT' OFFSET 0) r, figures_of(r.row) f
    ) f
    GROUP BY f.workspace_id, f.kind, f.key, f.day
    HAVING sum(sign * n) <> 0 OR sum(sign * amount) <> 0;
  IF TG_TABLE_NAME = 'assets' THEN RETURN NULL; END IF;
  INSERT INTO asset_peaks AS p (organization_id, asset_id, begins_in, kind, amount)
    SELECT organization, CASE WHEN TG_OP = 'DELETE' THEN OLD.asset_id ELSE NEW.asset_id END,
      begins_in, kind, sum(sign * amount)
    FROM (
      SELECT f.*, r.sign FROM (SELECT NEW AS row, 1 AS sign WHERE TG_OP <> 'DELETE' UNION ALL
        SELECT OLD, -1 WHERE TG_OP <> 'INSERT' OFFSET 0) r, peaks_of(r.row) f
    ) f
    GROUP BY begins_in, kind HAVING sum(sign * amount) <> 0
    ON CONFLICT (organization_id, asset_id, begins_in, kind)
      DO UPDATE SET amount = p.amount + excluded.amount;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER assets_write_figures AFTER INSERT OR DELETE
  OR UPDATE OF state, criticality, workspace_id, assigned_to_user_id, category_id, warranty_expires_on,
    currency, purchase_cost
  ON assets FOR EACH ROW
  WHEN ('on' <> ALL (ARRAY[
    current_setting('fettle.force_delete', true), current_setting('fettle.recounts', true)]) IS NOT FALSE)
  EXECUTE FUNCTION write_figures();

CREATE OR REPLACE TRIGGER maintenance_tasks_write_figures AFTER INSERT OR DELETE
  OR UPDATE OF state, type, hidden, asset_id, workspace_id, category_id, due_date, assigned_to_user_id,
    estimated_minutes, actual_minutes, downtime_minutes, labor_cost, parts_cost, other_cost, currency,
    started_at, completed_at, completed_by, plan_id
  ON maintenance_tasks FOR EACH ROW
  WHEN ('on' <> ALL (ARRAY[
    current_setting('fettle.force_delete', true), current_setting('fettle.recounts', true)]) IS NOT FALSE)
  EXECUTE FUNCTION write_figures();

CREATE OR REPLACE TRIGGER asset_state_periods_write_figures AFTER INSERT OR DELETE
  OR UPDATE OF workspace_id, category_id, hidden, started_at, ended_at, idle_since, is_failure
  ON asset_state_periods FOR EACH ROW
  WHEN ('on' <> ALL (ARRAY[
    current_setting('fettle.force_delete', true), current_setting('fettle.recounts', true)]) IS NOT FALSE)
  EXECUTE FUNCTION write_figures();
