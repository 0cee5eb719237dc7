CREATE OR REPLACE FUNCTION maintenance_tasks_fill_awaits_work()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_awaits_work(NEW.organization_id, NEW.asset_id);
  IF OLD.asset_id IS DISTINCT FROM NEW.asset_id THEN
    PERFORM refresh_awaits_work(OLD.organization_id, OLD.asset_id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER maintenance_tasks_fill_awaits_work AFTER INSERT OR DELETE
  OR UPDATE OF state, asset_id, type, requires_downtime
  ON maintenance_tasks FOR EACH ROW EXECUTE FUNCTION maintenance_tasks_fill_awaits_work();
