/**
 * What the search columns hold, and what keeps them so when a name changes in another table. Setting
 * a column to itself runs the trigger that fills the search column, and no other.
 */
export const search = `
CREATE FUNCTION assets_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := to_tsvector('simple', concat_ws(' ', NEW.name, NEW.inventory_number,
    NEW.serial_number, NEW.manufacturer, NEW.model, NEW.location,
    (SELECT c.name::text FROM asset_categories c
      WHERE c.organization_id = NEW.organization_id AND c.id = NEW.category_id),
    (SELECT w.name::text FROM workspaces w
      WHERE w.organization_id = NEW.organization_id AND w.id = NEW.workspace_id),
    NEW.description));
  RETURN NEW;
END $$;
CREATE TRIGGER assets_fill_search BEFORE INSERT OR UPDATE OF name, inventory_number, serial_number,
  manufacturer, model, location, category_id, workspace_id, description ON assets
  FOR EACH ROW EXECUTE FUNCTION assets_fill_search();

CREATE FUNCTION maintenance_tasks_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := to_tsvector('simple', concat_ws(' ', NEW.title, 'T-' || NEW.task_number,
    (SELECT concat_ws(' ', a.name, a.inventory_number, c.name::text) FROM assets a
      LEFT JOIN asset_categories c
        ON c.organization_id = a.organization_id AND c.id = a.category_id
      WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id),
    NEW.description));
  RETURN NEW;
END $$;
CREATE TRIGGER maintenance_tasks_fill_search
  BEFORE INSERT OR UPDATE OF title, description, asset_id ON maintenance_tasks
  FOR EACH ROW EXECUTE FUNCTION maintenance_tasks_fill_search();

-- Places and parents may be hidden from who sees the event: what refers to them has its words in
-- parts as well, so that a search puts together those that the caller may see.
CREATE FUNCTION history_events_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  about text := concat_ws(' ', NEW.note, NEW.actor_name, NEW.client_name,
    replace(NEW.type, '_', ' '), NEW.type);
BEGIN
  NEW.search := to_tsvector('simple', concat_ws(' ', about,
    (SELECT string_agg(concat_ws(' ', c ->> 'field', c ->> 'from', c ->> 'to'), ' ')
      FROM jsonb_array_elements(NEW.changes) c)));
  IF jsonb_path_exists(NEW.changes, '$[*] ? (@.field == "workspace_id" || @.field == "asset_id"
      || @.field == "parent_asset_id" || @.field == "merged_into_asset_id")') THEN
    SELECT to_tsvector('simple', concat_ws(' ', about, string_agg(
          concat_ws(' ', field, CASE WHEN NOT refers THEN concat_ws(' ', was, is_now) END), ' '))),
        to_tsvector('simple', coalesce(string_agg(was, ' ') FILTER (WHERE refers), '')),
        to_tsvector('simple', coalesce(string_agg(is_now, ' ') FILTER (WHERE refers), '')),
        coalesce(array_agg(was) FILTER (WHERE is_id AND was IS NOT NULL), '{}'),
        coalesce(array_agg(is_now) FILTER (WHERE is_id AND is_now IS NOT NULL), '{}')
      INTO NEW.search_unreferring, NEW.search_from, NEW.search_to, NEW.refers_from, NEW.refers_to
      FROM (SELECT c ->> 'field' AS field, c ->> 'from' AS was, c ->> 'to' AS is_now,
          c ->> 'field' IN ('workspace_id', 'asset_id', 'parent_asset_id', 'merged_into_asset_id')
            AS is_id,
          c ->> 'field' IN ('workspace_id', 'workspace_name', 'asset_id', 'asset_name',
            'parent_asset_id', 'parent_asset', 'merged_into_asset_id', 'merged_into') AS refers
        FROM jsonb_array_elements(NEW.changes) c) change;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER history_events_fill_search BEFORE INSERT OR UPDATE OF actor_name, changes
  ON history_events FOR EACH ROW EXECUTE FUNCTION history_events_fill_search();

CREATE FUNCTION asset_categories_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assets SET category_id = category_id
    WHERE organization_id = NEW.organization_id AND category_id = NEW.id;
  UPDATE maintenance_tasks t SET title = t.title FROM assets a
    WHERE t.organization_id = NEW.organization_id AND a.organization_id = t.organization_id
      AND a.id = t.asset_id AND a.category_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER asset_categories_refresh_search AFTER UPDATE OF name ON asset_categories
  FOR EACH ROW EXECUTE FUNCTION asset_categories_refresh_search();

CREATE FUNCTION workspaces_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assets SET name = name
    WHERE organization_id = NEW.organization_id AND workspace_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER workspaces_refresh_search AFTER UPDATE OF name ON workspaces
  FOR EACH ROW WHEN (OLD.name::text IS DISTINCT FROM NEW.name::text)
  EXECUTE FUNCTION workspaces_refresh_search();

-- Runs after the asset is locked by its own change: tasks are always locked after their asset.
CREATE FUNCTION assets_refresh_tasks_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE maintenance_tasks SET title = title
    WHERE organization_id = NEW.organization_id AND asset_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER assets_refresh_tasks_search AFTER UPDATE OF name, inventory_number, category_id
  ON assets FOR EACH ROW WHEN ((OLD.name, OLD.inventory_number, OLD.category_id)
    IS DISTINCT FROM (NEW.name, NEW.inventory_number, NEW.category_id))
  EXECUTE FUNCTION assets_refresh_tasks_search();
`;
