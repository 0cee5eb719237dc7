-- Recounts the figures of an organization whose rows were written without the triggers, or by
-- earlier definitions.
CREATE OR REPLACE FUNCTION recount_figures(organization text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE asset_state_periods p SET workspace_id = a.workspace_id, hidden = a.state = 'deleted',
      category_id = a.category_id, is_failure = is_failure(p), idle_since = idle_since(p)
    FROM assets a WHERE p.organization_id = organization AND a.organization_id = organization
      AND a.id = p.asset_id AND (p.workspace_id, p.hidden, p.category_id, p.is_failure, p.idle_since)
        IS DISTINCT FROM
          (a.workspace_id, a.state = 'deleted', a.category_id, is_failure(p), idle_since(p));
  UPDATE maintenance_tasks t SET in_time = in_time(t) WHERE t.organization_id = organization
    AND t.state IN ('completed', 'cancelled') AND t.in_time IS DISTINCT FROM in_time(t);
  UPDATE maintenance_tasks t SET criticality = a.criticality, category_id = a.category_id FROM assets a
    WHERE t.organization_id = organization AND a.organization_id = organization
      AND a.id = t.asset_id
      AND (t.criticality, t.category_id) IS DISTINCT FROM (a.criticality, a.category_id);
  DELETE FROM figures WHERE organization_id = organization;
  DELETE FROM asset_peaks WHERE organization_id = organization;
  INSERT INTO figures
    SELECT organization, 1, f.kind, coalesce(f.workspace_id, ''), f.day, f.key, 0, sum(f.n), sum(f.amount)
    FROM (
      SELECT f.* FROM assets a, figures_of(a) f WHERE a.organization_id = organization
      UNION ALL
      SELECT f.* FROM maintenance_tasks t, figures_of(t) f WHERE t.organization_id = organization
      UNION ALL
      SELECT f.* FROM asset_state_periods p, figures_of(p) f WHERE p.organization_id = organization
    ) f GROUP BY f.workspace_id, f.kind, f.key, f.day;
  INSERT INTO figures SELECT organization, 2, kind, '', day, key, 0, sum(n), sum(amount)
    FROM figures WHERE organization_id = organization GROUP BY kind, key, day;
  INSERT INTO asset_peaks
      (organization_id, asset_id, workspace_id, criticality, begins_in, kind, amount)
    SELECT organization, a.id, a.workspace_id, a.criticality, begins_in, kind, sum(amount) FROM (
      SELECT t.asset_id, f.* FROM maintenance_tasks t, peaks_of(t) f
      WHERE t.organization_id = organization
      UNION ALL
      SELECT p.asset_id, f.* FROM asset_state_periods p, peaks_of(p) f
      WHERE p.organization_id = organization
    ) f JOIN assets a ON a.organization_id = organization AND a.id = f.asset_id
    GROUP BY a.id, a.workspace_id, a.criticality, begins_in, kind;
END $$;
