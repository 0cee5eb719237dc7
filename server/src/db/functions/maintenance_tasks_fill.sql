CREATE OR REPLACE FUNCTION maintenance_tasks_fill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' OR NEW.asset_id IS DISTINCT FROM OLD.asset_id) AND NEW.asset_id IS NOT NULL THEN
    -- The lock makes a concurrent move of the asset take this work along or finish first.
    SELECT a.workspace_id, a.state = 'deleted', a.criticality, a.category_id
      INTO NEW.workspace_id, NEW.hidden, NEW.criticality, NEW.category_id FROM assets a
      WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id FOR SHARE;
    NEW.criticality := coalesce(NEW.criticality, 'medium');
    NEW.hidden := coalesce(NEW.hidden, false);
  ELSIF NEW.asset_id IS NULL THEN
    NEW.hidden := false;
    NEW.criticality := 'medium';
    NEW.category_id := NULL;
  END IF;
  NEW.in_time := CASE WHEN NEW.state IN ('completed', 'cancelled') THEN in_time(NEW) END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER maintenance_tasks_fill
  BEFORE INSERT OR UPDATE OF asset_id, state, type, due_date, completed_at, cancelled_at, plan_id
  ON maintenance_tasks FOR EACH ROW EXECUTE FUNCTION maintenance_tasks_fill();
