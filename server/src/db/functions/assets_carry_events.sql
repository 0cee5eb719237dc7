CREATE OR REPLACE FUNCTION assets_carry_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE history_events SET visible_in = coalesce(NEW.workspace_id, '')
    WHERE organization_id = NEW.organization_id AND asset_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER assets_carry_events AFTER UPDATE OF workspace_id ON assets
  FOR EACH ROW WHEN (NEW.workspace_id IS DISTINCT FROM OLD.workspace_id)
  EXECUTE FUNCTION assets_carry_events();
