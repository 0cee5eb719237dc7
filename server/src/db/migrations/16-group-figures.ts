import { unlessDeleted } from "./14-figures.js";

/** What a task, and a state period, add. A failure is the same in every group: see `assets/reliability.ts`. */
export const figuresOfWork = `
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
      ('failure', CASE WHEN t.type = 'corrective' AND t.asset_id IS NOT NULL THEN t.type END, '',
        r.completed, 1, 0),
      ('repair', CASE WHEN t.type = 'corrective' THEN '' END, NULL, r.completed, 1,
        -- NULL without both: greatest() alone would make it 0.
        CASE WHEN t.downtime_minutes IS NOT NULL THEN t.downtime_minutes / 60.0
          WHEN t.started_at IS NOT NULL
          THEN greatest(extract(epoch FROM t.completed_at - t.started_at) / 3600, 0) END)
    ) f (kind, key, of_group, day, n, amount)
  -- Of the others the key has the type already, and what is open was completed by nobody.
  WHERE NOT t.hidden AND (g.suffix <> '_of_type' OR f.kind = 'task')
    AND (g.suffix <> '_of_completer' OR f.kind IN ('planned', 'work', 'cost', 'failure'))
    AND num_nulls(g.id, f.key, CASE g.suffix WHEN '' THEN '' ELSE f.of_group END, f.day, f.amount) = 0
$$;

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
    -- No work, so nobody's.
    (CASE WHEN p.is_failure THEN 'failure_of_person' END, '', p.started_at, 1, 0),
    (CASE WHEN p.is_failure THEN 'failure_of_completer' END, '', p.started_at, 1, 0)
  ) f (kind, key, at, n, amount)
  WHERE NOT p.hidden AND num_nulls(f.kind, f.at) = 0
$$;
`;

export const workWritesFigures = `
DROP TRIGGER maintenance_tasks_write_figures ON maintenance_tasks;
CREATE TRIGGER maintenance_tasks_write_figures AFTER INSERT OR DELETE OR UPDATE OF state, type, hidden,
  asset_id, workspace_id, category_id, due_date, assigned_to_user_id, estimated_minutes, actual_minutes,
  downtime_minutes, labor_cost, parts_cost, other_cost, currency, started_at, completed_at, completed_by,
  plan_id
  ON maintenance_tasks FOR EACH ROW ${unlessDeleted}
  EXECUTE FUNCTION maintenance_tasks_write_figures();
`;

/**
 * Figures by category, person and type of work too: what a row adds of a kind, it adds of that kind "of"
 * each of these, where the key begins with the group. Replaces the functions of 14-figures.
 */
export const groupFigures = `
-- Those of the asset; work on a place has none.
ALTER TABLE maintenance_tasks ADD category_id text;
ALTER TABLE asset_state_periods ADD category_id text;
UPDATE maintenance_tasks t SET category_id = a.category_id FROM assets a
  WHERE a.organization_id = t.organization_id AND a.id = t.asset_id AND a.category_id IS NOT NULL;
UPDATE asset_state_periods p SET category_id = a.category_id FROM assets a
  WHERE a.organization_id = p.organization_id AND a.id = p.asset_id AND a.category_id IS NOT NULL;

-- of_group: what follows the group in the key; NULL for what is not counted by group.
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

${figuresOfWork}
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

CREATE OR REPLACE FUNCTION asset_state_periods_fill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT a.workspace_id, a.state = 'deleted', a.category_id
      INTO NEW.workspace_id, NEW.hidden, NEW.category_id FROM assets a
      WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id;
    NEW.idle_since := idle_since(NEW);
  END IF;
  NEW.is_failure := is_failure(NEW);
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION maintenance_tasks_fill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' OR NEW.asset_id IS DISTINCT FROM OLD.asset_id) AND NEW.asset_id IS NOT NULL THEN
    SELECT a.criticality, a.category_id INTO NEW.criticality, NEW.category_id FROM assets a
      WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id;
    NEW.criticality := coalesce(NEW.criticality, 'medium');
  END IF;
  NEW.in_time := CASE WHEN NEW.state IN ('completed', 'cancelled') THEN in_time(NEW) END;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION assets_carry_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.workspace_id, NEW.criticality, NEW.category_id, NEW.state = 'deleted')
      IS DISTINCT FROM (OLD.workspace_id, OLD.criticality, OLD.category_id, OLD.state = 'deleted') THEN
    UPDATE maintenance_tasks SET workspace_id = NEW.workspace_id, criticality = NEW.criticality,
      category_id = NEW.category_id, hidden = NEW.state = 'deleted'
      WHERE organization_id = NEW.organization_id AND asset_id = NEW.id;
    UPDATE asset_state_periods SET workspace_id = NEW.workspace_id, category_id = NEW.category_id,
      hidden = NEW.state = 'deleted'
      WHERE organization_id = NEW.organization_id AND asset_id = NEW.id;
    UPDATE asset_peaks SET workspace_id = NEW.workspace_id, criticality = NEW.criticality
      WHERE organization_id = NEW.organization_id AND asset_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER assets_carry_tasks ON assets;
CREATE TRIGGER assets_carry_tasks AFTER UPDATE OF workspace_id, state, criticality, category_id
  ON assets FOR EACH ROW EXECUTE FUNCTION assets_carry_tasks();

${workWritesFigures}
DROP TRIGGER asset_state_periods_write_figures ON asset_state_periods;
CREATE TRIGGER asset_state_periods_write_figures AFTER INSERT OR DELETE
  OR UPDATE OF workspace_id, category_id, hidden, started_at, ended_at, idle_since, is_failure
  ON asset_state_periods FOR EACH ROW ${unlessDeleted}
  EXECUTE FUNCTION asset_state_periods_write_figures();
SELECT recount_figures(id) FROM organizations;
`;
