CREATE OR REPLACE FUNCTION workspaces_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assets SET name = name
    WHERE organization_id = NEW.organization_id AND workspace_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER workspaces_refresh_search AFTER UPDATE OF name ON workspaces
  FOR EACH ROW WHEN (OLD.name::text IS DISTINCT FROM NEW.name::text)
  EXECUTE FUNCTION workspaces_refresh_search();
