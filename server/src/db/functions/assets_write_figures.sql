-- Writes the difference that a change makes to the figures, without touching rows of others. The server
-- sums the differences up later. Deleting an organization writes none.
CREATE OR REPLACE FUNCTION assets_write_figures() RETURNS trigger LANGUAGE plpgsql AS $$
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
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER assets_write_figures AFTER INSERT OR DELETE
  OR UPDATE OF state, criticality, workspace_id, assigned_to_user_id, category_id, warranty_expires_on,
    currency, purchase_cost
  ON assets FOR EACH ROW
  WHEN (current_setting('fettle.force_delete', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION assets_write_figures();
