-- Setting the description to its own value runs only this trigger.
CREATE OR REPLACE FUNCTION assets_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := folded_tsvector(concat_ws(' ', NEW.name, NEW.inventory_number,
    NEW.serial_number, NEW.manufacturer, NEW.model, NEW.location,
    (SELECT c.name::text FROM asset_categories c
      WHERE c.organization_id = NEW.organization_id AND c.id = NEW.category_id),
    (SELECT w.name::text FROM workspaces w
      WHERE w.organization_id = NEW.organization_id AND w.id = NEW.workspace_id),
    NEW.description));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER assets_fill_search
  BEFORE INSERT OR UPDATE OF name, inventory_number, serial_number,
  manufacturer, model, location, category_id, workspace_id, description ON assets
  FOR EACH ROW EXECUTE FUNCTION assets_fill_search();

-- Afterwards
UPDATE assets SET description = description;
