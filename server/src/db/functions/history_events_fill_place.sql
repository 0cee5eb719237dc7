-- Locks the asset or task. A concurrent move either takes this event along or finishes first.
CREATE OR REPLACE FUNCTION history_events_fill_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.asset_id IS NOT NULL THEN
    SELECT coalesce(a.workspace_id, '') INTO NEW.visible_in FROM assets a
      WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id FOR SHARE;
  ELSE
    SELECT coalesce(t.workspace_id, '') INTO NEW.visible_in FROM maintenance_tasks t
      WHERE t.organization_id = NEW.organization_id AND t.id = NEW.task_id FOR SHARE;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER history_events_fill_place BEFORE INSERT ON history_events
  FOR EACH ROW EXECUTE FUNCTION history_events_fill_place();
