-- Includes the events of a task from before it had an asset.
CREATE OR REPLACE FUNCTION maintenance_tasks_carry_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE history_events SET visible_in = coalesce(NEW.workspace_id, '')
    WHERE organization_id = NEW.organization_id AND task_id = NEW.id AND asset_id IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER maintenance_tasks_carry_events
  AFTER UPDATE OF workspace_id ON maintenance_tasks
  FOR EACH ROW WHEN (NEW.workspace_id IS DISTINCT FROM OLD.workspace_id)
  EXECUTE FUNCTION maintenance_tasks_carry_events();
