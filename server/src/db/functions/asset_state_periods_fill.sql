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

CREATE OR REPLACE TRIGGER asset_state_periods_fill
  BEFORE INSERT OR UPDATE OF ended_at ON asset_state_periods
  FOR EACH ROW EXECUTE FUNCTION asset_state_periods_fill();
