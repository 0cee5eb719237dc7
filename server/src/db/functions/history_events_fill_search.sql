-- The reader of an event may not have access to the workspaces and parents that the event names.
-- The words of such an event are also stored in parts, and a search combines the parts that the
-- caller may see.
CREATE OR REPLACE FUNCTION history_events_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  about text := concat_ws(' ', NEW.note, NEW.actor_name, NEW.client_name,
    replace(NEW.type, '_', ' '), NEW.type);
BEGIN
  NEW.search := folded_tsvector(concat_ws(' ', about,
    (SELECT string_agg(concat_ws(' ', c ->> 'field', c ->> 'from', c ->> 'to'), ' ')
      FROM jsonb_array_elements(NEW.changes) c)));
  IF jsonb_path_exists(NEW.changes, '$[*] ? (@.field == "workspace_id" || @.field == "asset_id"
      || @.field == "parent_asset_id" || @.field == "merged_into_asset_id")') THEN
    SELECT folded_tsvector(concat_ws(' ', about, string_agg(
          concat_ws(' ', field, CASE WHEN NOT refers THEN concat_ws(' ', was, is_now) END), ' '))),
        folded_tsvector(coalesce(string_agg(was, ' ') FILTER (WHERE refers), '')),
        folded_tsvector(coalesce(string_agg(is_now, ' ') FILTER (WHERE refers), '')),
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

CREATE OR REPLACE TRIGGER history_events_fill_search BEFORE INSERT OR UPDATE OF actor_name, changes, note
  ON history_events FOR EACH ROW EXECUTE FUNCTION history_events_fill_search();

-- Afterwards
SET LOCAL fettle.erase = 'on';
UPDATE history_events SET actor_name = actor_name;
SET LOCAL fettle.erase = 'off';
