/** Where each event is seen today, so that who sees a part of the history finds it by an index. */
export const eventPlaces = `
-- The workspace of its asset, or of its work on a place, wherever that was then; '' for what is not placed.
ALTER TABLE history_events ADD visible_in text;

CREATE OR REPLACE FUNCTION history_events_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('fettle.force_delete', true) = 'on' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND (current_setting('fettle.erase', true) = 'on'
      OR to_jsonb(NEW) - 'visible_in' = to_jsonb(OLD) - 'visible_in') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'history events are append-only' USING ERRCODE = 'restrict_violation';
END $$;

-- With the lock, an asset that somebody else is moving takes this event along or is waited for.
CREATE FUNCTION history_events_fill_place() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER history_events_fill_place BEFORE INSERT ON history_events
  FOR EACH ROW EXECUTE FUNCTION history_events_fill_place();

CREATE FUNCTION assets_carry_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE history_events SET visible_in = coalesce(NEW.workspace_id, '')
    WHERE organization_id = NEW.organization_id AND asset_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER assets_carry_events AFTER UPDATE OF workspace_id ON assets
  FOR EACH ROW WHEN (NEW.workspace_id IS DISTINCT FROM OLD.workspace_id)
  EXECUTE FUNCTION assets_carry_events();

-- Also of work on a place that got an asset later.
CREATE FUNCTION maintenance_tasks_carry_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE history_events SET visible_in = coalesce(NEW.workspace_id, '')
    WHERE organization_id = NEW.organization_id AND task_id = NEW.id AND asset_id IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER maintenance_tasks_carry_events AFTER UPDATE OF workspace_id ON maintenance_tasks
  FOR EACH ROW WHEN (NEW.workspace_id IS DISTINCT FROM OLD.workspace_id)
  EXECUTE FUNCTION maintenance_tasks_carry_events();

UPDATE history_events e SET visible_in = coalesce(a.workspace_id, '') FROM assets a
  WHERE a.organization_id = e.organization_id AND a.id = e.asset_id;
UPDATE history_events e SET visible_in = coalesce(t.workspace_id, '') FROM maintenance_tasks t
  WHERE e.asset_id IS NULL AND t.organization_id = e.organization_id AND t.id = e.task_id;
DROP INDEX history_events_search_idx;
CREATE INDEX history_events_search_idx ON history_events
  USING gin (organization_id, visible_in, search);
CREATE INDEX history_events_visible_in_idx
  ON history_events (organization_id, visible_in, occurred_at DESC, sequence DESC);
`;
