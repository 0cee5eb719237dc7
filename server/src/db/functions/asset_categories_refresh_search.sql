CREATE OR REPLACE FUNCTION asset_categories_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assets SET category_id = category_id
    WHERE organization_id = NEW.organization_id AND category_id = NEW.id;
  UPDATE maintenance_tasks t SET title = t.title FROM assets a
    WHERE t.organization_id = NEW.organization_id AND a.organization_id = t.organization_id
      AND a.id = t.asset_id AND a.category_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER asset_categories_refresh_search AFTER UPDATE OF name ON asset_categories
  FOR EACH ROW EXECUTE FUNCTION asset_categories_refresh_search();
