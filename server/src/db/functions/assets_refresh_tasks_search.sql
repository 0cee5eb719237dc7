-- Runs after the change has locked the asset. Tasks are always locked after their asset.
CREATE OR REPLACE FUNCTION assets_refresh_tasks_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE maintenance_tasks SET title = title
    WHERE organization_id = NEW.organization_id AND asset_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER assets_refresh_tasks_search
  AFTER UPDATE OF name, inventory_number, category_id
  ON assets FOR EACH ROW WHEN ((OLD.name, OLD.inventory_number, OLD.category_id)
    IS DISTINCT FROM (NEW.name, NEW.inventory_number, NEW.category_id))
  EXECUTE FUNCTION assets_refresh_tasks_search();
