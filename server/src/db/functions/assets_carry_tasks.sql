-- Tasks and state periods copy the workspace, criticality and category of their asset. They are
-- hidden while the asset is deleted.
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

CREATE OR REPLACE TRIGGER assets_carry_tasks
  AFTER UPDATE OF workspace_id, state, criticality, category_id
  ON assets FOR EACH ROW EXECUTE FUNCTION assets_carry_tasks();
